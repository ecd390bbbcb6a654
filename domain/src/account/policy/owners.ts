/**
 * The rules on the owners of an account: marital status, state and age, and whether the account may pass to
 * beneficiaries.
 */
import { ageOn } from '../age.ts'
import { fullName } from '../name.ts'
import type { AccountRecord } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { stateOf } from '../united-states.ts'
import { custodialAgeOf } from './custodial-ages.ts'
import type { Judged } from './judge-account.ts'
import { isPerson, ownersIn, type PlacedParty, residenceOf } from './parties.ts'
import { registrationRuleOf } from './registration-roles.ts'

export function judgeOwners(judged: Judged): void {
  judgeKind(judged)
  judgeNamesakes(judged)
  judgeMarriage(judged)
  judgeResidence(judged)
  judgeMinor(judged)
  judgeBeneficiaries(judged)
}

function judgeKind({ record, registration, report }: Judged): void {
  const nameType = registrationOf(registration)?.ownerNameType
  if (record.primaryOwner.nameType === nameType) return
  const reason = `The primary owner of a registration ${registration} has the name type ${nameType}.`
  report('OwnerKind', 'primaryOwner.nameType', reason)
}

/** One person with two numbers, of which one is false; or two persons, which operations can find out. */
function judgeNamesakes({ record, facts, report }: Judged): void {
  const hasNumber = ({ party }: PlacedParty) =>
    Boolean(party.taxIdNumber) && !facts.magicTaxIds.has(party.taxIdNumber ?? '')
  const owners = ownersIn(record).filter((placed) => isPerson(placed.party) && hasNumber(placed))
  owners.forEach(({ party, path }, at) => {
    const isNamesake = ({ party: other }: PlacedParty) =>
      Boolean(party.birthDate) &&
      other.birthDate === party.birthDate &&
      fullName(other) === fullName(party) &&
      other.taxIdNumber !== party.taxIdNumber
    if (!owners.slice(0, at).some(isNamesake)) return
    const reason = 'Two owners have the same name and birth date, and different tax ids.'
    report('OwnerWithTwoNumbers', `${path}.taxIdNumber`, reason)
  })
}

/** The lists in which an application may name beneficiaries. */
const beneficiaryLists = ['beneficiaries', 'transferOfDeathBeneficiaries', 'retirementBenes']

function judgeBeneficiaries({ record, registration, rule, facts, report }: Judged): void {
  if (record.beneficiaries.length > 0) {
    if (rule.beneficiaries) return
    const reason = `An account of the registration ${registration} does not pass to beneficiaries on death.`
    report('BeneficiariesAllowed', 'beneficiaries', reason)
  } else if (registrationOf(registration)?.needsBeneficiary && !beneficiaryLists.some(facts.wasRefused)) {
    report('BeneficiariesNamed', 'retirementBenes', `A registration ${registration} needs beneficiaries.`)
  }
}

function judgeMarriage({ record, registration, rule, report }: Judged): void {
  if (!rule.spousesOnly) return
  for (const { party, path } of ownersIn(record)) {
    if (party.maritalStatus) continue
    const reason = `The owners of a registration ${registration} are spouses; the status is not known.`
    report('MaritalStatusKnown', `${path}.maritalStatus`, reason)
  }
  for (const { field, reason } of findUnmarried(record)) report('OwnersMarried', field, reason)
}

/**
 * States whose statutes know the tenancy by the entirety for land, or no longer create it (the sources are those of the
 * rule). Brokers do not offer the registration there, but no statute voids it: the account opens with a note.
 */
const statesOfLand: ReadonlySet<string> = new Set(['IL', 'IN', 'NC', 'NY', 'OR'])
const statesWithoutNew: ReadonlySet<string> = new Set(['OH'])

function whyNotOfSecurities(state: string): string | undefined {
  if (statesOfLand.has(state))
    return `The law of ${state} has the tenancy by the entirety for land; it may not protect securities.`
  if (statesWithoutNew.has(state))
    return `The law of ${state} has created no tenancy by the entirety since April 4, 1985; the owners may be joint tenants only.`
  return undefined
}

function judgeResidence({ record, registration, report }: Judged): void {
  // An absent legal address is reported as such: it may be in another state than the mailing address.
  if (record.primaryOwner.legalAddress === undefined) return
  const why = whyNotResident(record)
  if (why !== undefined) report('OwnersResidence', 'registrationType', why)
  if (registration !== 'JointTBE') return
  const note = whyNotOfSecurities(stateOf(residenceOf(record.primaryOwner, record)) ?? '')
  if (note !== undefined) report('EntiretyOfSecurities', 'registrationType', note)
}

/** The owners of a registration for spouses who are not married, by the field that states it. */
export function findUnmarried(record: AccountRecord): { readonly field: string; readonly reason: string }[] {
  const registration = registrationOf(record.registrationType)?.value
  if (registration === undefined || !registrationRuleOf(registration).spousesOnly) return []
  const reason = `The owners of a registration ${registration} are married to each other.`
  return ownersIn(record).flatMap(({ party, path }) =>
    party.maritalStatus && party.maritalStatus !== 'Married'
      ? [{ field: `${path}.maritalStatus`, reason }]
      : [],
  )
}

/**
 * Why the owner's state does not have the registration; undefined if it has. An absent state is reported by the check
 * of the address.
 */
export function whyNotResident(record: AccountRecord): string | undefined {
  const type = registrationOf(record.registrationType)
  const states: readonly string[] = type?.residentStates ?? []
  if (type === undefined || states.length === 0) return undefined
  const residence = residenceOf(record.primaryOwner, record)
  if (!residence.country || (residence.country === 'US' && !residence.stateProvince)) return undefined
  const state = stateOf(residence)
  if (state !== undefined && states.includes(state)) return undefined
  return `A registration ${type.value} is for residents of ${states.join(', ')}.`
}

function judgeMinor({ record, registration, facts, report }: Judged): void {
  if (registration !== 'CustodialUgma' && registration !== 'CustodialUtma') return
  const { birthDate } = record.primaryOwner
  if (birthDate === undefined) return
  const act = registration === 'CustodialUgma' ? 'UGMA' : 'UTMA'
  const state = stateOf(facts.residenceAtTransfer ?? residenceOf(record.primaryOwner, record))
  const { age, latest } = custodialAgeOf(act, state)
  const years = ageOn(birthDate, facts.today)
  const where = state === undefined ? '' : ` in ${state}`
  const field = 'primaryOwner.birthDate'
  if (years >= latest) {
    report('CustodialMinor', field, `The owner of a ${act} account${where} must be under ${latest}.`)
  } else if (years >= age) {
    const reason = `A ${act} custodianship${where} ends at ${age} unless the transfer names a later age, ${latest} at most.`
    report('CustodialAgeChosen', field, reason)
  }
}
