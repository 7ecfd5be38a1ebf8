// Loaded with --require: says at the end how much memory the process held at most. On Linux `maxRSS` also counts what
// the process that started it held (getrusage(2): it lasts over execve); VmHWM of /proc is of this program alone.
const { readFileSync } = require('node:fs')

function peakKb() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
}

process.on('exit', () => process.stderr.write(`peak-rss-kb ${peakKb()}\n`))
