// What is asked about the employment and the trusted contact of the owners of an open account, at each review.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeAccount } from '../policy/judge-account.ts'
import type { Registration } from '../policy/registration-roles.ts'
import { production } from '../policy/testing/changed-accounts.ts'
import type { AccountRecord, Party } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { fallsDue, type YearFacts } from './falls-due.ts'
import { isAnswered } from './is-answered.ts'
import { requestRenewal } from './request-renewal.ts'
import { Course, facts, openedOn, owned } from './testing/year-course.ts'

const works = { occupation: 'Engineering', employerName: 'ACME' }
const retired = { occupation: 'Retired', employerName: '' }

function dueOf(record: AccountRecord, given: Partial<YearFacts> = {}): string[] {
  return fallsDue(record, { ...facts, ...given })
    .filter(({ kind }) => kind === 'Occupation' || kind === 'Employer')
    .map(
      ({ kind, subject, field, fallsOn, listedOn }) => `${kind} ${subject} ${field} ${fallsOn} ${listedOn}`,
    )
}
function joint(owner: Partial<Party>, ...others: Partial<Party>[]): AccountRecord {
  const record = owned('JointWROS', owner)
  const associatedParties = others.map((other, at) =>
    person({ role: 'Secondary', customerId: String(at + 2), ...other }),
  )
  return { ...record, associatedParties }
}
function unknown(kind: string, subject: string, field: string, day = openedOn, listed = day) {
  return [`${kind} ${subject} ${field} ${day} ${listed}`]
}
const occupation = unknown('Occupation', '1', 'primaryOwner.occupation')
const employer = unknown('Employer', '1', 'primaryOwner.employerName')

describe('the employment of an owner', () => {
  const table: [why: string, owner: Partial<Party>, due: string[]][] = [
    ['without an occupation', { occupation: '', employerName: '' }, occupation],
    ['without an occupation, with an employer', { occupation: '', employerName: 'ACME' }, occupation],
    ['with an occupation and without an employer', { ...works, employerName: '' }, employer],
    ['with both', works, []],
    ...['Retired', 'Student', 'Homemaker', 'Unemployed', 'SelfEmployed'].map(
      (one): [string, Partial<Party>, string[]] => [`who is ${one}`, { ...retired, occupation: one }, []],
    ),
  ]
  for (const [why, owner, due] of table) {
    test(`${why} ${due.length === 0 ? 'is known' : 'falls due'}`, () =>
      assert.deepEqual(dueOf(owned('Individual', owner)), due))
  }

  test('is asked of every joint owner, and of no other party', () => {
    const second = unknown('Occupation', '2', 'associatedParties[0].occupation')
    const third = unknown('Employer', '3', 'associatedParties[1].employerName')
    const record = joint(retired, { occupation: '' }, { ...works, employerName: '' }, retired)
    assert.deepEqual(dueOf(record), [...second, ...third])
    const agent = person({ role: 'PowerOfAttorney', occupation: '', customerId: '5' })
    assert.deepEqual(dueOf({ ...joint(retired, retired), associatedParties: [agent] }), [])
    const aside = {
      ...owned('Individual', retired),
      associatedParties: [person({ role: 'Secondary', occupation: '' })],
    }
    assert.deepEqual(dueOf(aside), [])
  })

  test('is not asked of entities and of custodial accounts', () => {
    for (const type of ['Trust', 'Corporation', 'CustodialUtma'] as Registration[])
      assert.deepEqual(dueOf(owned(type, { occupation: '' })), [], type)
    assert.deepEqual(
      dueOf({ ...rightAccount('Estate'), associatedParties: [entity({ role: 'Executor' })] }),
      [],
    )
  })

  test('is asked of a minor on the day on which the minor is 18', () => {
    const at = (birthDate: string) => dueOf(owned('IraTraditional', { occupation: '', birthDate }))
    const of = (day: string, listed?: string) =>
      unknown('Occupation', '1', 'primaryOwner.occupation', day, listed)
    assert.deepEqual(at('2008-11-21'), of('2026-11-21', '2026-11-01'))
    assert.deepEqual(at('2008-11-20'), of(openedOn))
    assert.deepEqual(at('2008-11-19'), of(openedOn))
    assert.deepEqual(
      dueOf(owned('Individual', { occupation: '', birthDate: undefined } as never)),
      of(openedOn),
    )
  })

  test('is not asked after a text or a waiver, unless operations request it', () => {
    const record = owned('Individual', { occupation: '' })
    const stated = { statedFields: new Set(['primaryOwner.occupation']) }
    assert.deepEqual(dueOf(record, stated), [])
    const items = requestRenewal(record, 'Occupation', { ...facts, ...stated, day: openedOn })
    assert.equal('reason' in items ? 0 : items.length, 1)
    assert.deepEqual(requestRenewal(owned('Individual', works), 'Employer', { ...facts, day: openedOn }), {
      reason: 'The account has no owner whose occupation or employer is not known.',
    })
  })

  test('is answered by the record, and withdrawn if the record no longer asks', () => {
    const of = (kind: 'Occupation' | 'Employer', owner: Partial<Party>) =>
      isAnswered(owned('Individual', owner), facts, {
        kind,
        field: `primaryOwner.${kind === 'Occupation' ? 'occupation' : 'employerName'}`,
      })
    assert.deepEqual([of('Occupation', works), of('Occupation', { occupation: '' })], [true, false])
    assert.deepEqual([of('Employer', works), of('Employer', retired)], [true, false])
    const question = { kind: 'Employer', field: 'associatedParties[0].employerName' } as const
    assert.equal(isAnswered(joint(works, works), facts, question), true)
    assert.equal(isAnswered(joint(works), facts, question), false)
  })
})

