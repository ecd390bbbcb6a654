/**
 * Allows webhooks to public addresses only. The addresses of a name are checked when the connection is made, so that
 * the name cannot change between the check and the use (OWASP API7). The sandbox also allows the local machine.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { within } from '../../within.ts'
import { resolveName } from './resolve-name.ts'

export interface AddressPolicy {
  /** Allows http and addresses of the local machine. */
  readonly sandbox: boolean
  /**
   * Whether callers on other machines reach the service. If so, a webhook to the local machine could reach
   * services that the caller cannot reach, and is refused in the sandbox too.
   */
  readonly openToOthers?: boolean
}

/** Webhooks may not be sent to this address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * IPv4 ranges that are not public: RFC 6890 and its successors in the IANA registry of special-purpose addresses,
 * multicast, reserved.
 */
const special4 = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special4.addSubnet(net, bits, 'ipv4')
}
/** The service of Azure for its own machines, such as their settings. No other machine reaches it. */
special4.addAddress('168.63.129.16', 'ipv4')

/** Public IPv6 is global unicast, without the ranges that represent other addresses. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special6.addSubnet(net, bits, 'ipv6')
}
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a service that listens at this address can be reached only from its own machine. */
function isLocalHost(host: string): boolean {
  const version = isIP(host)
  if (version === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whether callers on other machines reach a service: it listens to them, its public address is not of this machine, or
 * a proxy passes them on.
 */
export function isOpenToOthers(service: {
  readonly host: string
  readonly issuer: string
  readonly trustedProxies: readonly string[]
}): boolean {
  const { host, issuer, trustedProxies } = service
  const publicHost = new URL(issuer).hostname.replace(/^\[(.*)\]$/, '$1')
  return !isLocalHost(host) || !isLocalHost(publicHost) || trustedProxies.length > 0
}

export function isAllowedAddress(address: string, { sandbox, openToOthers }: AddressPolicy): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (sandbox && !openToOthers && loopback.check(address, family)) return true
  if (family === 'ipv4') return !special4.check(address, family)
  return global6.check(address, family) && !special6.check(address, family)
}

/** Returns the URL, or a sentence with the reason why it is refused. Does not resolve names. */
export function parseReceiverUrl(text: string, policy: AddressPolicy): URL | string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text))
    return policy.sandbox
      ? 'The address must be a whole http or https address, such as http://localhost:3000/hook.'
      : 'The address must be a whole https address, such as https://example.com/hook.'
  if (url.protocol !== 'https:' && !policy.sandbox) return 'The address must begin with https.'
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user name or a password.'
  if (url.hash !== '') return 'The address must not have a fragment.'
  if (url.port === '0') return 'The port of the address must be from 1 to 65535.'
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) return refusal
  return url
}

const refusal = 'The address is private or of this network; webhooks are sent only to public addresses.'

/** The host without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** A name of this machine leads to an allowed address only where the local machine is allowed. */
function resolveFor(
  { sandbox, openToOthers = false }: AddressPolicy,
  host: string,
): Promise<LookupAddress[]> {
  return resolveName(host, { local: sandbox && !openToOthers })
}

const lookupTimeoutMs = 2_000

/**
 * Returns the reason for which the name's addresses are refused now. Undefined when they are allowed, or when the name
 * does not resolve yet: each delivery checks again.
 */
export async function refuseByName(url: URL, policy: AddressPolicy): Promise<string | undefined> {
  const host = hostOf(url)
  if (isIP(host) !== 0) return undefined
  const resolved = resolveFor(policy, host).catch(() => [])
  const addresses = (await within(resolved, lookupTimeoutMs)) ?? []
  return addresses.every(({ address }) => isAllowedAddress(address, policy)) ? undefined : refusal
}

/** `lookup` of node:dns for all addresses of a name. */
export type LookUpAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** For a connection: resolves a name to its addresses, and fails when one of them is not allowed. */
export function guardedLookup(
  policy: AddressPolicy,
  lookUpAll: LookUpAll = (host, _options, callback) => {
    resolveFor(policy, host).then(
      (addresses) => callback(null, addresses),
      (fault) => callback(fault, []),
    )
  },
): LookupFunction {
  return (hostname, options, callback) => {
    lookUpAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const refused = addresses.some(({ address }) => !isAllowedAddress(address, policy))
      const [first] = addresses
      if (refused || first === undefined) return callback(new AddressRefused(refusal), '', 0)
      if (options.all === true) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}
