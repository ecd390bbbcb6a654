import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyFieldFixed } from './fixed-fields.ts'
import { person, rightAccount } from './testing/right-accounts.ts'

const record = {
  ...rightAccount('Individual'),
  associatedParties: [person({ role: 'Associate' }), person({ role: 'Associate', taxIdNumber: '' })],
}
function changedWith(operation: string): RegExp {
  return new RegExp(`, or change it with ${operation} once the account is open\\.$`)
}
const sentAgain = /and the firm sends another\.$/

const table: [field: string, reason: RegExp | undefined][] = [
  ['main.marginIndicator', changedWith('set-entitlements')],
  ['main.optionTradingIndicator', changedWith('set-entitlements')],
  ['main.optionTradingLevel', changedWith('set-entitlements')],
  ['main.repCode', undefined],
  ['main', undefined],
  ['primaryOwner.taxIdType', changedWith('correct-identity')],
  ['primaryOwner.taxIdNumber', changedWith('correct-identity')],
  ['primaryOwner.citizenshipCountry', changedWith('correct-identity')],
  ['primaryOwner.nameType', sentAgain],
  ['primaryOwner.birthDate', undefined],
  ['primaryOwner', undefined],
  ['associatedParties[0].taxIdNumber', changedWith('correct-identity')],
  ['associatedParties[1].taxIdNumber', undefined],
  ['associatedParties[1].citizenshipCountry', changedWith('correct-identity')],
  ['associatedParties[2].taxIdNumber', changedWith('correct-identity')],
  ['beneficiaries[0].nameType', sentAgain],
  ['beneficiaries[0].name1', undefined],
  ['financialProfile.netWorth', undefined],
  ['mailingAddress.country', undefined],
]
for (const [field, reason] of table) {
  test(`${field} is ${reason === undefined ? 'changed by update-account' : 'fixed'}`, () => {
    const why = whyFieldFixed(record, field)
    if (reason === undefined) assert.equal(why, undefined)
    else assert.match(why ?? '', reason)
    assert.ok(why === undefined || why.startsWith(`The firm cannot change ${field} of an application. `))
  })
}
