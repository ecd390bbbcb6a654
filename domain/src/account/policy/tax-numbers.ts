/** Ranges of taxpayer identification numbers, and published numbers that no applicant can have. */

/**
 * Numbers printed in advertisements and forms. The Social Security Administration voided the first two; the others are
 * known from illustrations and examples.
 */
const published: ReadonlySet<string> = new Set([
  '078051120',
  '219099999',
  '457555462',
  '123456789',
  '111223333',
])

/** The ten numbers 987-65-4320 to 987-65-4329, which the Social Security Administration reserved for advertisements. */
const reservedForAdvertisements = '98765432'

/** Whether the number was published. */
export function isPublishedNumber(number: string): boolean {
  return published.has(number) || number.startsWith(reservedForAdvertisements)
}

/** Fourth and fifth digit of an ITIN, from and to (Internal Revenue Service, IRM 3.21.263). */
const itinGroups: readonly (readonly [from: number, to: number])[] = [
  [50, 65],
  [70, 88],
  [90, 92],
  [94, 99],
]

/** Whether a number of nine digits is in the range of individual taxpayer identification numbers. */
export function isItin(number: string): boolean {
  const group = Number(number.slice(3, 5))
  return number.startsWith('9') && itinGroups.some(([from, to]) => group >= from && group <= to)
}

/**
 * Prefixes that no campus, the internet service or the Small Business Administration assigns (Internal Revenue Service,
 * valid EIN prefixes).
 */
const unassignedPrefixes: ReadonlySet<string> = new Set([
  '00',
  '07',
  '08',
  '09',
  '17',
  '18',
  '19',
  '28',
  '29',
  '49',
  '69',
  '70',
  '78',
  '79',
  '89',
  '96',
  '97',
])

/** Whether the Internal Revenue Service has assigned the prefix of an employer identification number. */
export function isAssignedEin(number: string): boolean {
  return !unassignedPrefixes.has(number.slice(0, 2))
}
