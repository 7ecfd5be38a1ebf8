import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { isOwnerGone, isSameProcess, ownerOf } from '../../src/host.js'

// A process that prints its own owner string and then waits.
const PROGRAM = `
  import { ownerOf } from './src/host.js'
  console.log(ownerOf())
  setInterval(() => {}, 1000)
`
const started: ReturnType<typeof spawn>[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

async function someOwner() {
  const argv = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM]
  const child = spawn(process.execPath, argv, { cwd: process.cwd(), stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  const [line] = await once(child.stdout, 'data')
  return { child, owner: String(line).trim() }
}

describe('an owner', () => {
  it.runIf(hasMachineId())('names its machine by a digest of the id, which asks not to be shown', () => {
    const id = readFileSync('/etc/machine-id', 'utf8').trim()
    const [host = ''] = ownerOf().split('/').map(decodeURIComponent)
    expect(host.split('~')[1]).toBe(hash('sha256', `agent-ledger:${id}`).slice(0, 12))
  })

  it('is not gone while its process runs, and gone once it was killed', async () => {
    const { child, owner } = await someOwner()
    expect(isOwnerGone(owner)).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isOwnerGone(owner)).toBe(true)
  })

  it('is gone when its process is a zombie that nobody has collected', async () => {
    // The shell starts a process in the background, becomes a program that collects no children, and names it.
    const argv = ['-c', 'sleep 0.2 & echo $!; exec sleep 60']
    const parent = spawn('sh', argv, { stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(parent)
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(String(line))
    const owner = ownerWith({ pid, started: startOf(pid) })
    expect(isOwnerGone(owner)).toBe(false)
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(20)
    expect(isOwnerGone(owner)).toBe(true)
  })

  it('is not gone while it is only stopped', async () => {
    const { child, owner } = await someOwner()
    child.kill('SIGSTOP')
    while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))) await sleep(20)
    expect(isOwnerGone(owner)).toBe(false)
  })

  it('is gone when its process number belongs to a later process', () => {
    expect(isOwnerGone(ownerWith({ started: startOf(process.pid) }))).toBe(false)
    expect(isOwnerGone(ownerWith({ started: '1' }))).toBe(true)
  })

  it('is gone when this machine has booted since', () => {
    expect(isOwnerGone(ownerWith({ boot: '00000000-0000-4000-8000-000000000000' }))).toBe(hasMachineId())
  })

  it('is understood with its boot as the kernel writes it', () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    expect(isOwnerGone(ownerWith({ boot, started: startOf(process.pid) }))).toBe(false)
    expect(isOwnerGone(ownerWith({ boot, started: '1' }))).toBe(true)
  })

  it.each([
    ['on another host', { host: 'elsewhere~0123456789ab' }],
    ['on another host, another boot', { host: 'elsewhere', boot: '00000000-0000-4000-8000-000000000000' }],
    ['in a container', { namespace: '4026539999.4026531834' }],
    ['in a container, before the last boot', { namespace: '4026539999.4026531834', boot: 'x' }],
    ['without a boot', { boot: '' }],
    ['without a start time', { started: '' }],
    ['without a namespace', { namespace: '' }],
    ['with a number that is none', { pid: 'x' }],
    ['with number 0, which stands for a group', { pid: 0 }],
  ])('is never called gone %s', (_, parts) => {
    expect(isOwnerGone(ownerWith({ started: '1', ...parts }))).toBe(false)
  })

  it.each(['', 'x', '/////', '%/%/1/%/%/%', 'a/b/c/d/e/f/g', '\u001b[2J'])(
    'is never called gone when it reads %j',
    text => {
      expect(isOwnerGone(text)).toBe(false)
    },
  )

  it('is new at each call and names the same process', async () => {
    const [one, two] = [ownerOf(), ownerOf()]
    expect(one).not.toBe(two)
    expect(isSameProcess(one, two)).toBe(true)
    expect(isSameProcess(one, (await someOwner()).owner)).toBe(false)
  })
})

/** Our own owner string with some parts changed. */
function ownerWith(change: Record<string, string | number>): string {
  const [host, boot, pid, namespace, started, random] = ownerOf().split('/').map(decodeURIComponent)
  const parts = { host, boot, pid, namespace, started, random, ...change }
  return Object.values(parts)
    .map(part => encodeURIComponent(String(part)))
    .join('/')
}

function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function hasMachineId(): boolean {
  return ownerOf().split('/')[0]?.includes('~') === true
}
