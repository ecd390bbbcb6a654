// What a foreign person or entity without a tax id can give instead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccount } from './check-account.ts'
import type { Registration } from './policy/registration-roles.ts'
import type { Party } from './record.ts'
import { type Changes, rightAccount, today } from './testing/right-accounts.ts'

test('the reason for a missing tax id names what a foreign person or entity can give instead', () => {
  const reasonOf = (registration: Registration, changes: Changes<Party>) => {
    const right = rightAccount(registration)
    const given = { ...right.primaryOwner, taxIdType: undefined, taxIdNumber: undefined, ...changes }
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
    const record = { ...right, primaryOwner: given as Party }
    return checkAccount(record, [], settings).find(({ field }) => field === 'primaryOwner.taxIdType')?.reason
  }
  assert.equal(reasonOf('Individual', {}), 'Tax id type is required.')
  assert.equal(reasonOf('Individual', { citizenshipCountry: 'PR' }), 'Tax id type is required.')
  assert.match(reasonOf('Individual', { citizenshipCountry: 'FR' }) ?? '', /reported as Foreign .* passport/)
  assert.match(reasonOf('Corporation', { citizenshipCountry: 'FR' }) ?? '', /CompanyRegistration/)
})