test('the employer is asked for once the occupation is given, and an owner who is added is asked', () => {
  const course = new Course(joint({ occupation: '', employerName: '' }, retired))
  const open = () =>
    course.state.followUps
      .filter(({ status, field }) => status === 'Open' && /occupation|employerName/.test(field))
      .map(({ field, blocking }) => `${field} ${blocking}`)
  course.review(openedOn)
  assert.deepEqual(open(), ['primaryOwner.occupation false'])
  course.record = joint({ ...works, employerName: '' }, retired)
  course.review('2026-11-23')
  assert.deepEqual(open(), ['primaryOwner.employerName false'])
  course.record = joint(works, retired, { occupation: '' })
  course.review('2026-11-24')
  assert.deepEqual(open(), ['associatedParties[1].occupation false'])
  course.record = joint(works, retired, retired)
  course.review('2026-11-25')
  assert.deepEqual(open(), [])
  assert.doesNotMatch(course.states, /Occupation|Employer/)
})

test('an unanswered question about the employment restricts nothing', () => {
  const course = new Course(owned('Individual', { occupation: '' }))
  course.review(openedOn)
  course.review('2027-01-15')
  assert.match(course.states, /Occupation Overdue/)
})

describe('a trusted contact', () => {
  const noContact = 'The owner may name a trusted contact, or decline to.'
  const notReached =
    'The trusted contact has no phone number, e-mail address or address: give one of them, or decline to name a contact.'
  const address = {
    street: '1 ELM ST',
    city: 'AUSTIN',
    stateProvince: 'TX',
    country: 'US',
    postalCode: '78701',
  }
  const name = 'SANA HADDAD'
  const noPerson =
    'The name of the trusted contact is a placeholder: name a person, or decline to name a contact.'
  const table: [why: string, trustedContact: Party['trustedContact'], reason: string | undefined][] = [
    ['that is absent', undefined, noContact],
    ['without members', {}, noContact],
    ['with empty members', { name: '', email: '', address: {} }, noContact],
    ['with a name alone', { name }, notReached],
    ['with a relationship and a region', { name, relationship: 'Parent', phoneRegionCode: '1' }, notReached],
    ['with an empty address', { name, phoneNumber: '', address: { street: '' } }, notReached],
    ['with a phone number', { name, phoneNumber: '2015550188' }, undefined],
    ['with an e-mail address', { name, email: 'SANA@EXAMPLE.COM' }, undefined],
    ['with an address', { name, address }, undefined],
    ['without a name', { phoneNumber: '2015550188' }, noContact],
    ['with a placeholder as name', { name: 'N/A', phoneNumber: '2015550188' }, noPerson],
    ['with marks as name', { name: '-', phoneNumber: '2015550188' }, noPerson],
    ['with digits as name', { name: '...1', phoneNumber: '2015550188' }, noPerson],
  ]
  for (const [why, trustedContact, reason] of table) {
    test(`${why} is ${reason === undefined ? 'known' : 'asked for'}`, () => {
      const record = owned('Individual', { trustedContact } as Partial<Party>)
      const items = fallsDue(record, facts).filter(({ kind }) => kind === 'TrustedContact')
      assert.deepEqual(
        items.map((one) => [one.field, one.reason, one.fallsOn]),
        reason === undefined ? [] : [['primaryOwner.trustedContact', reason, openedOn]],
      )
      const found = judgeAccount(record, production).filter(({ rule }) => rule === 'TrustedContactAsked')
      assert.deepEqual(
        found.map((one) => one.reason),
        reason === undefined ? [] : [reason],
      )
    })
  }

  test('of an entity is not asked for', () => {
    const record = owned('Corporation', { trustedContact: { name } })
    assert.ok(!fallsDue(record, facts).some(({ kind }) => kind === 'TrustedContact'))
  })

  test('with a name alone reopens the question, which restricts nothing and ends with a phone number', () => {
    const course = new Course(owned('Individual', { trustedContact: { name } }))
    assert.deepEqual(course.review(openedOn), ['asked FieldCompletion'])
    course.review('2027-01-15')
    assert.match(course.states, /TrustedContact Overdue/)
    course.record = owned('Individual', { trustedContact: { name, phoneNumber: '2015550188' } })
    course.review('2027-01-16')
    assert.equal(course.states, '')
  })
})
