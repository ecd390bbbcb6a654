// The year of an account in tables: the facts that fall due on the day before, on the day and after it, and the
// effect of an answer.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRules, type RenewalKind, renewalKinds } from '@clearing/protocol'
import { ageOn, birthdayAt } from '../age.ts'
import type { Registration } from '../policy/registration-roles.ts'
import type { AccountRecord } from '../record.ts'
import { person } from '../testing/right-accounts.ts'
import { fallsDue, type YearFacts } from './falls-due.ts'
import { requestRenewal, withRequested } from './request-renewal.ts'
import { requestOf } from './review-year.ts'
import { Course, facts, ids, openedOn, owned } from './testing/year-course.ts'

function minor(registration: Registration, birthDate: string, stateProvince: string): AccountRecord {
  const record = owned(registration, { birthDate })
  return { ...record, mailingAddress: { ...record.mailingAddress, stateProvince } }
}
const foreignEntity = owned('Llc', { citizenshipCountry: 'DE' })
const foreign = owned('IndividualJointForeign', { governmentIdentification: ids(undefined) })

const due: [what: string, record: AccountRecord, given: Partial<YearFacts>, ...expected: string[]][] = [
  ['nothing for a valid account', owned('Individual', {}), {}],
  [
    'a passport',
    owned('Individual', { governmentIdentification: ids('2027-03-31') }),
    {},
    'IdentityDocument 2027-04-01',
  ],
  [
    'the document that is valid longer, of two',
    owned('Individual', { governmentIdentification: ids('2027-03-31', '2028-02-28') }),
    {},
    'IdentityDocument 2028-02-29',
  ],
  [
    'nothing if a document has no date',
    owned('Individual', { governmentIdentification: ids('2027-03-31', undefined) }),
    {},
  ],
  [
    'the passport of a party',
    {
      ...owned('JointWROS', {}),
      associatedParties: [person({ role: 'Secondary', governmentIdentification: ids('2027-12-31') })],
    },
    {},
    'IdentityDocument 2028-01-01',
  ],
  [
    'a Form W-9 that was never received, on the day of the opening',
    owned('Individual', {}),
    { w9On: undefined },
    'W9Certification 2026-11-20',
  ],
  ['a Form W-9 of an entity', owned('Llc', {}), { w9On: undefined }, 'W9Certification 2026-11-20'],
  ['nothing for a magic tax id', owned('Individual', { taxIdNumber: '000000004' }), { w9On: undefined }],
  ['a Form W-8BEN that was never received', foreign, { w9On: undefined }, 'W8Certification 2026-11-20'],
  [
    'a Form W-8BEN after the end of the third year after its signature',
    foreign,
    { w9On: undefined, w8On: '2026-01-01' },
    'W8Certification 2030-01-01',
  ],
  [
    'a Form W-8BEN that was signed on the last day of a year',
    foreign,
    { w8On: '2026-12-31' },
    'W8Certification 2030-01-01',
  ],
  ['nothing for a foreign owner with a later Form W-9', foreign, { w9On: '2026-01-02', w8On: '2026-01-01' }],
  [
    'a Form W-8BEN of the same day as a Form W-9',
    foreign,
    { w9On: '2026-01-01', w8On: '2026-01-01' },
    'W8Certification 2030-01-01',
  ],
  [
    'a Form W-8BEN that is later than a Form W-9',
    foreign,
    { w9On: '2026-01-01', w8On: '2026-01-02' },
    'W8Certification 2030-01-01',
  ],
  ['nothing for a foreign owner with a Form W-9 alone', foreign, {}],
  [
    'a Form W-8BEN-E that was never received',
    foreignEntity,
    { w9On: undefined },
    'W8EntityCertification 2026-11-20',
  ],
  [
    'a Form W-8BEN-E after the end of the third year after its signature',
    foreignEntity,
    { w9On: undefined, w8EntityOn: '2026-12-31' },
    'W8EntityCertification 2030-01-01',
  ],
  [
    'nothing for a Form W-8IMY, which does not lapse',
    foreignEntity,
    { w9On: undefined, w8FlowThroughOn: '2020-01-01' },
  ],
  ['nothing for a foreign entity whose Form W-9 was approved', foreignEntity, {}],
  [
    'a Form W-8BEN-E in place of the Form W-8BEN of a person',
    foreignEntity,
    { w9On: undefined, w8On: openedOn },
    'W8EntityCertification 2026-11-20',
  ],
  [
    'a trusted contact that was never named',
    owned('Individual', { trustedContact: {} }),
    {},
    'TrustedContact 2026-11-20',
  ],
  [
    'the coming of age at 21 in New Jersey',
    minor('CustodialUtma', '2010-05-06', 'NJ'),
    {},
    'ComingOfAge 2031-05-06',
  ],
  [
    'the coming of age at 18 in California',
    minor('CustodialUtma', '2010-05-06', 'CA'),
    {},
    'ComingOfAge 2028-05-06',
  ],
  [
    'the coming of age at 25 in California after an answer',
    minor('CustodialUtma', '2010-05-06', 'CA'),
    { ofAgeAnswers: 1 },
    'ComingOfAge 2035-05-06',
  ],
  [
    'the coming of age at 25 of an owner in California who was 18 at the opening',
    minor('CustodialUtma', '2008-11-20', 'CA'),
    {},
    'ComingOfAge 2033-11-20',
  ],
  [
    'the coming of age at 19 under the UGMA of Nebraska',
    minor('CustodialUgma', '2010-05-06', 'NE'),
    {},
    'ComingOfAge 2029-05-06',
  ],
  [
    'the coming of age of an owner who was born on a leap day',
    minor('CustodialUtma', '2012-02-29', 'KY'),
    {},
    'ComingOfAge 2030-03-01',
  ],
  [
    'the coming of age under the UGMA of Wyoming of an owner who was born on a leap day',
    minor('CustodialUgma', '2008-02-29', 'WY'),
    { openedOn: '2025-01-02' },
    'ComingOfAge 2027-03-01',
  ],
  [
    'the coming of age in an IRA with a guardian',
    { ...owned('IraRoth', { birthDate: '2010-05-06' }), associatedParties: [person({ role: 'Guardian' })] },
    {},
    'ComingOfAge 2028-05-06',
    'GuardianshipDocument 2026-11-20',
  ],
  [
    'only the authority of the guardian for an adult owner of an IRA',
    { ...owned('IraRoth', { birthDate: '1990-05-06' }), associatedParties: [person({ role: 'Guardian' })] },
    {},
    'GuardianshipDocument 2026-11-20',
  ],
]

