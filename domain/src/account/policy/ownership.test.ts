// The beneficial owners of an entity: who is named, who may own 25 percent or more through another entity, and who is
// asked.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Party } from '../record.ts'
import { type Changes, entity, person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { add, production } from './testing/changed-accounts.ts'

function found(registration: Registration, parties: readonly Party[], facts = production) {
  const record = add(...parties)(rightAccount(registration))
  return judgeAccount(record, facts).filter(
    ({ rule }) => rule === 'BeneficialOwnersStated' || rule === 'OwnershipTotal',
  )
}

function member(ownershipPercent: string, more: Changes<Party> = {}) {
  return person({ role: 'Member', ownershipPercent, ...more })
}
function holding(ownershipPercent: string) {
  return entity({ role: 'Member', ownershipPercent, firstName: 'SOUTH LTD', citizenshipCountry: 'KY' })
}
function named(ownershipPercent?: string, more: Changes<Party> = {}) {
  return person({ role: 'BeneficialOwner', ownershipPercent, ...more })
}
const both = { taxIdNumber: '401128888' }

describe('the beneficial owners of an LLC with', () => {
  const rows: readonly [what: string, parties: readonly Party[], asked: boolean][] = [
    ['a person who controls it alone', [], true],
    ['a beneficial owner of 25.01 percent', [named('25.01')], false],
    ['a beneficial owner of 25 percent', [named('25')], false],
    ['a beneficial owner of 24.99 percent', [named('24.99')], true],
    ['a beneficial owner of 0 percent', [named('0')], true],
    [
      'a beneficial owner of 30 percent, who has the share as a member',
      [member('30', both), named(undefined, both)],
      false,
    ],
    [
      'a beneficial owner of 20 percent, who has the share as a member',
      [member('20', both), named(undefined, both)],
      true,
    ],
    ['a beneficial owner whose share is not known', [named()], false],
    ['members who own 75 percent in small shares', [1, 2, 3, 4].map(() => member('18.75')), true],
    [
      'members who own 75.01 percent in small shares',
      [18.75, 18.75, 18.75, 18.76].map((one) => member(String(one))),
      false,
    ],
    ['an entity that owns it', [holding('100')], true],
    ['an entity that owns 25 percent, and a beneficial owner of 75', [holding('25'), named('75')], true],
    [
      'an entity that owns 24.99 percent, and a beneficial owner of 75',
      [holding('24.99'), named('75')],
      false,
    ],
    ['an entity that owns 60 percent, and a beneficial owner of 40', [holding('60'), named('40')], true],
    [
      'an entity that owns 60 percent, and beneficial owners of 40 percent and of the same 60 percent',
      [holding('60'), member('40', both), named('40', both), named('60')],
      false,
    ],
    [
      'an entity that owns 60 percent, and a beneficial owner whose share is not known',
      [holding('60'), named()],
      false,
    ],
  ]
  for (const [what, parties, asked] of rows) {
    test(`${what} are ${asked ? '' : 'not '}asked for`, () => {
      assert.deepEqual(
        found('Llc', parties).map(({ rule, field, effect, asks, holdsUp }) => [
          rule,
          field,
          effect,
          asks,
          holdsUp,
        ]),
        asked ? [['BeneficialOwnersStated', 'associatedParties', 'ask', 'FieldCompletion', false]] : [],
      )
    })
  }
})

test('a trust, an estate and a person are not asked for beneficial owners; an entity is asked on a business day, after a change', () => {
  for (const registration of ['Trust', 'Estate', 'Individual'] as const)
    assert.deepEqual(found(registration, []), [])
  for (const registration of ['Corporation', 'Llc', 'Partnership'] as const) {
    assert.equal(found(registration, []).length, 1)
    assert.deepEqual(found(registration, [], { ...production, moment: 'change' }), [])
    const [onDay] = found(registration, [], { ...production, moment: 'day' })
    assert.equal(onDay?.effect, 'ask')
  }
})

test('shares through an entity are not counted twice, and neither persons nor direct owners own more than all', () => {
  const totals = (...parties: Party[]) => found('Llc', parties).map(({ rule }) => rule)
  assert.deepEqual(totals(holding('100'), named('60'), named('40')), [])
  assert.deepEqual(totals(holding('100'), named('60'), named('40.01')), ['OwnershipTotal'])
  assert.deepEqual(totals(holding('60'), member('40', both), named('40', both), named('60')), [])
  assert.deepEqual(totals(holding('60.01'), member('40', both), named('40', both)), [
    'OwnershipTotal',
    'BeneficialOwnersStated',
  ])
})
