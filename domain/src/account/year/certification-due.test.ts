// The tax forms of owners who are not US citizens and live in the United States: the form that they give decides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RenewalKind } from '@clearing/protocol'
import type { Registration } from '../policy/registration-roles.ts'
import type { AccountRecord } from '../record.ts'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { fallsDue, type YearFacts } from './falls-due.ts'
import { requestRenewal } from './request-renewal.ts'
import { foreignOwnersInStates } from './us-address.ts'

const openedOn = '2026-11-20'
const noForms = { w9On: undefined, w8On: undefined, w8EntityOn: undefined, w8FlowThroughOn: undefined }
const facts: YearFacts = {
  ...noForms,
  openedOn,
  ofAgeAnswers: 0,
  residenceAtTransfer: undefined,
  magicTaxIds: new Set(),
}
const paris = { street: '1 RUE OBERKAMPF', city: 'PARIS', country: 'FR', postalCode: '75011' }
const alien = { citizenshipCountry: 'FR', taxIdType: 'TaxId' } as const

function owned(registration: Registration, secondLivesIn: object = {}): AccountRecord {
  const record = rightAccount(registration)
  const second = person({ ...alien, role: 'Secondary', customerId: '2', legalAddress: secondLivesIn })
  return {
    ...record,
    primaryOwner: { ...record.primaryOwner, ...alien, customerId: '1', taxIdNumber: '912701234' },
    associatedParties: registration === 'Individual' ? [] : [{ ...second, taxIdNumber: '912701235' }],
  }
}
function dueOf(record: AccountRecord, given: Partial<YearFacts> = {}) {
  return fallsDue(record, { ...facts, ...given }).map(({ kind, subject, asks, fallsOn }) => {
    assert.equal(asks, kind)
    return `${kind} ${subject} ${fallsOn}`
  })
}

test('neither form of an alien in the United States was received', () => {
  assert.deepEqual(dueOf(owned('Individual')), [`W9OrW8Certification 1 ${openedOn}`])
})

test('Form W-9 answers for good, and Form W-8BEN until it lapses', () => {
  assert.deepEqual(dueOf(owned('Individual'), { w9On: '2026-12-01' }), [])
  const lapses = ['W8Certification 1 2030-01-01']
  assert.deepEqual(dueOf(owned('Individual'), { w8On: '2026-12-01' }), lapses)
  assert.deepEqual(dueOf(owned('Individual'), { w9On: '2026-12-01', w8On: '2026-12-02' }), lapses)
  assert.deepEqual(dueOf(owned('Individual'), { w9On: '2026-12-02', w8On: '2026-12-01' }), [])
})

test('a joint owner is asked once the first owner certifies a foreign status, on the form of the own residence', () => {
  const first = `W9OrW8Certification 1 ${openedOn}`
  assert.deepEqual(dueOf(owned('JointWROS')), [first])
  assert.deepEqual(dueOf(owned('JointWROS'), { w9On: '2026-12-01' }), [])
  const foreign = { w8On: '2026-12-01' }
  const lapses = 'W8Certification 1 2030-01-01'
  assert.deepEqual(dueOf(owned('JointWROS'), foreign), [lapses, `W9OrW8Certification 2 ${openedOn}`])
  assert.deepEqual(dueOf(owned('JointWROS', paris), foreign), [lapses, `W8Certification 2 ${openedOn}`])
  // Of the same day, the form of a foreign person counts.
  assert.deepEqual(dueOf(owned('JointWROS', paris), { ...foreign, w9On: '2026-12-01' }).length, 2)
  assert.deepEqual(dueOf(owned('JointWROS', paris), { ...foreign, w9On: '2026-12-02' }), [])
})

test('the Form W-8BEN of an alien who moves to the United States is signed again, with evidence of the foreign status', () => {
  const moved = { w8On: '2027-03-03', usAddressSince: new Map([['primaryOwner', '2027-03-04']]) }
  assert.deepEqual(dueOf(owned('Individual'), { ...moved, foreignEvidence: new Set(['primaryOwner']) }), [
    'W8Certification 1 2027-03-04',
  ])
  assert.deepEqual(foreignOwnersInStates(owned('JointWROS'), new Set()), [
    'primaryOwner',
    'associatedParties[0]',
  ])
  assert.deepEqual(foreignOwnersInStates(owned('JointWROS', paris), new Set()), [
    'primaryOwner',
    'associatedParties[0]',
  ])
})

test('operations can ask again for either form, and for none that the owner does not give', () => {
  const request = (record: AccountRecord, kind: RenewalKind) =>
    requestRenewal(record, kind, { ...facts, w9On: '2026-12-01', day: '2027-01-10' })
  const items = request(owned('Individual'), 'W9OrW8Certification')
  if ('reason' in items) assert.fail(items.reason)
  assert.deepEqual(
    items.map(({ asks, field, subject, fallsOn }) => [asks, field, subject, fallsOn]),
    [['W9OrW8Certification', 'primaryOwner', '1', '2027-01-10']],
  )
  assert.match(items[0]?.reason ?? '', /again on Form W-9, or on Form W-8BEN or W-8ECI\.$/)
  assert.ok('reason' in request(rightAccount('Individual'), 'W9OrW8Certification'))
  assert.ok('reason' in request(owned('Individual'), 'W9Certification'))
})
