/**
 * Addresses that name no place: mail that is kept at a post office or by a private receiver, and words in place of an
 * address (31 CFR 1023.220(a)(2)(i)(A)(3)).
 */
import type { StreetAddress } from './street-address.ts'

/** Words that name no place beside other words, too. */
const anywhere =
  /\b(?:GENERAL DELIVERY|POSTE RESTANTE|LISTA DE CORREOS|TO BE (?:DETERMINED|PROVIDED|ADVISED|CONFIRMED)|TBD|UNKNOWN(?! (?:SOLDIERS?|WARRIORS?|SAILORS?)\b)|NO (?:FIXED|PERMANENT) (?:ADDRESS|ABODE)|HOMELESS)\b/
/** A box at a commercial mail receiving agency, and the large ones (Domestic Mail Manual 508.1.8). */
const mailReceiver =
  /\bP\.?M\.?B\.?\s*#?\s*\d|\bPRIVATE MAIL ?BOX\b|\bUPS STORE\b(?! (?:ROAD|RD|LANE|LN|STREET|ST)\b)|\bMAIL ?BOXES ETC\b/
/** Words that stand in place of a whole street. */
const inPlaceOfStreet =
  /^(?:ON FILE|SEE (?:ABOVE|BELOW|FILE|ATTACHED|MAILING(?: ADDRESS)?)|(?:THE )?SAME(?: AS .+| ADDRESS)?|AS ABOVE|DITTO|TRANSIENT|(?:IN )?(?:PRISON|JAIL)|INCARCERATED|PENDING|TO FOLLOW|TBA|TBC|N A|NA|NONE|NIL|NULL|NOT (?:APPLICABLE|AVAILABLE|GIVEN|KNOWN|PROVIDED|ON FILE)|NO (?:STREET )?ADDRESS|NO STREET|HOLD MAIL|WILL CALL|VARIOUS|CONFIDENTIAL|WITHHELD|REFUSED|UNDISCLOSED|(?:HOME |STREET |MAILING |LEGAL )?ADDRESS|X+)$/
/** Words that stand in place of a city. */
const inPlaceOfCity =
  /^(?:UNKNOWN|TBD|TBA|TBC|TO BE (?:DETERMINED|PROVIDED|ADVISED|CONFIRMED)|GENERAL DELIVERY|POSTE RESTANTE|LISTA DE CORREOS|ON FILE|SEE ABOVE|SAME(?: AS .+)?|AS ABOVE|TRANSIENT|HOMELESS|PENDING|N A|NONE|NULL|NOT (?:APPLICABLE|AVAILABLE|GIVEN|KNOWN|PROVIDED|ON FILE)|NO (?:FIXED|PERMANENT) (?:ADDRESS|ABODE)|XX+)$/
/** Cities with such a name, by country. */
const cities: Readonly<Record<string, readonly string[]>> = {
  NONE: ['IT'],
  PENDING: ['MY'],
  SAME: ['TL', 'TZ'],
}
/** Countries in which a number alone is no address: a house is on a street with a name, a letter or a direction. */
const withStreets = ['US', 'CA']

export function namesNoPlace({ street = '', city = '', country = '' }: StreetAddress): boolean {
  const text = street.toUpperCase()
  if (anywhere.test(text) || mailReceiver.test(text) || inPlaceOfStreet.test(wordsOf(text))) return true
  if (text !== '' && withStreets.includes(country) && !/\p{L}/u.test(text)) return true
  const town = wordsOf(city.toUpperCase())
  return inPlaceOfCity.test(town) && !cities[town]?.includes(country)
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}
