/**
 * The rules of update-account: the submitted blocks are merged into the record, attribute by attribute, and nothing
 * else changes. A deletion is refused with ERR.1020, and a change of a fixed attribute with ERR.1021 (Specification,
 * update-account, rules 1 and 2; Reading 3.9). The result has all of the changes or none.
 */
import type { Request } from '@clearing/protocol'
import { type Rejection, reject } from '@clearing/protocol/values'
import { isAnotherPerson } from './another-person.ts'
import { isBlank } from './blank.ts'
import { canonicalRequest, type Placed } from './canonical-request.ts'
import { checkAccount } from './check-account.ts'
import { fixedOf, fixedOfMain } from './fixed-fields.ts'
import { type FieldChange, Merge } from './merge-blocks.ts'
import { mergeBeneficiaries, mergeLargeTraders, placedBeneficiaries } from './merge-lists.ts'
import { completed, mergeParties } from './merge-parties.ts'
import type { MergedItems } from './merged-items.ts'
import { ownersIn, partiesOf, residenceOf } from './policy/parties.ts'
import type { AccountRecord, Beneficiary, LargeTrader, Party } from './record.ts'
import { registrationOf } from './registration.ts'
import { Findings, type RuleSettings } from './rule-scope.ts'

/** Fields beside the blocks of the record: the service composes or stores them, and no caller sets them. */
export interface ComposedFields {
  readonly accountStatus: string
  readonly accountName: string
  readonly mailingAddressString: string
}

export type Amendment =
  | { readonly amended: AccountRecord; readonly changes: readonly FieldChange[] }
  | { readonly rejections: readonly Rejection[]; readonly changes: readonly FieldChange[] }

/**
 * Returns the amended record with its changed fields, or all rejections of the request. Equal values are no
 * change.
 */
export function amendAccount(
  record: AccountRecord,
  composed: ComposedFields,
  request: Partial<Request<'update-account'>>,
  settings: RuleSettings & { nextCustomerId: () => string },
): Amendment {
  const merge = new Merge()
  const canonical = canonicalRequest(request)
  merge.rejections.push(...canonical.rejections)
  for (const [name, before] of [
    ['accountStatus', composed.accountStatus],
    ['accountName', composed.accountName],
    ['mailingAddressString', composed.mailingAddressString],
    ['registrationType', record.registrationType],
    ['entityNumber', record.entityNumber],
  ] as const) {
    merge.fixedValue(name, before, request[name])
  }
  for (const [name, before] of [
    ['primaryOwner', record.primaryOwner],
    ['trustedContact', record.primaryOwner.trustedContact],
  ] as const) {
    if (request[name] === null && !isBlank(before)) merge.refuseDeletion(name)
  }
  const refused = new Findings(settings.refusedPaths)
  for (const name of canonical.emptyLists) {
    if (listNamed(record, name).length > 0 && !refused.wasRefused(name)) merge.refuseDeletion(name)
  }
  const mailingAddress = merge.block(record.mailingAddress, request.mailingAddress, 'mailingAddress')
  const beneficiaries = mergeBeneficiaries(merge, record, canonical.beneficiaries ?? [], settings)
  const parties = mergeParties(merge, record, canonical.associatedParties ?? [], mailingAddress, settings)
  const traders = mergeLargeTraders(merge, record, canonical.largeTraders ?? [], settings)
  const amended: AccountRecord = {
    ...record,
    main: merge.block(record.main, request.main, 'main', { fixed: fixedOfMain }),
    electronicDelivery: merge.block(
      record.electronicDelivery,
      request.electronicDelivery,
      'electronicDelivery',
    ),
    mailingAddress,
    primaryOwner: completed(
      merge,
      merge.block(record.primaryOwner, canonical.primaryOwner, 'primaryOwner', {
        fixed: fixedOf(record.primaryOwner),
      }),
      'primaryOwner',
      mailingAddress,
      settings,
    ),
    associatedParties: parties.values,
    financialProfile: merge.block(record.financialProfile, request.financialProfile, 'financialProfile'),
    beneficiaries: beneficiaries.map(({ value }) => value),
    largeTraders: traders.values,
  }
  const isApplication = composed.accountStatus === 'Pending'
  if (!isApplication) {
    refuseLostOwners(record, amended, merge, parties)
    refuseOtherPersons(record, amended, merge, parties)
  }
  const { movedPaths } = canonical
  const rejections = movedPaths.inRequest([
    ...merge.rejections,
    ...newlyBroken(record, amended, { beneficiaries, parties, traders }, merge.rejections, {
      ...settings,
      refusedPaths: movedPaths.inRecord(settings.refusedPaths),
      moment: isApplication ? 'opening' : 'change',
      // A minor of an open account who moves takes the custodianship along; before the opening, an address is
      // corrected.
      residenceAtTransfer: isApplication
        ? undefined
        : (settings.residenceAtTransfer ?? residenceOf(record.primaryOwner, record)),
    }),
  ])
  const { changes } = merge
  return rejections.length > 0 ? { rejections, changes } : { amended, changes }
}

