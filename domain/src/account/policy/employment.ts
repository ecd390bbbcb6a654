/** What is not known about the employment of the owners (FINRA Rule 4512(a)(2)). */
import type { AccountRecord } from '../record.ts'
import { isPerson, ownersIn, type PlacedParty } from './parties.ts'

/** Occupations of people who do not work for an employer. */
const withoutEmployer: ReadonlySet<string> = new Set([
  'Retired',
  'Student',
  'Homemaker',
  'Unemployed',
  'SelfEmployed',
])

export interface UnknownEmployment extends PlacedParty {
  readonly lacks: 'occupation' | 'employerName'
  readonly reason: string
}

/** Of owners of any age: minors are asked when they come of age. */
export function unknownEmploymentOf(record: AccountRecord): UnknownEmployment[] {
  if (record.registrationType.startsWith('Custodial')) return []
  return ownersIn(record).flatMap((placed): UnknownEmployment[] => {
    const { occupation, employerName } = placed.party
    if (!isPerson(placed.party)) return []
    if (!occupation)
      return [{ ...placed, lacks: 'occupation', reason: 'The occupation of the owner is not known.' }]
    return withoutEmployer.has(occupation) || employerName
      ? []
      : [{ ...placed, lacks: 'employerName', reason: 'The employer of the owner is not known.' }]
  })
}
