/**
 * The rules on the owners of an account: marital status, state and age, and whether the account may pass to
 * beneficiaries.
 */
import { ageOn } from '../age.ts'
import { registrationOf } from '../registration.ts'
import { custodialAgeOf } from './custodial-ages.ts'
import type { Judged } from './judge-account.ts'
import { ownersIn, residenceOf, stateOf } from './parties.ts'

export function judgeOwners(judged: Judged): void {
  judgeKind(judged)
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
    const field = `${path}.maritalStatus`
    if (!party.maritalStatus) {
      report(
        'MaritalStatusKnown',
        field,
        `The owners of a registration ${registration} are spouses; the status is not known.`,
      )
    } else if (party.maritalStatus !== 'Married') {
      report(
        'OwnersMarried',
        field,
        `The owners of a registration ${registration} are married to each other.`,
      )
    }
  }
}

/** The owner's state must have the registration. An absent state is reported by the check of the address. */
function judgeResidence({ record, registration, report }: Judged): void {
  const states: readonly string[] = registrationOf(registration)?.residentStates ?? []
  if (states.length === 0) return
  const residence = residenceOf(record.primaryOwner, record)
  if (!residence.country || (residence.country === 'US' && !residence.stateProvince)) return
  const state = stateOf(residence)
  if (state === undefined || !states.includes(state)) {
    report(
      'OwnersResidence',
      'registrationType',
      `A registration ${registration} is for residents of ${states.join(', ')}.`,
    )
  }
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
