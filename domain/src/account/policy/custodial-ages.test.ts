// The age at which a custodianship ends, for every state and both acts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { custodialAgeOf, listCustodialAges } from './custodial-ages.ts'

const states =
  'AL AK AZ AR CA CO CT DE DC FL GA GU HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA VI WA WV WI WY'.split(
    ' ',
  )

/** The age, the latest age that the transfer may name, and the states. All other states have the age of the act. */
const table: readonly [act: 'UGMA' | 'UTMA', age: number, latest: number, states: string][] = [
  ['UTMA', 18, 18, 'KY SD'],
  ['UTMA', 22, 22, 'LA'],
  ['UTMA', 18, 21, 'DC ME MI OK'],
  ['UTMA', 18, 25, 'CA NV VA'],
  ['UTMA', 21, 25, 'AK FL OH OR PA TN WA'],
  ['UTMA', 21, 30, 'WY'],
  ['UGMA', 19, 19, 'AL NE WY'],
  ['UGMA', 21, 21, 'AR CO CT GA GU IA IL IN KY ME MI MO MS NH NJ OK PA PR RI UT VI WA'],
]
const ofTheAct = {
  UTMA: { age: 21, latest: 21 },
  UGMA: { age: 18, latest: 18 },
} as const

function agesOf(act: 'UGMA' | 'UTMA', state: string | undefined) {
  const { age, latest } = custodialAgeOf(act, state)
  return { age, latest }
}

for (const act of ['UTMA', 'UGMA'] as const) {
  test(`a gift under the ${act} ends at the age of its state`, () => {
    for (const state of states) {
      const row = table.find(([one, , , named]) => one === act && named.split(' ').includes(state))
      const expected = row === undefined ? ofTheAct[act] : { age: row[1], latest: row[2] }
      assert.deepEqual(agesOf(act, state), expected, state)
    }
  })

  test(`a gift under the ${act} ends at the age of the act if the state is not known`, () => {
    for (const state of [undefined, '', '?', 'ZZ'])
      assert.deepEqual(agesOf(act, state), ofTheAct[act], `${state}`)
  })
}

test('the table of the documentation has each state once for each act, with its ages', () => {
  for (const { act, age, latest, states: named } of listCustodialAges())
    for (const state of named) assert.deepEqual(agesOf(act, state), { age, latest }, state)
  for (const act of ['UTMA', 'UGMA'] as const) {
    const named = listCustodialAges().flatMap((row) => (row.act === act ? row.states : []))
    assert.equal(new Set(named).size, named.length)
    for (const state of states.filter((one) => !named.includes(one)))
      assert.deepEqual(agesOf(act, state), ofTheAct[act], state)
  }
})

test('the table of the documentation is ordered by age and state, with the other states last', () => {
  const expected = (['UTMA', 'UGMA'] as const).flatMap((act) => [
    ...table
      .filter(([one]) => one === act)
      .map(([, age, latest, named]) => ({ act, age, latest, states: named.split(' ') }))
      .sort((one, other) => one.age * 100 + one.latest - (other.age * 100 + other.latest)),
    { act, ...ofTheAct[act], states: [] },
  ])
  assert.deepEqual(listCustodialAges(), expected)
})

test('each age has its source and the day on which the source was read', () => {
  for (const act of ['UTMA', 'UGMA'] as const) {
    for (const state of states) {
      const { source, readOn } = custodialAgeOf(act, state)
      assert.match(source, /^(?:[A-Z][\w.]+ ){1,3}.*\d/, state)
      assert.match(readOn, /^20\d\d-[01]\d-[0-3]\d$/, state)
    }
  }
})
