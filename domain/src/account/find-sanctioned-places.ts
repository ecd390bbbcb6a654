/** Which comprehensively sanctioned countries and regions an address, or a citizenship, may be in (31 CFR chapter V). */
import type { Address } from './record.ts'
import { type SanctionedPlace, sanctionedPlaces } from './sanctioned-places.ts'

export interface PlaceFound {
  readonly place: SanctionedPlace
  /** A country is certain; a town or postal code may be another one of the same name. */
  readonly certain: boolean
  readonly reason: string
}

export function findSanctionedPlaces(address: Address): PlaceFound[] {
  return sanctionedPlaces.flatMap((place) => lookFor(place, address) ?? [])
}

function lookFor(place: SanctionedPlace, address: Address): PlaceFound | undefined {
  const { country = '', postalCode = '' } = address
  const told = `${place.name} (${place.source}).`
  if (place.countries.includes(country)) return { place, certain: true, reason: `The country is ${told}` }
  const name = nameIn(place, address)
  if (name !== undefined) return { place, certain: false, reason: `The address names ${name}: ${told}` }
  const code = postalCode.replace(/\D/g, '')
  return place.postalCodes?.[country]?.some((digits) => code.startsWith(digits))
    ? { place, certain: false, reason: `The postal code is one of ${told}` }
    : undefined
}

function nameIn(place: SanctionedPlace, address: Address): string | undefined {
  const namesakes = place.namesakes?.[address.country ?? ''] ?? []
  const known = place.names.filter((name) => !namesakes.includes(name))
  const city = ` ${fold(address.city ?? '')} `
  const inCity = known.find((name) => city.includes(` ${name} `))
  if (inCity !== undefined) return inCity
  // A street may be called after a town; a part of it that says nothing else is one.
  return (address.street ?? '')
    .split(/[\n,;]/)
    .map(fold)
    .find((part) => saysOnly(part, known))
}

function saysOnly(part: string, known: readonly string[]): boolean {
  let rest = ` ${part} `
  for (const name of known.toSorted((one, other) => other.length - one.length))
    rest = rest.replaceAll(` ${name} `, ' ')
  return part !== '' && rest.trim() === ''
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}
