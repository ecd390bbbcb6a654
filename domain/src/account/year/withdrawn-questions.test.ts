// Questions that a change of the record ends: they are not answered, and one that comes back has its first due date.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '../../market/calendar/day.ts'
import type { AccountRecord, Party } from '../record.ts'
import { person } from '../testing/right-accounts.ts'
import { isAnswered } from './is-answered.ts'
import { Course, facts, ids, openedOn, owned } from './testing/year-course.ts'

const isForeign = { citizenshipCountry: 'FR', taxIdType: 'TaxId', taxIdNumber: '912701234' }
function customer(customerType: string): AccountRecord {
  const changes = { ...isForeign, caisInformation: { customerType: [customerType] } }
  return owned('Individual', changes as Partial<Party>)
}
const foreign = customer('Foreign')
const notForeign = customer('NotApplicable')
const uncertified = { w9On: undefined }

function statusOf({ state }: Course): string[] {
  return state.followUps.map(({ code, status, dueBy }) => `${code} ${status} ${dueBy?.slice(0, 10)}`)
}

describe('a tax form of which the record asks for another', () => {
  // The first form is due on 20 December, and late on the day after.
  const due = addDays(openedOn, 30)

  test('is not accepted, and the other form is late at once if the first one was late', () => {
    const course = new Course(foreign, uncertified)
    assert.deepEqual(course.review(openedOn), ['asked W8Certification'])
    assert.deepEqual(course.review(due), [])
    assert.deepEqual(course.review(addDays(due, 1)), ['expired FU-1'])
    course.record = notForeign
    assert.deepEqual(course.review(addDays(due, 3)), [
      'asked W9OrW8Certification',
      'withdrawn FU-1',
      'expired FU-2',
    ])
    assert.equal(course.states, 'W9OrW8Certification Overdue')
    course.record = foreign
    assert.deepEqual(course.review(addDays(due, 3)), [
      'asked W8Certification',
      'withdrawn FU-2',
      'expired FU-3',
    ])
    assert.equal(course.states, 'W8Certification Overdue')
    assert.deepEqual(statusOf(course), [
      `W8Certification Waived ${due}`,
      `W9OrW8Certification Waived ${due}`,
      `W8Certification Expired ${due}`,
    ])
    assert.equal(course.state.followUps[0]?.reasons.at(-1), 'The record no longer asks for it.')
  })

  for (const [when, days, late] of [
    ['the day before the due date', -1, false],
    ['the due date', 0, false],
    ['the day after the due date', 1, true],
  ] as const) {
    test(`leaves the other one the rest of its time on ${when}`, () => {
      const course = new Course(foreign, uncertified)
      course.review(openedOn)
      course.record = notForeign
      course.review(addDays(due, days))
      assert.equal(course.states, late ? 'W9OrW8Certification Overdue' : 'W9OrW8Certification Asked')
      assert.equal(course.renewals[0]?.dueOn, due)
      course.review(addDays(due, 1))
      assert.equal(course.states, 'W9OrW8Certification Overdue')
    })
  }

  test('is a new question after it was answered, or waived by a person', () => {
    for (const event of [
      { kind: 'follow-up-accepted' },
      { kind: 'follow-up-waived', reason: 'Shown.', by: 'operations' },
    ] as const) {
      const course = new Course(foreign, uncertified)
      course.review(openedOn)
      course.take({ ...event, followUpId: 'FU-1' }, addDays(openedOn, 5))
      course.record = notForeign
      const day = addDays(due, 20)
      assert.deepEqual(course.review(day), ['asked W9OrW8Certification'])
      assert.equal(course.renewals[0]?.dueOn, addDays(day, 30))
    }
  })

  test('is accepted if it was given meanwhile', () => {
    const course = new Course(notForeign, uncertified)
    course.review(openedOn)
    course.given = { w9On: openedOn }
    assert.deepEqual(course.review(due), ['settled FU-1'])
    assert.equal(course.state.followUps[0]?.status, 'Accepted')
    assert.equal(course.state.followUps[0]?.withdrawnOn, undefined)
  })
})