describe('the review of the year finds', () => {
  for (const [what, record, given, ...expected] of due) {
    test(what, () => {
      const found = fallsDue(record, { ...facts, ...given }).map(({ kind, fallsOn }) => `${kind} ${fallsOn}`)
      assert.deepEqual(found, expected)
    })
  }
})

test('a person born on a leap day comes of age on 29 February, or on 1 March of a common year', () => {
  assert.equal(birthdayAt('2012-02-29', 20), '2032-02-29')
  assert.equal(birthdayAt('2012-02-29', 21), '2033-03-01')
  for (const day of ['2032-02-29', '2033-03-01'])
    assert.equal(ageOn('2012-02-29', day), Number(day.slice(0, 4)) - 2012)
})

test('a coming of age is listed under the first day of its month, and its reason omits the year', () => {
  const [item] = fallsDue(minor('CustodialUtma', '2010-05-06', 'NJ'), facts)
  assert.deepEqual([item?.listedOn, item?.reason.includes('2031')], ['2031-05-01', false])
})

test('every kind of renewal has a rule of the business day, and every such rule has a kind', () => {
  const ofDay = accountRules.filter(({ effects }) => effects.day !== undefined).map(({ value }) => value)
  assert.deepEqual([...new Set(renewalKinds.map(({ rule }) => rule))].sort(), ofDay.sort())
})

function passport() {
  return new Course(owned('Individual', { governmentIdentification: ids('2027-03-31') }))
}
function expired() {
  const course = passport()
  course.review('2027-04-01')
  course.review('2027-05-02')
  return course
}