/**
 * An update cannot end the ownership of a person in an open account: this is a deletion (Specification, update-account,
 * rule 1).
 */
function refuseLostOwners(
  record: AccountRecord,
  amended: AccountRecord,
  merge: Merge,
  parties: MergedItems<Party>,
): void {
  if (registrationOf(record.registrationType) === undefined) return
  const kept = new Set(ownersIn(amended).map(({ path }) => path))
  for (const { path } of ownersIn(record)) {
    if (kept.has(path)) continue
    const reason = 'An owner of an open account remains an owner: another role would end the ownership.'
    merge.rejections.push(reject('ERR.1020', parties.inRequest(`${path}.role`), reason))
  }
}

/**
 * A party of an open account remains the person whose documents, forms and tax id it has. Another person is added, and
 * the account of an owner is not passed on.
 */
function refuseOtherPersons(
  record: AccountRecord,
  amended: AccountRecord,
  merge: Merge,
  parties: MergedItems<Party>,
): void {
  if (registrationOf(record.registrationType) === undefined) return
  const owners = new Set(ownersIn(record).map(({ path }) => path))
  const after = partiesOf(amended)
  for (const { party, path } of partiesOf(record)) {
    const changed = after.find((one) => one.path === path)?.party
    if (changed === undefined || !isAnotherPerson(party, changed)) continue
    const what = changed.birthDate === party.birthDate ? 'identification' : 'birth date'
    const instead = owners.has(path)
      ? 'An owner of an open account remains the owner: open an account for the other person.'
      : 'Add the other person as a party without customerId, and end the authority of this one by role and tradingAuthority.'
    const reason = `Another name and another ${what} in one request make this party another person. ${instead} To correct both values of one person, send them in two requests.`
    const name = changed.lastName === party.lastName ? 'firstName' : 'lastName'
    merge.rejections.push(reject('ERR.1020', parties.inRequest(`${path}.${name}`), reason))
  }
}

/**
 * The list that the record returns under a name: `retirementBenes` holds the beneficiaries of an IRA, and of no other
 * account.
 */
function listNamed(record: AccountRecord, name: string): readonly unknown[] {
  const retirement = registrationOf(record.registrationType)?.group === 'ira'
  switch (name) {
    case 'associatedParties':
      return record.associatedParties
    case 'largeTraders':
      return record.largeTraders
    case 'retirementBenes':
      return retirement ? record.beneficiaries : []
    case 'transferOfDeathBeneficiaries':
      return retirement ? [] : record.beneficiaries
    default:
      return record.beneficiaries
  }
}

interface MergedLists {
  readonly beneficiaries: readonly Placed<Beneficiary>[]
  readonly parties: MergedItems<Party>
  readonly traders: MergedItems<LargeTrader>
}

/**
 * The rules that the update breaks. A rule that the record broke before (such as an expired identification) does not
 * prevent other changes, but a new value of the field must not break it.
 */
function newlyBroken(
  record: AccountRecord,
  amended: AccountRecord,
  { beneficiaries, parties, traders }: MergedLists,
  found: readonly Rejection[],
  settings: RuleSettings,
): Rejection[] {
  const refusedPaths = traders.inRecord(parties.inRecord(settings.refusedPaths))
  const inRecord = { ...settings, refusedPaths }
  const before = checkAccount(record, placedBeneficiaries(record), inRecord)
  const keyOf = ({ code, field, rule = '' }: Rejection) => `${code} ${field} ${rule}`
  const known = new Set(before.map(keyOf))
  const named = new Set(found.map(({ field }) => field))
  // The birth date of an owner who came of age in an open account can be corrected: the owner stays of age.
  const mayStay = ({ rule }: Rejection) => rule === 'CustodialMinor' && settings.moment === 'change'
  return checkAccount(amended, beneficiaries, inRecord)
    .filter(
      (broken) => !known.has(keyOf(broken)) || (!mayStay(broken) && isGivenAnew(broken, record, amended)),
    )
    .map((rejection) => ({ ...rejection, field: traders.inRequest(parties.inRequest(rejection.field)) }))
    .filter(({ field }) => !named.has(field))
}

function isGivenAnew({ field }: Rejection, record: AccountRecord, amended: AccountRecord): boolean {
  return textAt(record, field) !== textAt(amended, field)
}

function textAt(record: AccountRecord, field: string): string | undefined {
  let value: unknown = record
  for (const name of field.split(/[.[\]]+/)) value = (value as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
