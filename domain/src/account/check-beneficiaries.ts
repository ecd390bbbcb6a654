/** The rules of the beneficiaries of an account (Reading 3.6). */
import { checkAddress } from '@clearing/protocol/values'
import { decimal, renderDecimal, sum } from '../decimal.ts'
import { isBlank } from './blank.ts'
import { beneficiaryField, type Placed } from './canonical-request.ts'
import { fullName } from './name.ts'
import { readPercentage } from './percentage.ts'
import { isSamePerson } from './policy/parties.ts'
import type { Beneficiary, Party } from './record.ts'
import type { Findings, RuleSettings } from './rule-scope.ts'
import { whyNoTaxId } from './tax-id.ts'

const whole = decimal('100')
const letterOrDigit = /[\p{L}\p{Nd}]/u

export function checkBeneficiaries(
  beneficiaries: readonly Placed<Beneficiary>[],
  owners: readonly Party[],
  settings: RuleSettings,
  findings: Findings,
): void {
  for (const { value, path } of beneficiaries) checkBeneficiary(value, path, settings, findings)
  checkRepeats(beneficiaries, owners, findings)
  checkPercentages(beneficiaries, findings)
}

function checkBeneficiary(
  beneficiary: Beneficiary,
  path: string,
  settings: RuleSettings,
  findings: Findings,
): void {
  const field = (attribute: keyof Beneficiary) => beneficiaryField(path, attribute)
  if (!beneficiary.firstName && !beneficiary.lastName) {
    findings.add('ERR.1000', field('firstName'), 'The name of the beneficiary is required.')
  } else if (!letterOrDigit.test(fullName(beneficiary))) {
    findings.add(
      'ERR.1016',
      field('firstName'),
      'The name of the beneficiary must contain a letter or a digit.',
    )
  }
  const percent = readPercentage(beneficiary.percentageAllocation)
  if (percent === undefined) {
    findings.add('ERR.1000', field('percentageAllocation'), 'The percentage of the beneficiary is required.')
  } else if (percent <= 0n) {
    findings.add('ERR.1015', field('percentageAllocation'), 'The percentage must be above 0.')
  }
  if (beneficiary.birthDate && beneficiary.birthDate > settings.today) {
    findings.add('ERR.1012', field('birthDate'), 'Birth date must not be in the future.')
  }
  if (beneficiary.taxIdNumber) {
    const why = whyNoTaxId(beneficiary.taxIdType ?? 'TaxId', beneficiary.taxIdNumber, {
      magicValues: settings.magicTaxIds,
    })
    if (why) findings.add('ERR.1016', field('taxIdNumber'), `Tax id number cannot be right: ${why}.`)
  }
  if (beneficiary.address && !isBlank(beneficiary.address)) {
    for (const found of checkAddress(beneficiary.address, field('address'))) {
      findings.add(found.code, found.field, found.reason)
    }
  }
}

function checkRepeats(
  beneficiaries: readonly Placed<Beneficiary>[],
  owners: readonly Party[],
  findings: Findings,
): void {
  const isKnown = ({ taxIdNumber, birthDate }: Beneficiary) => Boolean(taxIdNumber || birthDate)
  for (const [index, { value, path }] of beneficiaries.entries()) {
    if (!isKnown(value)) continue
    if (owners.some((owner) => isSamePerson(value, owner))) {
      const field = beneficiaryField(path, value.taxIdNumber ? 'taxIdNumber' : 'firstName')
      findings.add('ERR.1014', field, 'The owner cannot be a beneficiary of the same account.')
    }
    const isRepeat = beneficiaries
      .slice(0, index)
      .some(
        ({ value: other }) =>
          other.primaryContingent === value.primaryContingent && isKnown(other) && isSamePerson(value, other),
      )
    if (isRepeat) {
      const field = beneficiaryField(path, value.taxIdNumber ? 'taxIdNumber' : 'firstName')
      const rank = value.primaryContingent?.toLowerCase() ?? 'primary'
      const reason = value.taxIdNumber
        ? `Another ${rank} beneficiary has this tax id. Give each person once, with the person's own tax id.`
        : `Another ${rank} beneficiary has this name and birth date. Give each person once.`
      findings.add('ERR.1014', field, reason)
    }
  }
}

const sharing = ['percentageAllocation', 'percentAllocation', 'primaryContingent']

/**
 * Primary beneficiaries' percentages sum to 100.00, contingent ones too when present. In an update, the error names the
 * list of the request.
 */
function checkPercentages(beneficiaries: readonly Placed<Beneficiary>[], findings: Findings): void {
  // A share or a rank that cannot be read may complete the sum.
  const list = listOf(beneficiaries)
  if (findings.hasRefusedItem(list, sharing)) return
  // An item that cannot be read may be the one of the record that the request seems not to name.
  if (beneficiaries.some(({ unnamed }) => unnamed) && findings.wasRefused(list)) return
  for (const kind of ['Primary', 'Contingent'] as const) {
    const group = beneficiaries.filter(({ value }) => (value.primaryContingent ?? 'Primary') === kind)
    if (group.length === 0) {
      if (kind === 'Primary' && beneficiaries.length > 0) {
        findings.add('ERR.1015', listOf(beneficiaries), 'At least one beneficiary must be Primary.')
      }
      continue
    }
    const percents = group.flatMap(({ value }) => readPercentage(value.percentageAllocation) ?? [])
    if (percents.length < group.length) continue
    const total = sum(percents)
    if (total !== whole) {
      findings.add(
        'ERR.1015',
        listOf(group.some(isGiven) ? group : beneficiaries),
        `The percentages of the ${kind.toLowerCase()} beneficiaries must sum to 100.00; they sum to ${renderDecimal(total, 2)}.`,
      )
    }
  }
}

function isGiven({ unnamed }: Placed<Beneficiary>): boolean {
  return !unnamed
}

/** The list in which the request has beneficiaries, otherwise that of the record; empty if there are none. */
export function listOf(beneficiaries: readonly Placed<Beneficiary>[]): string {
  const { path } = beneficiaries.find(isGiven) ?? beneficiaries[0] ?? { path: '' }
  return path.slice(0, path.indexOf('['))
}
