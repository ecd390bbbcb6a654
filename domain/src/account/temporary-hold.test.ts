// Temporary holds: their periods at the boundaries and over holidays, the steps, and the persons whom they protect.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountRecord, Party } from './record.ts'
import {
  firstPeriodOf,
  groundOfHold,
  type Hold,
  type HoldStep,
  remindOn,
  stepOfHold,
} from './temporary-hold.ts'
import { entity, person, rightAccount } from './testing/right-accounts.ts'

describe('the first period', () => {
  // Thanksgiving Day and Christmas Day 2026 are holidays; on November 27 and December 24 the market closes early.
  for (const [placedOn, expiresOn, notifyBy] of [
    ['2026-11-23', '2026-12-15', '2026-11-25'],
    ['2026-11-24', '2026-12-16', '2026-11-27'],
    ['2026-11-25', '2026-12-17', '2026-11-30'],
    ['2026-11-26', '2026-12-17', '2026-11-30'],
    // On a Saturday and a Sunday.
    ['2026-11-28', '2026-12-18', '2026-12-01'],
    ['2026-11-29', '2026-12-18', '2026-12-01'],
    ['2026-12-10', '2027-01-04', '2026-12-14'],
  ] as const) {
    test(`of a hold of ${placedOn} ends on ${expiresOn}`, () => {
      assert.deepEqual(firstPeriodOf(placedOn), { expiresOn, notifyBy })
    })
  }

  test('is shown from the second business day before its end', () => {
    assert.equal(remindOn('2026-12-15'), '2026-12-11')
    assert.equal(remindOn('2026-11-30'), '2026-11-25')
    // An order may name a Sunday.
    assert.equal(remindOn('2026-12-13'), '2026-12-10')
  })
})

const placed: Hold = { placedOn: '2026-11-23', expiresOn: '2026-12-15', steps: [], inForce: true }
function step(hold: Partial<Hold>, name: HoldStep, today = '2026-12-15', until?: string) {
  const found = stepOfHold({ ...placed, ...hold }, name, { today, until })
  return 'refused' in found ? found.refused : found.expiresOn
}

describe('a step', () => {
  test('extends the hold from the end of the period before, on its last day and not on the day after', () => {
    assert.equal(step({}, 'Extended', '2026-12-01'), '2026-12-30')
    assert.equal(step({}, 'Extended', '2026-12-15'), '2026-12-30')
    assert.equal(step({}, 'Extended', '2026-12-16'), 'The hold expired at the end of 2026-12-15.')
    const extended = { expiresOn: '2026-12-30', steps: ['Notified', 'Extended'] as const }
    assert.equal(step(extended, 'Reported', '2026-12-30'), '2027-02-12')
    assert.match(step(extended, 'Reported', '2026-12-31'), /expired/)
  })

  test('is possible once, and the report only after the extension', () => {
    assert.match(step({}, 'Reported'), /record the step Extended first/)
    assert.match(step({ steps: ['Extended'] }, 'Extended'), /has this extension already/)
    const all = { expiresOn: '2027-02-12', steps: ['Extended', 'Reported'] as const }
    assert.match(step(all, 'Reported'), /has this extension already/)
    assert.match(step(all, 'Extended'), /has this extension already/)
  })

  // 2026-12-30 is the last of 25 business days, and 2027-02-12 the last of 55.
  test('shortens no hold that got its days late: the report then stands for both extensions', () => {
    assert.equal(step({ expiresOn: '2026-12-29' }, 'Extended'), '2026-12-30')
    assert.match(step({ expiresOn: '2026-12-29' }, 'Reported'), /record the step Extended first/)
    for (const expiresOn of ['2026-12-30', '2026-12-31']) {
      assert.match(step({ expiresOn }, 'Extended'), /ended on 2026-12-30.*Record Reported.*or Ordered/)
      assert.equal(step({ expiresOn }, 'Reported'), '2027-02-12')
    }
    const extended = { expiresOn: '2026-12-30', steps: ['Extended'] as const }
    assert.equal(step(extended, 'Reported'), '2027-02-12')
    assert.equal(step({ expiresOn: '2027-02-11' }, 'Reported', '2027-02-11'), '2027-02-12')
    for (const expiresOn of ['2027-02-12', '2027-02-16']) {
      assert.match(step({ expiresOn }, 'Reported', '2027-02-12'), /ended on 2027-02-12.*Record Ordered/)
      assert.equal(step({ expiresOn }, 'Ordered', '2027-02-12', '2027-06-30'), '2027-06-30')
    }
  })

  test('of an order sets the day that the order names, after which only another order does', () => {
    assert.equal(step({}, 'Ordered', '2026-12-15', '2026-12-15'), '2026-12-15')
    assert.equal(step({}, 'Ordered', '2026-12-15', '2027-06-30'), '2027-06-30')
    assert.match(step({}, 'Ordered', '2026-12-15', '2026-12-14'), /sets a day from 2026-12-15 on/)
    assert.match(step({}, 'Ordered', '2026-12-15'), /sets a day/)
    const ordered = { expiresOn: '2027-06-30', steps: ['Ordered'] as const }
    assert.match(step(ordered, 'Extended'), /has set the end/)
    assert.match(step(ordered, 'Reported'), /has set the end/)
    assert.equal(step(ordered, 'Ordered', '2026-12-15', '2027-01-29'), '2027-01-29')
  })

  test('of a notice changes no day and can be recorded after the end; the others cannot', () => {
    assert.equal(step({}, 'Notified'), '2026-12-15')
    assert.equal(step({ steps: ['Notified'] }, 'Notified'), '2026-12-15')
    assert.equal(step({ inForce: false }, 'Notified', '2026-12-31'), '2026-12-15')
    for (const name of ['Extended', 'Reported', 'Ordered'] as const)
      assert.equal(step({ inForce: false }, name, '2026-12-01', '2026-12-30'), 'The hold has ended.')
  })
})