describe('a passport that expires', () => {
  test('is requested on the day after its last day', () => {
    const course = passport()
    assert.deepEqual(course.review('2027-03-30'), [])
    assert.deepEqual(course.review('2027-03-31'), [])
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Coming', '2027-04-01'])
    assert.deepEqual(course.review('2027-04-01'), ['asked IdentityDocument'])
    assert.deepEqual([course.renewals[0]?.dueOn, course.reviewOn], ['2027-05-01', '2027-05-02'])
  })
  test('holds the account on the day after the due date of the answer', () => {
    const course = passport()
    course.review('2027-04-01')
    assert.deepEqual(course.review('2027-04-30'), [])
    assert.deepEqual(course.review('2027-05-01'), [])
    assert.equal(course.states, 'IdentityDocument Asked')
    assert.deepEqual(course.review('2027-05-02'), ['expired FU-1'])
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Overdue', null])
  })
  test('is requested with the full time to answer if the clock jumps beyond both days', () => {
    const course = passport()
    assert.deepEqual(course.review('2029-01-01'), ['asked IdentityDocument'])
    assert.equal(course.renewals[0]?.dueOn, '2029-01-31')
  })
  test('is not late while an answer given on the due day is being reviewed', () => {
    const course = passport()
    course.review('2027-04-01')
    const answer = { documentId: 'D1', fields: [], text: '' }
    course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, '2027-05-01')
    assert.deepEqual(course.review('2027-06-01'), [])
    assert.equal(course.states, 'IdentityDocument Asked')
    course.take(
      { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'BLURRY', by: 'operations' },
      '2027-06-01',
    )
    course.review('2027-06-01')
    assert.deepEqual([course.renewals[0]?.dueOn, course.reviewOn], ['2027-07-01', '2027-07-02'])
  })
  test('is late if the answer is only text', () => {
    const course = passport()
    course.review('2027-04-01')
    const answer = { documentId: '', fields: [], text: 'It is on its way.' }
    course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, '2027-05-01')
    assert.deepEqual(course.review('2027-05-02'), ['expired FU-1'])
  })
  test('is settled by an approved document, even after the due date', () => {
    const course = expired()
    const answer = { documentId: 'D1', fields: [], text: '' }
    course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, '2027-06-01')
    course.review('2027-06-01')
    assert.equal(course.states, 'IdentityDocument Overdue')
    course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2027-06-02')
    // The record still has the expired one.
    assert.deepEqual(course.review('2027-06-02'), ['asked FieldCompletion'])
    assert.equal(course.states, 'IdentityDocument Settled, IdentityRecord Asked')
    assert.equal(course.state.followUps.at(-1)?.field, 'primaryOwner.governmentIdentification')
    // It is on record now, and is asked for when it expires.
    course.record = owned('Individual', { governmentIdentification: ids('2030-06-01') })
    assert.deepEqual(course.review('2027-06-03'), ['settled FU-2'])
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Coming', '2030-06-02'])
    assert.deepEqual(course.review('2030-06-01'), [])
    assert.deepEqual(course.review('2030-06-02'), ['asked IdentityDocument'])
  })
  test('is not asked to be recorded if the approval wrote it to the record, or the request was waived', () => {
    const written = expired()
    written.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2027-06-02')
    written.record = owned('Individual', { governmentIdentification: ids('2037-06-01') })
    assert.deepEqual(written.review('2027-06-02'), [])
    assert.deepEqual([written.states, written.reviewOn], ['IdentityDocument Coming', '2037-06-02'])
    const waived = expired()
    waived.take(
      { kind: 'follow-up-waived', followUpId: 'FU-1', reason: 'Moot.', by: 'operations' },
      '2027-06-02',
    )
    assert.deepEqual(waived.review('2027-06-02'), [])
    assert.deepEqual([waived.states, waived.reviewOn], ['IdentityDocument Settled', null])
  })
  test('that is renewed before its day is asked to be recorded on the day', () => {
    const course = passport()
    const day = '2027-01-10'
    const items = requestRenewal(course.record, 'IdentityDocument', { ...facts, day })
    if ('reason' in items) assert.fail(items.reason)
    course.take({ kind: 'renewal-asked', requests: items.map(requestOf), by: 'operations' }, day)
    course.renewals = withRequested([], items, course.state.followUps)
    course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, day)
    assert.deepEqual(course.review(day), [])
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Settled', '2027-04-01'])
    assert.deepEqual(course.review('2027-03-31'), [])
    assert.deepEqual(course.review('2027-04-01'), ['asked FieldCompletion'])
  })
  test('is settled by a later date in the record, and requested again by that date', () => {
    const course = expired()
    course.record = owned('Individual', { governmentIdentification: ids('2037-03-31') })
    assert.deepEqual(course.review('2027-06-01'), ['settled FU-1'])
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Coming', '2037-04-01'])
    assert.deepEqual(course.review('2037-04-01'), ['asked IdentityDocument'])
  })
})

