/** Finds the comprehensively sanctioned countries and regions of an address or a citizenship (31 CFR chapter V). */
import type { Address } from './record.ts'
import { type SanctionedPlace, sanctionedPlaces } from './sanctioned-places.ts'

export interface PlaceFound {
  readonly place: SanctionedPlace
  /** A country is certain; a town or postal code may be another one of the same name. */
  readonly certain: boolean
  readonly reason: string
}

/** An address in small letters without accents, spaces at both ends of each part: ` havana `. */
interface Folded {
  readonly city: string
  readonly streetParts: readonly string[]
}

/** Returns the places under comprehensive sanctions that an address names. */
export function findSanctionedPlaces(address: Address): PlaceFound[] {
  const folded: Folded = {
    city: ` ${fold(address.city ?? '')} `,
    streetParts: (address.street ?? '').split(/[\n,;]/).map((part) => ` ${fold(part)} `),
  }
  return sanctionedPlaces.flatMap((place) => lookFor(place, address, folded) ?? [])
}

function lookFor(place: SanctionedPlace, address: Address, folded: Folded): PlaceFound | undefined {
  const { country = '', postalCode = '' } = address
  const named = `${place.name} (${place.source}).`
  if (place.countries.includes(country)) return { place, certain: true, reason: `The country is ${named}` }
  const name = nameIn(place, country, folded)
  if (name !== undefined) return { place, certain: false, reason: `The address names ${name}: ${named}` }
  const code = postalCode.replace(/\D/g, '')
  return place.postalCodes?.[country]?.some((digits) => code.startsWith(digits))
    ? { place, certain: false, reason: `The postal code is one of ${named}` }
    : undefined
}

function nameIn(place: SanctionedPlace, country: string, { city, streetParts }: Folded): string | undefined {
  const namesakes = place.namesakes?.[country] ?? []
  const unshared = place.names.filter((name) => !namesakes.includes(name))
  const alone = unshared.find((name) => city.includes(` ${name} `))
  if (alone !== undefined) return alone
  // A shared town name with the country beside it identifies the sanctioned place.
  const together = takeNames(city, place.names).taken
  if (together.length > 1) return together.join(' ')
  // A street may be named after a town; a part of the street that consists of such names alone is the town.
  return streetParts.find((part) => saysOnly(part, unshared))?.trim()
}

function saysOnly(part: string, names: readonly string[]): boolean {
  return part.trim() !== '' && takeNames(part, names).rest.trim() === ''
}

/** The names found in a text, longer names before names inside them, and the rest of the text. */
function takeNames(text: string, names: readonly string[]): { taken: string[]; rest: string } {
  let rest = text
  const taken: string[] = []
  for (const name of names.toSorted((one, other) => other.length - one.length)) {
    if (!rest.includes(` ${name} `)) continue
    rest = rest.replaceAll(` ${name} `, ' ')
    taken.push(name)
  }
  return { taken, rest }
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}]+/gu, ' ')
}
