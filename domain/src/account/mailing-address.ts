/** The mailing address in one line: street, city, state, country name, postal code; upper case (Reading 3.8). */
import { codeRow } from '@clearing/protocol/values'
import type { Address } from './record.ts'

export function mailingAddressString(address: Address): string {
  const country = address.country ? (codeRow('country', address.country)?.label ?? address.country) : ''
  return [address.street, address.city, address.stateProvince, country, address.postalCode]
    .filter(Boolean)
    .join(' ')
    .replaceAll('\n', ' ')
    .toUpperCase()
}
