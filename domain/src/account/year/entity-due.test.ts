// What is asked about the owners of an entity and about who acts for it, at each review.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FollowUp } from '../../onboarding/onboarding-state.ts'
import type { Registration } from '../policy/registration-roles.ts'
import type { AccountRecord, Party } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { areOwnersStated, statedFieldsOf } from './entity-due.ts'
import { fallsDue } from './falls-due.ts'
import { requestRenewal } from './request-renewal.ts'
import { openedOn, facts as usualFacts } from './testing/year-course.ts'

// Nothing is stated of the owners unless a test says so.
const { statedFields: _, ...facts } = usualFacts
const kinds = ['BeneficialOwners', 'OwnershipShare', 'ActingPerson'] as const

function owned(registration: Registration, ...parties: Party[]): AccountRecord {
  const record = rightAccount(registration)
  const associatedParties = [...record.associatedParties, ...parties].map((party, at) => ({
    ...party,
    customerId: String(at + 2),
  }))
  return { ...record, primaryOwner: { ...record.primaryOwner, customerId: '1' }, associatedParties }
}
function only(registration: Registration, ...parties: Party[]): AccountRecord {
  return { ...owned(registration), associatedParties: parties }
}
function dueOf(record: AccountRecord, statedFields?: ReadonlySet<string>) {
  return fallsDue(record, { ...facts, ...(statedFields && { statedFields }) })
    .filter(({ kind }) => kinds.some((one) => one === kind))
    .map(({ kind, subject, field, asks, fallsOn }) => `${kind} ${subject} ${field} ${asks} ${fallsOn}`)
}
function named(ownershipPercent?: string) {
  return person({ role: 'BeneficialOwner', ...(ownershipPercent === undefined ? {} : { ownershipPercent }) })
}
const asked = `BeneficialOwners 1 associatedParties FieldCompletion ${openedOn}`

test('an entity whose owners were named is asked again when a change replaces them', () => {
  assert.deepEqual(dueOf(owned('Corporation', named('80'))), [])
  const shell = entity({ role: 'Partner', ownershipPercent: '99.99' })
  assert.deepEqual(dueOf(owned('Corporation', named('0.01'), shell)), [asked])
  assert.deepEqual(dueOf(owned('Corporation', named('0'))), [asked])
  assert.deepEqual(dueOf(owned('Corporation', named('24.99'))), [asked])
  assert.deepEqual(dueOf(owned('Corporation', named('25'))), [])
})

test('a beneficial owner without a share is asked for it, each alone', () => {
  const share = (at: number) =>
    `OwnershipShare ${at + 2} associatedParties[${at}].ownershipPercent FieldCompletion ${openedOn}`
  const record = owned('Llc', named(), named('30'), named())
  assert.deepEqual(dueOf(record), [share(1), share(3)])
  assert.deepEqual(dueOf(record, new Set(['associatedParties[1].ownershipPercent'])), [share(3)])
})

test('a trust or an estate is asked for a person who acts for its trustee or executor', () => {
  const acting = `ActingPerson 1 associatedParties FieldCompletion ${openedOn}`
  assert.deepEqual(dueOf(only('Trust', entity({ role: 'Trustee' }))), [acting])
  const beneficiary = person({ role: 'Beneficiary', birthDate: '2020-01-01' })
  assert.deepEqual(dueOf(only('Estate', entity({ role: 'Executor' }), beneficiary)), [acting])
  const signer = person({ role: 'AuthorizedSigner' })
  assert.deepEqual(dueOf(only('Trust', entity({ role: 'Trustee' }), signer)), [])
  assert.deepEqual(dueOf(owned('Trust')), [])
})

