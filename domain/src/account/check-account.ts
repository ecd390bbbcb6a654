/**
 * The rules of a whole account record: the blocks that every account has, the rules of its persons, and what the policy
 * of the account refuses (Reading 3.3 to 3.6). Applied to an application and to the record that results from an update.
 */
import { checkAddress, limits, type Rejection } from '@clearing/protocol/values'
import { ownersOf } from './account-title.ts'
import type { Placed } from './canonical-request.ts'
import { checkBeneficiaries, listOf } from './check-beneficiaries.ts'
import { checkIssuedAfterBirth, checkParty } from './check-party.ts'
import { judgeAccount } from './policy/judge-account.ts'
import { partiesOf } from './policy/parties.ts'
import type { AccountRecord, Beneficiary, Party } from './record.ts'
import { registrationOf } from './registration.ts'
import { Findings, type RuleSettings } from './rule-scope.ts'

/** All rejections of a record, each with the path that the caller used. */
export function checkAccount(
  record: AccountRecord,
  beneficiaries: readonly Placed<Beneficiary>[],
  settings: RuleSettings,
): Rejection[] {
  const findings = new Findings(settings.refusedPaths)
  checkBlocks(record, findings)
  checkLengths(record, beneficiaries, findings)
  checkParty(record.primaryOwner, 'primaryOwner', record.registrationType, settings, findings)
  record.associatedParties.forEach((party, index) => {
    checkParty(party, `associatedParties[${index}]`, record.registrationType, settings, findings)
  })
  checkRepeatedCustomerIds(record, beneficiaries, findings)
  checkBeneficiaries(beneficiaries, ownersOfRecord(record), settings, findings)
  checkLargeTraders(record, findings)
  checkPolicy(record, beneficiaries, settings, findings)
  for (const { party, path } of partiesOf(record)) checkIssuedAfterBirth(party, path, findings)
  return findings.rejections
}

/** The owners; the primary owner alone if the registration type is unknown. */
function ownersOfRecord(record: AccountRecord): Party[] {
  const type = registrationOf(record.registrationType)
  return type === undefined ? [record.primaryOwner] : ownersOf(record, type)
}

/** The rejections of account policy. */
function checkPolicy(
  record: AccountRecord,
  beneficiaries: readonly Placed<Beneficiary>[],
  settings: RuleSettings,
  findings: Findings,
): void {
  const found = judgeAccount(record, {
    moment: settings.moment ?? 'opening',
    today: settings.today,
    // The sandbox is milder for reviews, and never for refusals.
    sandbox: false,
    magicTaxIds: settings.magicTaxIds,
    residenceAtTransfer: settings.residenceAtTransfer,
    wasRefused: (path) => findings.wasRefused(path),
    isUnknown: (path) => findings.isUnknown(path),
  })
  for (const { rule, code, field, reason } of found) {
    const place = field === 'beneficiaries' && beneficiaries.length > 0 ? listOf(beneficiaries) : field
    if (code !== '') findings.add(code, place, reason, rule)
  }
}

function checkBlocks(record: AccountRecord, findings: Findings): void {
  if (!record.main.repCode) findings.add('ERR.1000', 'main.repCode', 'Rep code is required.')
  for (const found of checkAddress(record.mailingAddress, 'mailingAddress')) {
    findings.add(found.code, found.field, found.reason)
  }
  const { email, ...flags } = record.electronicDelivery
  if (!email && !record.primaryOwner.email && Object.values(flags).includes('True')) {
    findings.add(
      'ERR.1000',
      'electronicDelivery.email',
      'An e-mail address is required for electronic delivery.',
    )
  }
}

/** A list that grows by updates stays within the limit of a request, so that the record can be sent back whole. */
function checkLengths(
  record: AccountRecord,
  beneficiaries: readonly Placed<Beneficiary>[],
  findings: Findings,
): void {
  const check = (list: string, items: readonly unknown[]) => {
    if (items.length <= limits.arrayItemsMax) return
    const reason = `The list must have at most ${limits.arrayItemsMax} items; got ${items.length}.`
    findings.add('ERR.1015', list, reason)
  }
  check('associatedParties', record.associatedParties)
  check(listOf(beneficiaries), beneficiaries)
  check('largeTraders', record.largeTraders)
}

/** A customer id is unique among the parties and beneficiaries of an account. */
function checkRepeatedCustomerIds(
  record: AccountRecord,
  beneficiaries: readonly Placed<Beneficiary>[],
  findings: Findings,
): void {
  const seen = new Set([record.primaryOwner.customerId])
  const check = (customerId: string | undefined, path: string) => {
    if (customerId && seen.has(customerId)) {
      const reason = 'Another party or beneficiary of this account has this customer id.'
      findings.add('ERR.1014', `${path}.customerId`, reason)
    }
    seen.add(customerId)
  }
  record.associatedParties.forEach(({ customerId }, index) => {
    check(customerId, `associatedParties[${index}]`)
  })
  for (const { value, path } of beneficiaries) check(value.customerId, path)
}

const largeTraderId = /^(\d{8}-\d{4}|ULT.*)$/

function checkLargeTraders(record: AccountRecord, findings: Findings): void {
  const seen = new Set<string>()
  record.largeTraders.forEach((trader, index) => {
    const path = `largeTraders[${index}]`
    if (!trader.largeTraderId) {
      findings.add('ERR.1000', `${path}.largeTraderId`, 'Large trader id is required.')
    } else if (!largeTraderId.test(trader.largeTraderId)) {
      findings.add(
        'ERR.1016',
        `${path}.largeTraderId`,
        'Large trader id has the form 99999999-9999, or begins with ULT.',
      )
    } else if (seen.has(trader.largeTraderId)) {
      findings.add('ERR.1014', `${path}.largeTraderId`, 'The same large trader is given twice.')
    } else {
      seen.add(trader.largeTraderId)
    }
    if (trader.effectiveDate && trader.endDate && trader.endDate < trader.effectiveDate) {
      findings.add('ERR.1025', `${path}.endDate`, 'The end date must not be before the effective date.')
    }
  })
}
