import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { BOOT_ID_LENGTH, bootId } from './clock.js'
import { readLink, readText } from './proc.js'

/** Who holds a lease: everything needed to find out later whether that process still runs. */
interface Owner {
  readonly host: string
  readonly boot: string
  /** the process id and the namespaces that give it and the start time a meaning */
  readonly pid: number
  readonly namespace: string
  /** clock ticks from boot to the start of the process, proc_pid_stat(5) field 22 */
  readonly started: string
}

/**
 * The owner string of a process of this machine, by default this one; new at each call. Parts are percent-encoded and
 * divided by `/`. Of a process that is not there nobody can tell later that it is gone.
 */
export function ownerOf(pid: number = process.pid): string {
  return ownerText(String(pid), processStat(pid)?.started ?? '')
}

/** An owner on this machine of which no process is known: only its lease says when it is gone. */
export function ownerWithoutProcess(): string {
  return ownerText('', '')
}

/** Is there such a process now, as far as this one can see? */
export function isRunning(pid: number): boolean {
  return processStat(pid) !== undefined || canSignal(pid)
}

function ownerText(pid: string, started: string): string {
  return `${processText(pid, started)}${randomBytes(6).toString('base64url')}`
}

/** All of an owner string but its last part, which tells the leases of a process apart. */
function processText(pid: string, started: string): string {
  const parts = [hostId(), ownBoot(), pid, namespaceId(), started]
  return `${parts.map(encodeURIComponent).join('/')}/`
}

/** True when both strings name the same process, whatever its leases. */
export function isSameProcess(a: string, b: string): boolean {
  return a.slice(0, a.lastIndexOf('/')) === b.slice(0, b.lastIndexOf('/'))
}

/**
 * True only when the owner is provably gone: the same boot and namespaces as ours and no such process with that start
 * time, or an earlier boot of this very machine. Not knowing is false: the lease decides then.
 */
export function isOwnerGone(text: string): boolean {
  if (text.startsWith(ownText())) return false
  const owner = parseOwner(text)
  if (owner === undefined || owner.host === '' || owner.host !== hostId()) return false
  const boot = ownBoot()
  if (boot === '' || owner.boot === '') return false
  const namespace = namespaceId()
  if (namespace === '' || owner.namespace !== namespace) return false
  // A container keeps its host name on another machine; only outside of one, with a machine id, is it the same machine.
  if (owner.boot !== boot) return owner.host.includes('~') && namespace.startsWith(`${FIRST_PID_NAMESPACE}.`)
  return isProcessGone(owner)
}

// PROC_PID_INIT_INO of include/linux/proc_ns.h: the namespace every machine starts with.
const FIRST_PID_NAMESPACE = '4026531836'

function parseOwner(text: string): Owner | undefined {
  const parts = text.split('/')
  if (parts.length !== 6) return undefined
  const [host, boot, pidText, namespace, started] = parts.map(decode)
  if (host === undefined || boot === undefined || namespace === undefined || started === undefined)
    return undefined
  const pid = /^\d{1,10}$/.test(pidText ?? '') ? Number(pidText) : 0
  // other writers may name the whole boot id
  return pid > 0 ? { host, boot: boot.slice(0, BOOT_ID_LENGTH), pid, namespace, started } : undefined
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

function isProcessGone({ pid, started }: Owner): boolean {
  if (started === '') return false
  if (pid === process.pid) return started !== ownStart()
  const stat = processStat(pid)
  if (stat === undefined) return !canSignal(pid)
  // A zombie runs nothing more, unless only its first thread has ended.
  return stat.started !== started || (stat.isZombie && stat.threads <= 1)
}

// /proc may hide the processes of others (hidepid); the kernel then still says "not permitted", not "no such process".
function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function processStat(pid: number) {
  const text = readText(`/proc/${pid}/stat`)
  // The command's name stands in brackets and may hold anything, brackets and spaces too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started, threads] = [fields[0], fields[19], Number(fields[17])]
  if (state === undefined || started === undefined) return undefined
  return { isZombie: state === 'Z' || state === 'X', started, threads }
}

// What does not change while this process runs is read once: a guarded operation asks for it twice.
const ownStart = once(() => processStat(process.pid)?.started ?? '')
const ownBoot = once(bootId)
const ownText = once(() => processText(String(process.pid), ownStart()))

// Host names repeat; machine-id(5) does not, and asks not to be shown, hence its digest.
const hostId = once(() => {
  const machine = readText('/etc/machine-id').trim()
  const name = hostname()
  return machine === ''
    ? name
    : `${name}~${bytesToHex(sha256(utf8ToBytes(`agent-ledger:${machine}`))).slice(0, 12)}`
})

// The time namespace shifts the start times that this process reads. Empty when /proc shows other processes than ours.
const namespaceId = once(() => {
  const pid = readLink('/proc/self') === String(process.pid) ? inode('pid') : ''
  return pid === '' ? '' : `${pid}.${inode('time')}`
})

function inode(kind: string): string {
  return /\d+/.exec(readLink(`/proc/self/ns/${kind}`))?.[0] ?? ''
}

function once(find: () => string): () => string {
  let found: string | undefined
  return () => {
    found ??= find()
    return found
  }
}