describe('an agent whose identification has expired', () => {
  const withRole = (role: string, until = '2026-12-01'): AccountRecord =>
    owned('Individual', {}).associatedParties.length === 0
      ? {
          ...owned('Individual', {}),
          associatedParties: [person({ role, customerId: '2', governmentIdentification: ids(until) })],
        }
      : assert.fail()
  const ofIdentity = (course: Course) =>
    course.state.followUps
      .filter(({ code }) => code === 'IdentityDocument')
      .map(({ status, dueBy }) => `${status} ${dueBy?.slice(0, 10)}`)
  // Asked on 2 December, due on 1 January, late on 2 January.
  const asked = () => {
    const course = new Course(withRole('PowerOfAttorney'))
    course.review('2026-12-02')
    assert.deepEqual(ofIdentity(course), ['Open 2027-01-01'])
    return course
  }
  const away = (course: Course, day: string, back: string) => {
    course.record = withRole('InterestedParty')
    course.review(day)
    course.record = withRole('PowerOfAttorney')
    course.review(back)
    return ofIdentity(course)
  }

  for (const [back, status] of [
    ['2026-12-31', 'Open'],
    ['2027-01-01', 'Open'],
    ['2027-01-02', 'Expired'],
  ] as const) {
    test(`has the first due date after other roles until ${back}`, () => {
      assert.deepEqual(away(asked(), '2026-12-20', back), ['Waived 2027-01-01', `${status} 2027-01-01`])
    })
  }
  test('is late again at once if it was late before', () => {
    const course = asked()
    course.review('2027-01-02')
    assert.deepEqual(away(course, '2027-01-03', '2027-01-03'), ['Waived 2027-01-01', 'Expired 2027-01-01'])
    assert.match(course.states, /IdentityDocument Overdue/)
  })
  test('is asked anew after more than a year, or for an identification that expired meanwhile', () => {
    const withdrawn = '2026-12-20'
    assert.equal(away(asked(), withdrawn, addDays(withdrawn, 365)).at(-1), 'Expired 2027-01-01')
    const late = addDays(withdrawn, 366)
    assert.equal(away(asked(), withdrawn, late).at(-1), `Open ${addDays(late, 30)}`)
    for (const [until, due] of [
      ['2026-12-19', '2027-01-01'],
      ['2026-12-20', '2027-01-31'],
    ] as const) {
      const course = asked()
      course.record = withRole('InterestedParty', until)
      course.review(withdrawn)
      course.record = withRole('PowerOfAttorney', until)
      course.review('2027-01-01')
      assert.equal(ofIdentity(course).at(-1), `Open ${due}`)
    }
  })
})

describe('the birth date of an owner who was asked at majority', () => {
  const born = (birthDate: string) => owned('CustodialUtma', { birthDate })
  const asked = () => {
    const course = new Course(born('2005-12-01'))
    course.review('2026-12-01')
    course.review('2027-01-01')
    assert.equal(course.states, 'ComingOfAge Overdue')
    return course
  }
  test('can be corrected to one of an adult without an end of the request', () => {
    const course = asked()
    course.record = born('1990-01-01')
    assert.deepEqual(course.review('2027-01-02'), [])
    assert.equal(course.states, 'ComingOfAge Overdue')
    assert.equal(course.state.followUps[0]?.status, 'Expired')
    assert.equal(course.renewals[0]?.listedOn, '2011-01-01')
  })
  test('of an adult does not ask again after the instruction', () => {
    const course = asked()
    const answer = { documentId: 'D1', fields: [], text: '' }
    course.take({ kind: 'follow-up-answered', followUpId: 'FU-1', answer, by: 'firm' }, '2027-01-02')
    course.take({ kind: 'follow-up-accepted', followUpId: 'FU-1' }, '2027-01-02')
    course.review('2027-01-02')
    for (const [birthDate, ...found] of [
      ['1990-01-01'],
      ['2006-01-01'],
      ['2006-01-02'],
      ['1990-01-01'],
      ['2006-01-03', 'asked OwnerInstruction'],
    ] as const) {
      course.record = born(birthDate)
      assert.deepEqual(course.review('2027-01-05'), found, birthDate)
    }
  })
  test('of a minor ends the request without an answer until the owner comes of age', () => {
    const course = asked()
    course.record = born('2006-02-01')
    assert.deepEqual(course.review('2027-01-02'), ['withdrawn FU-1'])
    assert.equal(course.state.followUps[0]?.status, 'Waived')
    assert.deepEqual(course.review('2027-01-31'), [])
    assert.deepEqual(course.review('2027-02-01'), ['asked OwnerInstruction'])
    assert.equal(course.renewals[0]?.dueOn, '2027-03-03')
  })
  test('of a minor is no instruction: the owner is asked at the first of two ages', () => {
    const inCalifornia = (birthDate: string) => {
      const record = born(birthDate)
      return { ...record, mailingAddress: { ...record.mailingAddress, stateProvince: 'CA' } }
    }
    const course = new Course(inCalifornia('2009-08-25'))
    assert.deepEqual(course.review('2027-08-25'), ['asked OwnerInstruction'])
    course.record = inCalifornia('2009-10-25')
    assert.deepEqual(course.review('2027-09-01'), ['withdrawn FU-1'])
    assert.deepEqual(course.review('2027-10-24'), [])
    assert.deepEqual(course.review('2027-10-25'), ['asked OwnerInstruction'])
    assert.equal(course.renewals[0]?.dueOn, '2027-11-24')
  })
  test('that is changed back leaves the request as late as it was', () => {
    const course = asked()
    course.record = born('2006-02-01')
    course.review('2027-01-02')
    course.record = born('2005-12-01')
    assert.deepEqual(course.review('2027-01-03'), ['asked OwnerInstruction', 'expired FU-2'])
  })
})

