import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLostValues } from './lost-values.ts'
import type { FieldChange } from './merge-blocks.ts'

const codes = 'primaryOwner.caisCustomerType'
const cases: [what: string, changes: FieldChange[], due: string[]][] = [
  ['nothing', [], []],
  [
    'a country that leaves state and postal code',
    [
      { field: 'mailingAddress.stateProvince', from: 'NJ', to: undefined },
      { field: 'mailingAddress.postalCode', from: '07302', to: undefined },
      { field: 'mailingAddress.country', from: 'US', to: 'GB' },
    ],
    ['The new country leaves empty: mailingAddress.stateProvince, mailingAddress.postalCode.'],
  ],
  [
    'a postal code that is replaced',
    [{ field: 'mailingAddress.postalCode', from: '07302', to: 'E1 6AN' }],
    [],
  ],
  ['a list that grows', [{ field: codes, from: ['Advisor'], to: ['CP', 'Advisor'] }], []],
  ['a list that is new', [{ field: codes, from: undefined, to: ['CP'] }], []],
  [
    'a list that is replaced',
    [{ field: codes, from: ['Advisor', 'Employee', 'CP'], to: ['CP'] }],
    [`${codes} was replaced and no longer has: Advisor, Employee.`],
  ],
]
for (const [what, changes, due] of cases)
  test(`${what} is described as ${due.length === 0 ? 'no loss' : 'a loss'}`, () => {
    assert.deepEqual(describeLostValues(changes), due)
  })
