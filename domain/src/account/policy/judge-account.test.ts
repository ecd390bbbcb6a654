// Every rule of the account in a table that a compliance officer can read: the defect, the rule that finds it, and
// the field.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules, codeLists } from '@clearing/protocol'
import { rightAccount } from '../testing/right-accounts.ts'
import { accountRuleOf } from './finding.ts'
import { judgeAccount } from './judge-account.ts'
import { always, found, production } from './testing/changed-accounts.ts'
import { defectsOfFiduciaries } from './testing/defects-of-fiduciaries.ts'
import { defectsOfRecords } from './testing/defects-of-records.ts'
import { defectsOfRoles } from './testing/defects-of-roles.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

describe('a valid account of', () => {
  for (const { value } of codeLists.registrationType) {
    test(`${value} has no finding`, () => assert.deepEqual(found(rightAccount(value)), []))
  }
})

const defects: readonly FindingRow[] = [...defectsOfRoles, ...defectsOfFiduciaries, ...defectsOfRecords]

describe('a table of defects', () => {
  testFindings(defects)

  test('each defect has the effect, code, question and source of its rule at each moment at which the rule applies', () => {
    for (const [what, registration, change] of defects) {
      const record = change(rightAccount(registration))
      const opening = judgeAccount(record, production)
      for (const moment of ['opening', 'change', 'day'] as const) {
        const expected = opening.flatMap(({ rule, field }) => {
          const { effects, source, code, asks } = accountRuleOf(rule)
          const effect = effects[moment]
          if (effect === undefined) return []
          const ofEffect = { code: effect === 'refuse' ? code : '', asks: effect === 'ask' ? asks : '' }
          return [{ rule, field, effect, source, ...ofEffect }]
        })
        const found = judgeAccount(record, { ...production, moment })
        assert.deepEqual(
          found.map(({ rule, field, effect, source, code, asks }) => ({
            rule,
            field,
            effect,
            source,
            code,
            asks,
          })),
          expected,
          `${what} at ${moment}`,
        )
      }
    }
  })

  test('every rule is in some row of the table', () => {
    const shown = new Set([
      ...always,
      // The service knows the other accounts of the firm: identity-checks.test.ts and effect.test.ts.
      'PossibleDuplicate',
      'EinOfAnother',
      // A change of the birth date, not a record, causes it: newly-found.test.ts.
      'BirthDateOfMinor',
      ...defects.flatMap(([, , , ...expected]) => expected.map((one) => one.split(' ')[0])),
    ])
    assert.deepEqual(
      // Rules that apply only on a business day are in review-year.test.ts.
      accountRules
        .filter(({ effects }) => effects.opening !== undefined || effects.change !== undefined)
        .map(({ value }) => value)
        .filter((value) => !shown.has(value)),
      [],
    )
  })
})