test('a refused late answer leaves the account held', () => {
  const course = expired()
  const answer = { documentId: 'D1', fields: [], text: '' }
  course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, '2027-06-01')
  course.take(
    { kind: 'follow-up-refused', followUpId: 'FU-1', reason: 'BLURRY', by: 'operations' },
    '2027-06-02',
  )
  course.review('2027-06-02')
  assert.equal(course.states, 'IdentityDocument Overdue')
})

test('a W-9 that the opening requested is not requested a second time', () => {
  const course = new Course(owned('Individual', {}), { w9On: undefined })
  course.take(
    {
      kind: 'renewal-asked',
      requests: [{ code: 'W9Certification', field: 'primaryOwner', reason: 'It is asked for.' }],
    },
    openedOn,
  )
  assert.deepEqual(course.review(openedOn), [])
  assert.deepEqual([course.states, course.reviewOn], ['W9Certification Asked', '2026-12-21'])
  course.review('2026-12-21')
  assert.equal(course.states, 'W9Certification Overdue')
  course.given = { w9On: '2027-01-05' }
  assert.deepEqual(course.review('2027-01-05'), ['settled FU-1'])
  assert.deepEqual([course.states, course.reviewOn], ['', null])
})

test('a W-8BEN lapses at the end of the third year, and again after its renewal', () => {
  const course = new Course(foreign, { w8On: '2026-11-30' })
  course.review('2029-12-31')
  assert.deepEqual([course.states, course.reviewOn], ['W8Certification Coming', '2030-01-01'])
  assert.deepEqual(course.review('2030-01-01'), ['asked W8Certification'])
  course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2030-01-20')
  course.given = { w8On: '2030-01-20' }
  course.review('2030-01-20')
  assert.deepEqual([course.states, course.reviewOn], ['W8Certification Coming', '2034-01-01'])
  assert.deepEqual(course.review('2034-01-01'), ['asked W8Certification'])
})

test('a trusted contact is requested once, a written answer settles the request, and the account is never held', () => {
  const course = new Course(owned('Individual', { trustedContact: {} }))
  assert.deepEqual(course.review(openedOn), ['asked FieldCompletion'])
  const answer = { documentId: '', fields: [], text: 'The owner names no contact.' }
  course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, openedOn)
  assert.deepEqual(course.review(openedOn), ['settled FU-1'])
  assert.deepEqual([course.states, course.reviewOn], ['TrustedContact Settled', null])
  assert.deepEqual(course.review('2030-01-01'), [])
})

test('the owner of a custodial account is asked on the birthday of each possible age', () => {
  const course = new Course(minor('CustodialUtma', '2012-02-29', 'CA'))
  course.review(openedOn)
  assert.equal(course.reviewOn, '2030-03-01')
  assert.deepEqual(course.review('2030-02-28'), [])
  assert.deepEqual(course.review('2030-03-01'), ['asked OwnerInstruction'])
  course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2030-03-05')
  course.review('2030-03-05')
  assert.deepEqual([course.states, course.reviewOn], ['ComingOfAge Coming', '2037-03-01'])
  assert.deepEqual(course.review('2037-03-01'), ['asked OwnerInstruction'])
  course.take({ kind: 'follow-up-accepted', followUpId: 'FU-2' }, '2037-03-05')
  course.review('2037-03-05')
  assert.deepEqual([course.states, course.reviewOn], ['ComingOfAge Settled', null])
  assert.deepEqual(course.review('2040-03-05'), [])
})

describe('a custodial account whose owner gave the instruction at the last age', () => {
  const answer = { documentId: 'D1', fields: [], text: '' }
  const accept = (course: Course, followUpId: string, day: string) => {
    course.take({ kind: 'follow-up-answered', followUpId, answer, by: 'firm' }, day)
    course.take({ kind: 'follow-up-accepted', followUpId }, day)
  }
  const instructed = () => {
    const course = new Course(minor('CustodialUtma', '2010-05-06', 'NJ'))
    course.review('2031-05-06')
    accept(course, 'FU-1', '2031-05-10')
    return course
  }
  test('is asked again 30 days after each answer, until it is custodial no more', () => {
    const course = instructed()
    assert.deepEqual(course.review('2031-05-10'), [])
    assert.equal(course.states, 'ComingOfAge Settled, CustodianshipEnded Coming')
    assert.equal(course.reviewOn, '2031-06-09')
    assert.deepEqual(course.review('2031-06-08'), [])
    assert.deepEqual(course.review('2031-06-09'), ['asked OwnerInstruction'])
    // It is late after another 30 days, and nothing follows but that it stays open.
    assert.deepEqual(course.review('2031-07-10'), ['expired FU-2'])
    assert.equal(course.states, 'ComingOfAge Settled, CustodianshipEnded Overdue')
    accept(course, 'FU-2', '2031-07-20')
    assert.deepEqual(course.review('2031-07-20'), [])
    assert.equal(course.reviewOn, '2031-08-19')
    assert.deepEqual(course.review('2031-08-19'), ['asked OwnerInstruction'])
    course.record = { ...course.record, registrationType: 'Individual' }
    assert.deepEqual(course.review('2031-08-20'), ['settled FU-3'])
    assert.equal(course.states, '')
  })
  test('is not asked again after a waiver', () => {
    const course = instructed()
    course.review('2031-06-09')
    const waived = {
      kind: 'follow-up-waived',
      followUpId: 'FU-2',
      reason: 'In litigation.',
      by: 'operations',
    }
    course.take(waived as never, '2031-06-10')
    assert.deepEqual(course.review('2031-06-10'), [])
    assert.equal(course.states, 'ComingOfAge Settled, CustodianshipEnded Settled')
    assert.deepEqual(course.review('2032-06-10'), [])
  })
})

