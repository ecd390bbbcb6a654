/**
 * The address of a caller: that of the connection or, behind a trusted proxy, the last entry of `X-Forwarded-For` that
 * is no such proxy. Proxies also write entries with a port, in brackets, with a zone, or as an IPv4 address mapped to
 * IPv6. Limits, networks of credentials, sessions and logs use the plain address, so that one caller has one address.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Without port, brackets and zone; IPv4 if it is mapped to IPv6. Undefined if the text is no IP address. */
function plainAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text) ?? []
  const [plain = ''] = (inBrackets ?? withPort ?? text).split('%')
  if (inBrackets !== undefined && !isIPv6(plain)) return undefined
  if (isIP(plain) === 0) return undefined
  return isIPv6(plain) ? unmapped(plain) : plain
}

function unmapped(address: string): string {
  if (!/ffff/i.test(address)) return address
  const { hostname } = new URL(`http://[${address}]`)
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** `request.ips` has the connection first and then the entries, up to the first one that is not trusted. */
export function addressOf(request: FastifyRequest): string {
  const { ips } = request
  if (ips === undefined) return plainAddress(request.ip) ?? request.ip
  const last = ips.at(-1) ?? ''
  // An entry that is no address says nothing of the caller: the proxy that sent it stands for it.
  return plainAddress(last) ?? plainAddress(ips.at(-2) ?? '') ?? last
}

/** The entry of X-Forwarded-For that should be the address of the caller and is no address. */
export function entryWithoutAddress({ ips }: FastifyRequest): string | undefined {
  const entry = ips !== undefined && ips.length > 1 ? ips.at(-1) : undefined
  return entry === undefined || plainAddress(entry) !== undefined ? undefined : entry
}

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Judges each hop by its plain address: an entry with a port can be one of a trusted proxy. */
export function trustOf(proxies: readonly string[]): (hop: string) => boolean {
  const list = new BlockList()
  for (const network of proxies.flatMap((proxy) => namedNetworks[proxy] ?? [proxy])) {
    const [text = '', prefix] = network.split('/')
    const address = plainAddress(text) ?? text
    const version = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    const bits = version === 'ipv4' ? 32 : 128
    // The prefix of a mapped network counts the 96 bits before the IPv4 address.
    const before = version === 'ipv4' && isIPv6(text) ? 96 : 0
    list.addSubnet(address, prefix === undefined ? bits : Math.max(0, Number(prefix) - before), version)
  }
  return (hop) => {
    const address = plainAddress(hop)
    return address !== undefined && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
}
