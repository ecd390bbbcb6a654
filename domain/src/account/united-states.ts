/**
 * The United States with its territories, which ISO 3166 lists as countries of their own (31 CFR 1010.100(hhh)).
 * Persons born in them are citizens (8 USC 1402, 1406 and 1407; 48 USC 1801), or nationals in American Samoa (8 USC
 * 1101(a)(29) and 1408). No such person is an alien (8 USC 1101(a)(3)).
 */
import type { Address, Party } from './record.ts'

const territories: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'UM', 'VI'])

/** Whether a country code is that of the United States or of one of its territories. */
export function isUnitedStates(country: string): boolean {
  return country === 'US' || territories.has(country)
}

/** Whether the party is a citizen of another country; false if the citizenship is not known. */
export function isForeignCitizen({ citizenshipCountry }: Party): boolean {
  return citizenshipCountry !== undefined && !isUnitedStates(citizenshipCountry)
}

/** Whether an address is in a State or the District of Columbia, as the tax law counts (26 USC 7701(a)(9)). */
export function isInStates({ country, stateProvince = '' }: Address): boolean {
  return country === 'US' && !territories.has(stateProvince)
}

/** The state or territory, by either of the two codes of a territory; undefined abroad. */
export function stateOf({ country, stateProvince }: Address): string | undefined {
  if (country === 'US') return stateProvince
  return country !== undefined && territories.has(country) ? country : undefined
}
