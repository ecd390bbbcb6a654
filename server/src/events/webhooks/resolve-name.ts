/**
 * Resolves the name of a receiver by DNS, with a time limit. Node's own `lookup` occupies one of a few threads of the
 * process until the name server responds. A name whose server never responds would then delay all other names: those of
 * other receivers, and of the database.
 */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

const timeoutMs = 1_500
const tries = 2
/** RFC 6761: these names are of this machine, and name servers do not know them. */
const ofThisMachine = /(?:^|\.)localhost\.?$/i
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

export interface ResolveSettings {
  /** Also finds names that only this machine knows, as in /etc/hosts. */
  readonly local: boolean
  /** Name servers instead of those of the machine, for tests. */
  readonly servers?: readonly string[]
}

/** Resolves to all addresses of the name. Rejects when it has none, or when no server responds in time. */
export async function resolveName(name: string, settings: ResolveSettings): Promise<LookupAddress[]> {
  if (ofThisMachine.test(name)) return [...loopback]
  // A new resolver reads the present settings of the machine.
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (settings.servers !== undefined) resolver.setServers(settings.servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (addresses.length > 0) return addresses
  const fault: NodeJS.ErrnoException = four.status === 'rejected' ? four.reason : new Error('no address')
  if (settings.local && fault.code !== 'ETIMEOUT') return lookup(name, { all: true })
  throw fault
}
