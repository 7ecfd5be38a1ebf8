// Loaded with --require: says at the end how much memory the process held at most.
process.on('exit', () => process.stderr.write(`peak-rss-kb ${process.resourceUsage().maxRSS}\n`))
