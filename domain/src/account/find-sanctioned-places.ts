/**
 * Finds the comprehensively sanctioned countries and regions of an address or a citizenship (31 CFR chapter V). A town
 * is found in every script that the table has, and with letters that look like others, as names are screened. The work
 * grows with the length of the address, not with the number of places.
 */
import { plainMarks } from '@clearing/protocol/values'
import { foldLetters, lookAlike, lowerLooks, upperLooks } from './letters.ts'
import type { Address } from './record.ts'
import { type SanctionedPlace, sanctionedPlaces } from './sanctioned-places.ts'

export interface PlaceFound {
  readonly place: SanctionedPlace
  /** A country is certain; a town or postal code may be another one of the same name. */
  readonly certain: boolean
  readonly reason: string
}

/** Returns the places under comprehensive sanctions that an address names. */
export function findSanctionedPlaces(address: Address): PlaceFound[] {
  const cities = readingsOf(address.city ?? '')
  const streetParts = plainMarks(address.street ?? '')
    .split(/[\n,;、]/)
    .flatMap(readingsOf)
  const named = new Set([...cities, ...streetParts].flatMap(({ places }) => [...places]))
  return folded.flatMap((one) => {
    const said = named.has(one.place)
      ? nameIn(one, address.country ?? '', { cities, streetParts })
      : undefined
    return found(one.place, address, said) ?? []
  })
}

function found(place: SanctionedPlace, address: Address, said: string | undefined): PlaceFound | undefined {
  const { country = '', postalCode = '' } = address
  const named = `${place.name} (${place.source}).`
  if (place.countries.includes(country)) return { place, certain: true, reason: `The country is ${named}` }
  if (said !== undefined) return { place, certain: false, reason: `The address names ${said}: ${named}` }
  const code = postalCode.replace(/\D/g, '')
  return place.postalCodes?.[country]?.some((digits) => code.startsWith(digits))
    ? { place, certain: false, reason: `The postal code is one of ${named}` }
    : undefined
}

/** The names of a place in folded letters. */
interface FoldedPlace {
  readonly place: SanctionedPlace
  readonly names: readonly string[]
  readonly namesakes: ReadonlyMap<string, ReadonlySet<string>>
}

const folded: readonly FoldedPlace[] = sanctionedPlaces.map((place) => ({
  place,
  names: [...new Set(place.names.map(foldLetters))],
  namesakes: new Map(
    Object.entries(place.namesakes ?? {}).map(([country, names]) => [
      country,
      new Set(names.map(foldLetters)),
    ]),
  ),
}))

/** The places that have a name; the names with and without their spaces. */
const placesOfName = new Map<string, SanctionedPlace[]>()
const nameOfLetters = new Map<string, string>()
for (const { place, names } of folded) {
  for (const name of names) {
    placesOfName.set(name, [...(placesOfName.get(name) ?? []), place])
    nameOfLetters.set(lettersOf(name), name)
  }
}
const wordsMax = Math.max(...[...placesOfName.keys()].map((name) => name.split(' ').length))
const lengths = [...new Set([...nameOfLetters.keys()].map((letters) => letters.length))].sort((a, b) => b - a)

/** A part of an address, spaces at both ends: ` havana `, with the places of which it has a name. */
interface Reading {
  readonly text: string
  readonly places: ReadonlySet<SanctionedPlace>
}

/** A part as it is written, and as its letters look. A part of Latin letters alone has one reading. */
function readingsOf(part: string): Reading[] {
  const plain = plainMarks(part).replace(/['’‘ʼʻʿʾ`´\u05f4\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
  const written = [plain, lookAlike(plain, upperLooks), lookAlike(plain, lowerLooks)]
  const texts = written.map((text) => wordsOf(text).join(' '))
  return [...new Set(texts)].filter(Boolean).map((text) => ({ text: ` ${text} `, places: placesIn(text) }))
}

function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{M}]+/u).filter(Boolean)
  const isLetter = words.map((word) => /^\p{L}\p{M}*$/u.test(word))
  const joined: string[] = []
  for (let at = 0; at < words.length; ) {
    let end = at
    while (isLetter[end]) end++
    const isSpelled = end - at >= SPELLED_LETTERS_MIN
    if (isSpelled) joined.push(...namesWithin(foldLetters(words.slice(at, end).join(''))))
    else joined.push(foldLetters(words[at] as string))
    at = isSpelled ? end : at + 1
  }
  const whole = namesOnly(lettersOf(joined.join(' ')))
  return whole ?? joined.filter(Boolean)
}

/** This many single letters in a row are a word with spaces between its letters, not initials. */
const SPELLED_LETTERS_MIN = 3
/** Shorter names occur by chance in other words. */
const WITHIN_LENGTH_MIN = 4

/** A word with spaces between its letters may go on with the next word: S E V A S T O P O L U A. */
function namesWithin(letters: string): string[] {
  const words: string[] = []
  let rest = ''
  for (let at = 0; at < letters.length; ) {
    const name = nameAt(letters, at, WITHIN_LENGTH_MIN)
    if (name === undefined) rest += letters.charAt(at)
    else words.push(rest, name)
    if (name !== undefined) rest = ''
    at += name === undefined ? 1 : lettersOf(name).length
  }
  return [...words, rest].filter(Boolean)
}

/** The names of which a part consists without its spaces, as BANDARABBAS or TEHRANIRAN; undefined if it says more. */
function namesOnly(letters: string): string[] | undefined {
  const names: string[] = []
  for (let at = 0; at < letters.length; ) {
    const name = nameAt(letters, at, 0)
    if (name === undefined) return undefined
    names.push(name)
    at += lettersOf(name).length
  }
  return names
}

/** The longest name that begins at a letter. */
function nameAt(letters: string, at: number, lengthMin: number): string | undefined {
  for (const length of lengths) {
    if (length < lengthMin || at + length > letters.length) continue
    const name = nameOfLetters.get(letters.slice(at, at + length))
    if (name !== undefined) return name
  }
  return undefined
}

function lettersOf(name: string): string {
  return name.replaceAll(' ', '')
}

function placesIn(text: string): ReadonlySet<SanctionedPlace> {
  const words = text.split(' ')
  const places = new Set<SanctionedPlace>()
  for (let at = 0; at < words.length; at++) {
    for (let end = at + 1; end <= Math.min(at + wordsMax, words.length); end++) {
      for (const place of placesOfName.get(words.slice(at, end).join(' ')) ?? []) places.add(place)
    }
  }
  return places
}

interface Read {
  readonly cities: readonly Reading[]
  readonly streetParts: readonly Reading[]
}

function nameIn({ place, names, namesakes }: FoldedPlace, country: string, read: Read): string | undefined {
  const shared = namesakes.get(country)
  const unshared = names.filter((name) => !shared?.has(name))
  const cities = read.cities.filter(({ places }) => places.has(place))
  for (const { text } of cities) {
    const alone = unshared.find((name) => text.includes(` ${name} `))
    if (alone !== undefined) return alone
    // A shared town name with the country beside it identifies the sanctioned place.
    const together = takeNames(text, names).taken
    if (together.length > 1) return together.join(' ')
  }
  // A street may be named after a town; a part of the street that consists of such names alone is the town.
  const parts = read.streetParts.filter(({ places }) => places.has(place))
  return parts.find(({ text }) => takeNames(text, unshared).rest.trim() === '')?.text.trim()
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
