/** Updates of a record that breaks a rule already: other changes are possible, and a new value must not break it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amendAccount } from './amend-account.ts'
import type { AccountRecord, Party } from './record.ts'
import { rightAccount, today } from './testing/right-accounts.ts'

const composed = { accountStatus: 'Open', accountName: '', mailingAddressString: '' }

function codesOf(record: AccountRecord, primaryOwner: Party, accountStatus = 'Open'): string[] {
  const outcome = amendAccount(record, { ...composed, accountStatus }, { primaryOwner } as never, {
    today,
    magicTaxIds: new Set(),
    refusedPaths: new Set(),
    nextCustomerId: () => '900000000000000000',
  })
  return 'rejections' in outcome ? outcome.rejections.map(({ code, field }) => `${code} ${field}`) : []
}

test('an identification that has expired since the opening prevents no other change, and its next one is valid', () => {
  const right = rightAccount('Individual')
  const kept = { idType: 'Passport', idNumber: 'X1', idIssueDate: '2025-01-02', idExpiration: '2026-01-01' }
  const record = {
    ...right,
    primaryOwner: { ...right.primaryOwner, governmentIdentification: { governmentId1: kept } },
  }
  const changed = (governmentId1: object) =>
    codesOf(record, { governmentIdentification: { governmentId1 } } as Party)
  const field = 'primaryOwner.governmentIdentification.governmentId1.idExpiration'
  assert.deepEqual(codesOf(record, { jobTitle: 'PARTNER' }), [])
  for (const others of [kept, { idNumber: 'X2' }, { idExpiration: today }])
    assert.deepEqual(changed(others), [])
  assert.deepEqual(changed({ idExpiration: '2026-01-02' }), [`ERR.1024 ${field}`])
  assert.deepEqual(changed({ idExpiration: '2024-01-01' }), [`ERR.1025 ${field}`])
  assert.deepEqual(changed({ idIssueDate: '2026-01-01' }), [`ERR.1025 ${field}`])
})

test('the birth date of an owner who came of age in an open custodial account can be corrected', () => {
  const right = rightAccount('CustodialUtma')
  const record = { ...right, primaryOwner: { ...right.primaryOwner, birthDate: '2001-04-17' } }
  assert.deepEqual(codesOf(record, { birthDate: '2001-04-18' }), [])
  assert.deepEqual(codesOf(record, { birthDate: '2001-04-18' }, 'Pending'), [
    'ERR.1012 primaryOwner.birthDate',
  ])
  assert.deepEqual(codesOf(right, { birthDate: '2001-04-18' }), ['ERR.1012 primaryOwner.birthDate'])
})