test('a coming of age within a month is found on its day', () => {
  const course = new Course(minor('CustodialUtma', '2010-05-06', 'NJ'))
  course.review('2031-05-01')
  assert.equal(course.reviewOn, '2031-05-02')
  assert.deepEqual(course.review('2031-05-05'), [])
  assert.deepEqual(course.review('2031-05-06'), ['asked OwnerInstruction'])
})

describe('a request of operations', () => {
  const request = (course: Course, kind: RenewalKind, day: string) => {
    const items = requestRenewal(course.record, kind, { ...facts, ...course.given, day })
    if ('reason' in items) assert.fail(items.reason)
    course.take({ kind: 'renewal-asked', requests: items.map(requestOf) }, day)
    course.renewals = withRequested(course.renewals, items, course.state.followUps)
  }
  test('before the expiration date does not hold the account before that date', () => {
    const course = passport()
    request(course, 'IdentityDocument', '2027-01-10')
    course.review('2027-01-10')
    assert.deepEqual([course.states, course.reviewOn], ['IdentityDocument Asked', '2027-04-01'])
    assert.deepEqual(course.review('2027-03-31'), [])
    assert.deepEqual(course.review('2027-04-01'), ['expired FU-1'])
  })
  test('before the expiration date is answered by a later date in the record', () => {
    const course = passport()
    request(course, 'IdentityDocument', '2027-01-10')
    course.record = owned('Individual', { governmentIdentification: ids('2037-03-31') })
    assert.deepEqual(course.review('2027-01-20'), ['settled FU-1'])
    assert.equal(course.reviewOn, '2037-04-01')
  })
  test('for a new W-9 is settled by an accepted answer', () => {
    const course = new Course(owned('Individual', {}))
    request(course, 'W9Certification', '2027-01-10')
    course.review('2027-01-10')
    assert.deepEqual([course.states, course.reviewOn], ['W9Certification Asked', '2027-02-10'])
    assert.deepEqual(course.review('2027-02-10'), ['expired FU-1'])
    course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2027-02-11')
    course.review('2027-02-11')
    assert.equal(course.states, '')
  })
  test('for a new form of a foreign entity that has filed Form W-8IMY is addressed to the entity', () => {
    const items = requestRenewal(foreignEntity, 'W8EntityCertification', {
      ...facts,
      w8FlowThroughOn: openedOn,
      day: '2027-01-10',
    })
    if ('reason' in items) assert.fail(items.reason)
    assert.deepEqual(
      items.map(({ field, fallsOn }) => [field, fallsOn]),
      [['primaryOwner', '2027-01-10']],
    )
  })
  test('for an item that the account cannot have is refused with a reason', () => {
    const refused: [AccountRecord, RenewalKind][] = [
      [owned('Individual', {}), 'W8Certification'],
      [foreign, 'W9Certification'],
      [foreign, 'W8EntityCertification'],
      [foreignEntity, 'W8Certification'],
      [foreignEntity, 'W9Certification'],
      [owned('Individual', {}), 'ComingOfAge'],
      [owned('Llc', {}), 'IdentityDocument'],
      [owned('Individual', {}), 'TrustedContact'],
    ]
    for (const [record, kind] of refused) {
      assert.ok('reason' in requestRenewal(record, kind, { ...facts, day: openedOn }), kind)
    }
  })
})