const day = '2026-11-20'
/** `Age65`, `Impairment`, or the beginning of the reason. */
function groundOf(record: AccountRecord, stated?: string) {
  const found = groundOfHold(record, stated, day)
  return 'refused' in found ? found.refused : found.ground
}
function of(registration: Parameters<typeof rightAccount>[0], owner: Partial<Party>, parties: Party[] = []) {
  const record = rightAccount(registration)
  return {
    ...record,
    primaryOwner: { ...record.primaryOwner, ...owner },
    associatedParties: parties,
  }
}
const aged = '1961-11-20'
const younger = '1961-11-21'

describe('the ground', () => {
  test('is the age of 65 from the birthday on', () => {
    assert.equal(groundOf(of('Individual', { birthDate: aged })), 'Age65')
    assert.equal(groundOf(of('Individual', { birthDate: aged }), 'Age65'), 'Age65')
    for (const stated of [undefined, 'Age65'])
      assert.match(groundOf(of('Individual', { birthDate: younger }), stated), /is 65 or older.*Impairment/)
  })

  test('is an impairment from the age of 18 on', () => {
    assert.equal(groundOf(of('Individual', { birthDate: '2008-11-20' }), 'Impairment'), 'Impairment')
    assert.match(groundOf(of('Individual', { birthDate: '2008-11-21' }), 'Impairment'), /is 18 or older/)
  })

  test('is that of any owner, and of any person who acts for the owner', () => {
    const old = (changes: Partial<Party>) => [person({ birthDate: aged, ...changes })]
    const young = { birthDate: younger }
    assert.equal(groundOf(of('JointWROS', young, old({ role: 'Secondary' }))), 'Age65')
    assert.equal(groundOf(of('Individual', young, old({ role: 'PowerOfAttorney' }))), 'Age65')
    assert.equal(groundOf(of('Trust', {}, old({ role: 'Trustee' }))), 'Age65')
    assert.equal(
      groundOf(of('Individual', young, old({ role: 'InterestedParty', tradingAuthority: 'Limited' }))),
      'Age65',
    )
    // Neither owns nor acts.
    for (const role of ['Secondary', 'InterestedParty', 'Associate'])
      assert.match(groundOf(of('Individual', young, old({ role }))), /is 65 or older/)
    assert.match(groundOf(of('Trust', {}, old({ role: 'SuccessorTrustee' }))), /protects natural persons/)
  })

  test('does not exist where only entities act', () => {
    const llc = of('Llc', {}, [entity({ role: 'Member' })])
    for (const stated of [undefined, 'Age65', 'Impairment'])
      assert.match(groundOf(llc, stated), /protects natural persons/)
  })
})
