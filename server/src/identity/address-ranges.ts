/** The networks from which a credential may be used. */
import { BlockList, isIP } from 'node:net'
import type { StoredCredential } from '../store/credentials.ts'

const known = new WeakMap<StoredCredential, BlockList>()

/** Whether the credential may be used from an address. An address that cannot be read is in no network. */
export function isAllowedFrom(credential: StoredCredential, address: string): boolean {
  if (credential.addressRanges.length === 0) return true
  const [plain = ''] = address.split('%')
  const version = isIP(plain)
  return version !== 0 && listOf(credential).check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

function listOf(credential: StoredCredential): BlockList {
  const made = known.get(credential)
  if (made !== undefined) return made
  const list = new BlockList()
  for (const range of credential.addressRanges) {
    const [network = '', prefix] = range.split('/')
    const version = isIP(network) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(network, Number(prefix ?? (version === 'ipv4' ? 32 : 128)), version)
  }
  known.set(credential, list)
  return list
}
