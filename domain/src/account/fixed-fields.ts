/** The fields of a record that update-account never changes (Specification, update-account, rule 2). */
import { isBlank } from './blank.ts'
import type { AccountRecord, Party } from './record.ts'

const fixedOfRecord: ReadonlySet<string> = new Set(['registrationType', 'entityNumber'])
export const fixedOfMain: ReadonlySet<string> = new Set([
  'marginIndicator',
  'optionTradingIndicator',
  'optionTradingLevel',
])
export const fixedOfBeneficiary: ReadonlySet<string> = new Set(['customerId', 'id', 'nameType'])

const fixedWithoutTaxId = new Set(['customerId', 'nameType', 'citizenshipCountry'])
const fixedWithTaxId = new Set([...fixedWithoutTaxId, 'taxIdType', 'taxIdNumber'])

/**
 * The attributes of a party that cannot be changed. A party without a tax id, such as a foreign person who has applied
 * for an ITIN, may get one later: this adds a value and changes none.
 */
export function fixedOf(party: Party | undefined): ReadonlySet<string> {
  return party !== undefined && isBlank(party.taxIdNumber) ? fixedWithoutTaxId : fixedWithTaxId
}

/**
 * Why update-account cannot change the field at a path such as `associatedParties[0].taxIdNumber` of an application,
 * with who can; undefined if it can.
 */
export function whyFieldFixed(record: AccountRecord, path: string): string | undefined {
  if (fixedOfRecord.has(path))
    return `The firm cannot change ${path} of an application. Reject the application, and the firm sends another.`
  const [, block = '', at, name = ''] = /^(\w+)(?:\[(\d+)\])?\.(\w+)$/.exec(path) ?? []
  if (!fixedIn(record, block, Number(at)).has(name)) return undefined
  const changer = changers[name]
  const later = changer === undefined ? '' : `, or change it with ${changer} once the account is open`
  return `The firm cannot change ${path} of an application. Reject the application, and the firm sends another${later}.`
}

const changers: Readonly<Record<string, string>> = {
  marginIndicator: 'set-entitlements',
  optionTradingIndicator: 'set-entitlements',
  optionTradingLevel: 'set-entitlements',
  citizenshipCountry: 'correct-identity',
  taxIdType: 'correct-identity',
  taxIdNumber: 'correct-identity',
}

function fixedIn(record: AccountRecord, block: string, at: number): ReadonlySet<string> {
  switch (block) {
    case 'main':
      return fixedOfMain
    case 'primaryOwner':
      return fixedOf(record.primaryOwner)
    case 'associatedParties':
      return fixedOf(record.associatedParties[at])
    case 'beneficiaries':
      return fixedOfBeneficiary
    default:
      return new Set()
  }
}
