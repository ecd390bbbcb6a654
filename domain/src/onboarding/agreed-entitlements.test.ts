// What an approved agreement completes in an application, and what it does not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRule } from '@clearing/protocol'
import type { Main } from '../account/record.ts'
import { rightAccount } from '../account/testing/right-accounts.ts'
import { completeEntitlements } from './agreed-entitlements.ts'
import type { FollowUp } from './onboarding-state.ts'

function asked(rule: AccountRule, status: FollowUp['status'], kind: FollowUp['kind'] = 'Document') {
  const found = [{ rule, field: '', reason: '' }]
  return { kind, status, found } as unknown as FollowUp
}

const margin = 'OptionLevelNeedsMargin'
const options = 'OptionLevelKnown'
const spreads = { optionTradingIndicator: 'true', optionTradingLevel: '3' }
const withoutLevel = { optionTradingIndicator: 'true', optionTradingLevel: '' }

const rows: readonly [what: string, main: Partial<Main>, followUp: FollowUp, changes: object[]][] = [
  [
    'the margin of level 3',
    spreads,
    asked(margin, 'Accepted'),
    [{ field: 'main.marginIndicator', from: undefined, to: 'true' }],
  ],
  [
    'margin that the application left out by false',
    { ...spreads, marginIndicator: 'false' },
    asked(margin, 'Accepted'),
    [{ field: 'main.marginIndicator', from: 'false', to: 'true' }],
  ],
  ['no margin that is there', { ...spreads, marginIndicator: 'true' }, asked(margin, 'Accepted'), []],
  ['nothing while the agreement is under review', spreads, asked(margin, 'Answered'), []],
  ['nothing if operations waived the agreement', spreads, asked(margin, 'Waived'), []],
  [
    'the lowest level of options without a level',
    withoutLevel,
    asked(options, 'Accepted'),
    [{ field: 'main.optionTradingLevel', from: '', to: '1' }],
  ],
  [
    'the lowest level in place of 0',
    { ...withoutLevel, optionTradingLevel: '0' },
    asked(options, 'Accepted'),
    [{ field: 'main.optionTradingLevel', from: '0', to: '1' }],
  ],
  ['no level that is there', spreads, asked(options, 'Accepted'), []],
  ['no level without options', { optionTradingIndicator: 'false' }, asked(options, 'Accepted'), []],
  ['nothing by a field', withoutLevel, asked('OptionSuitability', 'Accepted', 'Field'), []],
  ['nothing by another document', withoutLevel, asked('UsOwnerCertified', 'Accepted'), []],
  ['nothing by a field of the same rule', withoutLevel, asked(options, 'Accepted', 'Field'), []],
]

for (const [what, main, followUp, expected] of rows) {
  test(`an agreement completes ${what}`, () => {
    const record = rightAccount('Individual')
    const before = { ...record, main: { repCode: 'JC01', ...main } }
    const { amended, changes } = completeEntitlements(before, [{ ...followUp }])
    assert.deepEqual(changes, expected)
    const after = Object.fromEntries(
      changes.map(({ field, to }) => [field.slice('main.'.length), to] as const),
    )
    assert.deepEqual(amended, { ...before, main: { ...before.main, ...after } })
  })
}

test('a follow-up of no rule completes nothing', () => {
  const { found: _, ...ofPerson } = asked(options, 'Accepted')
  const record = { ...rightAccount('Individual'), main: { repCode: 'JC01', ...withoutLevel } }
  assert.deepEqual(completeEntitlements(record, [ofPerson]).changes, [])
})