describe('a foreign owner who moved to the United States', () => {
  // Asked on 1 February, due on 3 March, late on 4 March.
  const movedOn = '2027-02-01'
  const inStates = (since: string) => ({
    ...uncertified,
    w8On: openedOn,
    usAddressSince: new Map([['primaryOwner', since]]),
  })
  const abroad = { ...uncertified, w8On: openedOn }
  const moved = () => {
    const course = new Course(foreign, inStates(movedOn))
    course.review(movedOn)
    course.review('2027-03-04')
    assert.equal(course.states, 'W8Certification Overdue, ForeignStatusEvidence Overdue')
    return course
  }
  test('wins no time by a move abroad and back', () => {
    const course = moved()
    course.given = abroad
    course.review('2027-03-05')
    assert.deepEqual(statusOf(course), [
      'W8Certification Waived 2027-03-03',
      'ForeignIdentityDocument Waived 2027-03-03',
    ])
    course.given = inStates('2027-03-10')
    course.review('2027-03-10')
    assert.equal(course.states, 'W8Certification Overdue, ForeignStatusEvidence Overdue')
    assert.deepEqual(statusOf(course).slice(2), [
      'W8Certification Expired 2027-03-03',
      'ForeignIdentityDocument Expired 2027-03-03',
    ])
  })
  test('answers with a form that is signed on the day of the move or later, not before', () => {
    for (const [w8On, status] of [
      ['2027-01-31', 'Waived'],
      [movedOn, 'Accepted'],
      ['2027-02-02', 'Accepted'],
    ] as const) {
      const course = moved()
      course.given = { ...abroad, w8On }
      course.review('2027-03-05')
      assert.equal(course.state.followUps[0]?.status, status, w8On)
    }
    const course = moved()
    course.given = { ...inStates(movedOn), w9On: '2027-03-05' }
    course.review('2027-03-05')
    assert.deepEqual(
      course.state.followUps.map(({ status }) => status),
      ['Accepted', 'Accepted'],
    )
  })
})

test('a record answers a question only if it still asks it', () => {
  const field = 'primaryOwner'
  const agent = { ...foreign, associatedParties: [person({ role: 'PowerOfAttorney' })] }
  const bystander = { ...foreign, associatedParties: [person({ role: 'InterestedParty' })] }
  const ofAgent = 'associatedParties[0].governmentIdentification'
  const entity = owned('Llc', {})
  const moved = { usAddressSince: new Map([[field, openedOn]]) }
  for (const [record, kind, path, answered, given] of [
    [notForeign, 'W9OrW8Certification', field, true, {}],
    [foreign, 'W9OrW8Certification', field, false, {}],
    [owned('Individual', {}), 'W9Certification', field, true, {}],
    [notForeign, 'W9Certification', field, false, {}],
    [foreign, 'W8Certification', field, true, {}],
    [foreign, 'W8Certification', 'associatedParties[0]', false, {}],
    [notForeign, 'W8Certification', field, false, uncertified],
    [notForeign, 'W8Certification', field, true, {}],
    [entity, 'W8EntityCertification', field, false, {}],
    [foreign, 'ForeignStatusEvidence', field, true, moved],
    [foreign, 'ForeignStatusEvidence', field, false, {}],
    [notForeign, 'ForeignStatusEvidence', field, false, { ...moved, ...uncertified }],
    [notForeign, 'ForeignStatusEvidence', field, true, moved],
    [agent, 'IdentityDocument', ofAgent, true, {}],
    [agent, 'IdentityRecord', ofAgent, true, {}],
    [bystander, 'IdentityDocument', ofAgent, false, {}],
    [foreign, 'TrustedContact', 'primaryOwner.trustedContact', true, {}],
    [entity, 'TrustedContact', 'primaryOwner.trustedContact', false, {}],
    [owned('Individual', {}), 'CustodianshipEnded', field, true, {}],
    [owned('CustodialUtma', {}), 'CustodianshipEnded', field, false, {}],
    [owned('Individual', {}), 'ComingOfAge', field, false, {}],
    [agent, 'AuthorityDocument', 'associatedParties[0]', false, {}],
  ] as const) {
    const found = isAnswered(record, { ...facts, ...given }, { kind, field: path })
    assert.equal(found, answered, `${kind} ${path}`)
  }
})
