// One person in several roles is identified once: one request, as long as no document in any role is current.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRecord, GovernmentIdentification, Party } from '../record.ts'
import { person, rightAccount } from '../testing/right-accounts.ts'
import { fallsDue, isIdentificationCurrent } from './falls-due.ts'
import { isAnswered } from './is-answered.ts'
import { Course, facts, ids } from './testing/year-course.ts'

const until = '2026-12-15'
const dayAfter = '2026-12-16'

function company(...shown: (GovernmentIdentification | undefined)[]): AccountRecord {
  const roles = ['ControlPerson', 'Officer', 'Director']
  return {
    ...rightAccount('Llc'),
    associatedParties: shown.map((governmentIdentification, at) => ({
      ...person({ role: roles[at] ?? '', taxIdNumber: '401120001' }),
      customerId: `${at + 1}`,
      ...(governmentIdentification && { governmentIdentification }),
    })),
  }
}

function changed(record: AccountRecord, at: number, changes: Partial<Party>): AccountRecord {
  const associatedParties = record.associatedParties.map((party, index) =>
    index === at ? { ...party, ...changes } : party,
  )
  return { ...record, associatedParties }
}

function dueOf(record: AccountRecord): string[] {
  return fallsDue(record, facts)
    .filter(({ kind }) => kind === 'IdentityDocument')
    .map(({ subject, field, fallsOn }) => `${subject} ${/\d/.exec(field)?.[0]} ${fallsOn}`)
}

test('a person is asked once, after the latest document of all roles, in the first role with one', () => {
  assert.deepEqual(dueOf(company(ids(until), ids(until))), [`1 0 ${dayAfter}`])
  assert.deepEqual(dueOf(company(ids(until), ids('2027-03-31'))), ['1 0 2027-04-01'])
  assert.deepEqual(dueOf(company(undefined, ids(until), ids(until))), [`2 1 ${dayAfter}`])
  assert.deepEqual(dueOf(company(ids(until), ids(undefined))), [])
  assert.deepEqual(dueOf(company(ids(until), ids('9999-12-31'))), [])
  const other = changed(company(ids(until), ids('2027-03-31')), 1, { taxIdNumber: '401120002' })
  assert.deepEqual(dueOf(other), [`1 0 ${dayAfter}`, '2 1 2027-04-01'])
  // The document of a role that is no customer identifies the person too.
  const bystander = changed(company(ids(until), ids('2027-03-31')), 1, { role: 'InterestedParty' })
  assert.deepEqual(dueOf(bystander), ['1 0 2027-04-01'])
  const first = changed(company(ids(until), ids(until)), 0, { role: 'InterestedParty' })
  assert.deepEqual(dueOf(first), [`2 1 ${dayAfter}`])
})

test('the identification is current through the last day of the latest document, at each role', () => {
  const record = company(ids(until), ids('2027-03-31'), undefined)
  for (const at of [0, 1, 2]) {
    const field = `associatedParties[${at}].governmentIdentification`
    assert.deepEqual(
      ['2027-03-31', '2027-04-01'].map((day) => isIdentificationCurrent(record, field, day)),
      [true, false],
    )
  }
})

test('a question of the person is answered in the role in which it is asked', () => {
  const answered = (record: AccountRecord) =>
    [0, 1].map((at) => {
      const field = `associatedParties[${at}].governmentIdentification`
      return isAnswered(record, facts, { kind: 'IdentityDocument', field })
    })
  assert.deepEqual(answered(company(ids(until), ids(until))), [true, false])
  assert.deepEqual(answered(company(ids(undefined), ids(until))), [true, false])
  assert.deepEqual(answered(company(undefined, ids(until))), [false, true])
  assert.deepEqual(answered(company(undefined, undefined)), [true, false])
})

test('the second request of an earlier release is withdrawn, and a document of one role ends the question', () => {
  const expired = company(ids(until), ids(until))
  // Before, the two roles counted as two persons.
  const course = new Course(changed(expired, 1, { taxIdNumber: '401120002' }))
  assert.deepEqual(course.review(until), [])
  assert.deepEqual(course.review(dayAfter), ['asked IdentityDocument', 'asked IdentityDocument'])
  course.record = expired
  assert.deepEqual(course.review('2026-12-20'), ['withdrawn FU-2'])
  course.record = company(ids(until), ids('2036-12-01'))
  assert.deepEqual(course.review('2026-12-21'), ['settled FU-1'])
  assert.equal(course.states, 'IdentityDocument Coming')
})
