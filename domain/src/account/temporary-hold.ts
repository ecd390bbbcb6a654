/**
 * Temporary holds for suspected financial exploitation of a specified adult, under FINRA Rule 2165 as amended on March
 * 17, 2022 (87 FR 4974; Regulatory Notice 22-05). The periods count business days after the day of the placement, and
 * a hold is in force until the end of its last day.
 */
import type { CodeOf } from '@clearing/protocol'
import { addMarketDays, previousMarketDay } from '../market/calendar/settlement.ts'
import { adultAgeYears, ageOn } from './age.ts'
import { isPerson, ownersIn, partiesOf, roleOf } from './policy/parties.ts'
import { actingRoles } from './policy/registration-roles.ts'
import type { AccountRecord } from './record.ts'

/** The code of the restriction that a hold is. */
export const temporaryHoldCode = 'ProtectedAdult' satisfies CodeOf<'restrictionCode'>

export type HoldGround = CodeOf<'holdGround'>
export type HoldStep = CodeOf<'holdStep'>

export interface HoldPeriod {
  /** The step that adds it. */
  readonly begins: 'Placed' | Extract<HoldStep, 'Extended' | 'Reported'>
  /** Business days after the placement, or after the end of the period before. */
  readonly days: number
  readonly condition: string
  readonly source: string
}

/** The periods, in their order. */
export const holdPeriods: readonly HoldPeriod[] = [
  {
    begins: 'Placed',
    days: 15,
    condition: 'The firm reasonably believes that a specified adult is exploited, and reviews the facts',
    source: 'FINRA Rule 2165(b)(2), since February 5, 2018 (Regulatory Notice 17-11)',
  },
  {
    begins: 'Extended',
    days: 10,
    condition: 'The internal review supports the belief',
    source: 'FINRA Rule 2165(b)(3), since February 5, 2018 (Regulatory Notice 17-11)',
  },
  {
    begins: 'Reported',
    days: 30,
    condition:
      'The internal review supports the belief, and the matter was reported to a state regulator or agency or a court of competent jurisdiction',
    source: 'FINRA Rule 2165(b)(4), since March 17, 2022 (Regulatory Notice 22-05)',
  },
]

/** The trusted contact and the parties are notified within this many business days (FINRA Rule 2165(b)(1)(B)). */
const noticeDays = 2
/** FINRA Rule 2165(a)(1)(A). */
const specifiedAgeYears = 65

/** The last day on which a hold is in force, after the steps that extend it. */
function lastDayAfter(placedOn: string, steps: readonly HoldStep[]): string {
  return holdPeriods
    .filter(({ begins }) => begins === 'Placed' || steps.includes(begins))
    .reduce((day, { days }) => addMarketDays(day, days), placedOn)
}

export function firstPeriodOf(placedOn: string): { readonly expiresOn: string; readonly notifyBy: string } {
  return { expiresOn: lastDayAfter(placedOn, []), notifyBy: addMarketDays(placedOn, noticeDays) }
}

/** The inbox shows the end of a hold from the second business day before it. */
export function remindOn(expiresOn: string): string {
  return previousMarketDay(previousMarketDay(expiresOn))
}

export interface Hold {
  readonly placedOn: string
  readonly expiresOn: string
  /** The steps that were recorded. */
  readonly steps: readonly HoldStep[]
  readonly inForce: boolean
}

/**
 * The last day of the hold after a step, or why the step is not possible. A notice changes no day, and can be recorded
 * after the end too. `until` is the day that an order sets.
 */
export function stepOfHold(
  { placedOn, expiresOn, steps, inForce }: Hold,
  step: HoldStep,
  { today, until }: { readonly today: string; readonly until: string | undefined },
): { readonly expiresOn: string } | { readonly refused: string } {
  if (step === 'Notified') return { expiresOn }
  if (!inForce) return { refused: 'The hold has ended.' }
  if (today > expiresOn) return { refused: `The hold expired at the end of ${expiresOn}.` }
  if (step === 'Ordered') {
    return until === undefined || until < today
      ? { refused: `The order sets a day from ${today} on.` }
      : { expiresOn: until }
  }
  if (steps.includes('Ordered')) return { refused: 'A state agency or a court has set the end of the hold.' }
  if (steps.includes(step)) return { refused: 'The hold has this extension already.' }
  const extendedTo = lastDayAfter(placedOn, ['Extended'])
  // The 10 days can be over if a process of an earlier release placed the hold without its days.
  if (step === 'Reported' && !steps.includes('Extended') && extendedTo > expiresOn) {
    return {
      refused:
        'The 30 business days follow those of FINRA Rule 2165(b)(3): record the step Extended first, if the internal review supports the belief.',
    }
  }
  const found = step === 'Reported' ? lastDayAfter(placedOn, ['Extended', step]) : extendedTo
  if (found > expiresOn) return { expiresOn: found }
  return {
    refused: `The hold was placed on ${placedOn}: this extension ended on ${found}, and the hold ends on ${expiresOn}. ${
      step === 'Extended' ? 'Record Reported if the matter was reported, or ' : 'Record '
    }Ordered with the day of an order.`,
  }
}

/**
 * The ground on which a person with authority over the account is a specified adult, or why no person is. Without a
 * stated ground, the age is the ground. An account of an entity or a trust is covered if such a person acts for it
 * (FINRA Rule 2165(a)(2)).
 */
export function groundOfHold(
  record: AccountRecord,
  stated: string | undefined,
  today: string,
): { readonly ground: HoldGround } | { readonly refused: string } {
  const persons = personsWithAuthority(record)
  if (persons.length === 0) {
    return {
      refused:
        'FINRA Rule 2165 protects natural persons, and no natural person has authority over the account. Place another restriction, such as SuspectedFraud.',
    }
  }
  const isAged = (years: number) =>
    persons.some(({ birthDate }) => birthDate !== undefined && ageOn(birthDate, today) >= years)
  if (stated === 'Impairment') {
    return isAged(adultAgeYears)
      ? { ground: stated }
      : { refused: `No person with authority over the account is ${adultAgeYears} or older.` }
  }
  return isAged(specifiedAgeYears)
    ? { ground: 'Age65' }
    : {
        refused: `No person with authority over the account is ${specifiedAgeYears} or older. State holdGround Impairment, and the facts in reason, if an adult has an impairment.`,
      }
}

/** Natural persons who own the account or act for it. A successor acts only if the party has trading authority. */
function personsWithAuthority(record: AccountRecord) {
  const owners = new Set(ownersIn(record).map(({ path }) => path))
  return partiesOf(record).flatMap(({ party, path }) => {
    if (!isPerson(party)) return []
    const role = roleOf(party, record) ?? ''
    const trades = party.tradingAuthority === 'Full' || party.tradingAuthority === 'Limited'
    const acts = actingRoles.has(role) && role !== 'Secondary' && !role.startsWith('Successor')
    return owners.has(path) || trades || acts ? [party] : []
  })
}
