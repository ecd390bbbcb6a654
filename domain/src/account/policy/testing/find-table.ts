/** For tests: a table of accounts with one change, and the findings of account policy in each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightAccount } from '../../testing/right-accounts.ts'
import type { Registration } from '../registration-roles.ts'
import { type Change, found, production } from './changed-accounts.ts'

/** The change in words, the registration, the change, and each finding: its rule and field. */
export type FindingRow = readonly [
  what: string,
  registration: Registration,
  change: Change,
  ...expected: string[],
]

export function testFindings(rows: readonly FindingRow[], facts = production): void {
  for (const [what, registration, change, ...expected] of rows) {
    const rule = expected.map((one) => one.split(' ')[0]).join(' and ') || 'nothing'
    test(`account policy finds ${rule} in ${registration}: ${what}`, () => {
      assert.deepEqual(found(change(rightAccount(registration)), facts), expected)
    })
  }
}
