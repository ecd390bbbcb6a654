// The number of items of each list after an update, at its limit and one above it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@clearing/protocol'
import { checkAccount } from './check-account.ts'
import type { AccountRecord } from './record.ts'
import { person, rightAccount, today } from './testing/right-accounts.ts'

function lengthsOf(changes: Partial<AccountRecord>, list = 'transferOfDeathBeneficiaries'): string[] {
  const record = { ...rightAccount('Individual'), ...changes }
  const placed = record.beneficiaries.map((value, index) => ({ value, path: `${list}[${index}]` }))
  return checkAccount(record, placed, { today, magicTaxIds: new Set(), refusedPaths: new Set() })
    .filter(({ reason }) => reason.startsWith('The list must have at most'))
    .map(({ code, field }) => `${code} ${field}`)
}
function repeat<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: count }, make)
}

const most = limits.arrayItemsMax

test('a list of an account has as many items as a request may have, and no more', () => {
  const parties = () => person({ role: 'Associate' })
  assert.deepEqual(lengthsOf({ associatedParties: repeat(most, parties) }), [])
  assert.deepEqual(lengthsOf({ associatedParties: repeat(most + 1, parties) }), [
    'ERR.1015 associatedParties',
  ])
  const trader = () => ({ largeTraderId: '12345678-0001' })
  assert.deepEqual(lengthsOf({ largeTraders: repeat(most, trader) }), [])
  assert.deepEqual(lengthsOf({ largeTraders: repeat(most + 1, trader) }), ['ERR.1015 largeTraders'])
})

test('a list of beneficiaries that is too long is named as in the request', () => {
  const beneficiary = () => ({ firstName: 'LUIS' })
  for (const list of ['transferOfDeathBeneficiaries', 'retirementBenes']) {
    assert.deepEqual(lengthsOf({ beneficiaries: repeat(most, beneficiary) }, list), [])
    assert.deepEqual(lengthsOf({ beneficiaries: repeat(most + 1, beneficiary) }, list), [`ERR.1015 ${list}`])
  }
})

test('a list of beneficiaries that is too long is named as the list of its first item', () => {
  const [first, second] = [{ firstName: 'LUIS' }, { firstName: 'EVA' }]
  const rest = repeat(most - 1, () => ({ value: second, path: 'transferOfDeathBeneficiaries[1]' }))
  const placed = [
    { value: first, path: 'beneficiaries[0]' },
    { value: second, path: 'transferOfDeathBeneficiaries[1]' },
    ...rest,
  ]
  const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
  const found = checkAccount(rightAccount('Individual'), placed, settings)
  assert.ok(found.some(({ field, reason }) => field === 'beneficiaries' && reason.startsWith('The list')))
})