describe('a text that states the owners', () => {
  const at = '2026-12-01T15:00:00.000Z'
  const answer = { documentId: '', fields: [] as string[], text: 'No person owns 25 percent.', at }
  const followUp = (changes: Partial<FollowUp> = {}): FollowUp => ({
    id: 'FU-1',
    code: 'FieldCompletion',
    kind: 'Field',
    field: 'associatedParties',
    reasons: [],
    acceptedDocuments: [],
    status: 'Waived',
    dueBy: null,
    stage: 'IdentityCheck',
    answers: [answer],
    ...changes,
  })
  const record = owned('Corporation')
  const before = owned('Corporation', named('80'))
  const endedAt = (time: string, one = before) => ({ record: one, endedOn: '', endedAt: time })
  const stated = (followUps: FollowUp[], ...earlier: ReturnType<typeof endedAt>[]) =>
    dueOf(record, statedFieldsOf(record, followUps, earlier)).length === 0

  test('answers while the owners are the same', () => {
    assert.ok(stated([followUp()]))
    assert.ok(stated([followUp({ status: 'Accepted' })]))
    // Another address.
    assert.ok(stated([followUp()], endedAt('2027-01-01T00:00:00.000Z', { ...record, mailingAddress: {} })))
  })
  test('is of the owners whom it was written about', () => {
    assert.ok(stated([followUp()], endedAt('2026-12-01T14:59:59.999Z')))
    assert.ok(!stated([followUp()], endedAt(at)))
    assert.ok(!stated([followUp()], endedAt('2026-12-01T15:00:00.001Z')))
    const latest = [endedAt('2027-03-01T00:00:00.000Z', record), endedAt('2027-02-01T00:00:00.000Z')]
    assert.ok(!stated([followUp()], ...latest))
  })
  test('does not answer before operations accept it, and only a text does', () => {
    for (const status of ['Open', 'Answered', 'Rejected', 'Expired'] as const)
      assert.ok(!stated([followUp({ status })]), status)
    assert.ok(!stated([followUp({ answers: [{ ...answer, fields: ['associatedParties'] }] })]))
    assert.ok(!stated([followUp({ kind: 'Review' })]))
    const { answers: _, ...unanswered } = followUp()
    assert.ok(!stated([unanswered]))
  })
  test('is not accepted by a change that withdrew the question', () => {
    assert.ok(!stated([followUp({ withdrawnOn: '2026-12-02' })]))
  })
  test('is compared with earlier records only if it is about all parties', () => {
    assert.ok(areOwnersStated([followUp()]))
    const share = followUp({ field: 'associatedParties[1].ownershipPercent' })
    assert.ok(!areOwnersStated([share]))
    assert.ok(!areOwnersStated([followUp({ status: 'Open' })]))
    assert.deepEqual([...statedFieldsOf(record, [share], [endedAt(at)])], [share.field])
  })
})

describe('a waiver of the question about the owners', () => {
  const waivedAt = '2026-12-01T15:00:00.000Z'
  const waived: FollowUp = {
    id: 'FU-1',
    code: 'FieldCompletion',
    kind: 'Field',
    field: 'associatedParties',
    reasons: [],
    acceptedDocuments: [],
    status: 'Waived',
    dueBy: null,
    stage: 'IdentityCheck',
    waivedAt,
  }
  const record = owned('Corporation')
  const stands = (one: FollowUp, ...ends: string[]) => {
    const earlier = ends.map((endedAt) => ({
      record: owned('Corporation', named('80')),
      endedOn: '',
      endedAt,
    }))
    return dueOf(record, statedFieldsOf(record, [one], earlier)).length === 0
  }
  test('stands until a party, a role or a share changes', () => {
    assert.ok(areOwnersStated([waived]))
    assert.ok(stands(waived))
    assert.ok(stands(waived, '2026-12-01T14:59:59.999Z'))
    assert.ok(!stands(waived, waivedAt))
    assert.ok(!stands(waived, '2026-12-01T15:00:00.001Z'))
  })
  test('counts from the text that the firm had given', () => {
    const text = { documentId: '', fields: [], text: 'None.', at: '2026-11-30T15:00:00.000Z' }
    assert.ok(!stands({ ...waived, answers: [text] }, '2026-12-01T14:59:59.999Z'))
  })
  test('is none of another question, nor of one that the record withdrew', () => {
    assert.ok(!stands({ ...waived, code: 'FieldCorrection' }))
    assert.ok(!stands({ ...waived, withdrawnOn: '2026-12-01' }))
    const { waivedAt: __, ...open } = waived
    assert.ok(!stands(open))
  })
  test('does not prevent another request of operations', () => {
    const asked = requestRenewal(record, 'BeneficialOwners', {
      ...facts,
      day: '2027-01-10',
      statedFields: new Set(['associatedParties']),
    })
    assert.ok(Array.isArray(asked) && asked.length === 1)
  })
})

test('operations request only what is not known', () => {
  for (const kind of kinds) {
    const request = (record: AccountRecord) => requestRenewal(record, kind, { ...facts, day: '2027-01-10' })
    assert.ok('reason' in request(owned('Corporation', named('80'))), kind)
    assert.ok('reason' in request(rightAccount('Individual')), kind)
  }
})
