import { BlockList, isIP } from 'node:net'

/**
 * Addresses that no request goes to, unless the probe allows private ones. Sources: the special-purpose registries of
 * IANA (RFC 6890), and the metadata services of the clouds (169.254.169.254, fd00:ec2::254 of AWS; 100.100.100.200 of
 * Alibaba).
 */
const NEVER = list([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['224.0.0.0', 3],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['ff00::', 8],
])

/** This machine and private networks: reached by their own address, but not through a name that happens to lead there. */
const PRIVATE = list([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
])

/** Why no request may go to this address; null where one may. `host` is what the configuration names. */
export function addressProblem(
  address: string,
  { host, allowPrivate }: { readonly host: string; readonly allowPrivate: boolean },
): string | null {
  if (allowPrivate) return null
  const plain = withoutMapping(address)
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(plain) === 0) return `${address} is no address`
  if (NEVER.check(plain, family))
    return `${address} is link-local, a metadata service or no host at all: allow_private: true lets it`
  const isNamed = isIP(bare(host)) !== 0 || host === 'localhost'
  return PRIVATE.check(plain, family) && !isNamed
    ? `${host} leads to ${address}, which is private: allow_private: true lets it`
    : null
}

/** `[::1]` → `::1` */
export function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

/** An IPv4 address inside an IPv6 one (mapped, NAT64, 6to4) is where the packet goes. */
function withoutMapping(address: string): string {
  const dotted = /^(?:::ffff:|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const hex = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address)
  const six = /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/i.exec(address)
  const [, high, low] = hex ?? six ?? []
  if (high === undefined || low === undefined) return address
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.')
}

function list(nets: readonly (readonly [string, number])[]): BlockList {
  const blocked = new BlockList()
  for (const [net, bits] of nets) blocked.addSubnet(net, bits, isIP(net) === 6 ? 'ipv6' : 'ipv4')
  return blocked
}
