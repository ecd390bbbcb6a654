// The facts that fall due for one party or one account: the requests by party and field, and the parties without
// requests.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RenewalKind } from '@clearing/protocol'
import { proofsOfAuthority } from '../policy/authority.ts'
import type { Registration } from '../policy/registration-roles.ts'
import type { AccountRecord, GovernmentIdentification, Party } from '../record.ts'
import { entity, person, rightAccount } from '../testing/right-accounts.ts'
import { type DueItem, fallsDue, isIdentificationCurrent, type YearFacts } from './falls-due.ts'
import { requestRenewal } from './request-renewal.ts'

const openedOn = '2026-11-20'
const facts: YearFacts = {
  openedOn,
  w9On: openedOn,
  w8On: undefined,
  w8EntityOn: undefined,
  w8FlowThroughOn: undefined,
  ofAgeAnswers: 0,
  residenceAtTransfer: undefined,
  statedFields: new Set(['associatedParties']),
  magicTaxIds: new Set(),
}

function owned(registration: Registration, owner: Partial<Party>, parties?: Party[]): AccountRecord {
  const record = rightAccount(registration)
  return {
    ...record,
    primaryOwner: { ...record.primaryOwner, customerId: '1', ...owner },
    associatedParties: parties ?? record.associatedParties,
  }
}
/** Kinds of the parties who act for the owner: authority.test.ts. */
function isOfAuthority(kind: string): boolean {
  return proofsOfAuthority(kind).length > 0
}
function itemOf(record: AccountRecord, given: Partial<YearFacts> = {}): DueItem | undefined {
  const items = fallsDue(record, { ...facts, ...given }).filter(({ kind }) => !isOfAuthority(kind))
  assert.ok(items.length <= 1)
  return items[0]
}
function shown(first: string | undefined, second?: string): GovernmentIdentification {
  const id = (idExpiration: string | undefined) =>
    ({ idType: 'Passport', idNumber: 'P1', ...(idExpiration === undefined ? {} : { idExpiration }) }) as const
  return { governmentId1: id(first), ...(second === undefined ? {} : { governmentId2: id(second) }) }
}

describe('an identification that expires', () => {
  const until2027 = { governmentIdentification: shown('2027-03-31') }
  test('is requested from the party that has it, with its path in the record', () => {
    const owner = itemOf(owned('Individual', until2027))
    assert.deepEqual([owner?.subject, owner?.field], ['1', 'primaryOwner.governmentIdentification'])
    const party = itemOf(owned('JointWROS', {}, [person({ role: 'Secondary', ...until2027 })]))
    assert.deepEqual([party?.subject, party?.field], ['', 'associatedParties[0].governmentIdentification'])
  })
  test('of a foreign person must be replaced by a passport or a national identity card', () => {
    const asked = (citizenshipCountry: string | undefined) => {
      const { citizenshipCountry: _, ...owner } = owned('Individual', until2027).primaryOwner
      const changes = citizenshipCountry === undefined ? owner : { ...owner, citizenshipCountry }
      return itemOf({ ...rightAccount('Individual'), primaryOwner: changes })?.asks
    }
    assert.deepEqual(
      [asked('US'), asked(undefined), asked('CA')],
      ['IdentityDocument', 'IdentityDocument', 'ForeignIdentityDocument'],
    )
  })
  test('falls due after the latest expiration date of all documents', () => {
    const first = itemOf(owned('Individual', { governmentIdentification: shown('2028-02-28', '2027-03-31') }))
    assert.equal(first?.fallsOn, '2028-02-29')
  })
  test('is current through its last day', () => {
    const record = owned('JointWROS', {}, [person({ role: 'Secondary', ...until2027 })])
    const days = ['2027-03-30', '2027-03-31', '2027-04-01']
    const isCurrent = (field: string) => days.map((day) => isIdentificationCurrent(record, field, day))
    assert.deepEqual(isCurrent('associatedParties[0].governmentIdentification'), [true, true, false])
    assert.deepEqual(isCurrent('primaryOwner.governmentIdentification'), [true, true, true])
  })
  test('falls due although there is an empty second document', () => {
    const governmentIdentification = { ...shown('2027-03-31'), governmentId2: { idType: '' } } as never
    assert.equal(itemOf(owned('Individual', { governmentIdentification }))?.fallsOn, '2027-04-01')
  })
  test('does not fall due if another document has no expiration date', () => {
    for (const first of [undefined, '']) {
      const record = owned('Individual', { governmentIdentification: shown(first, '2027-03-31') })
      assert.equal(itemOf(record), undefined)
    }
  })
  test('does not fall due on a day after the last date', () => {
    const until = (idExpiration: string) =>
      itemOf(owned('Individual', { governmentIdentification: shown('2027-03-31', idExpiration) }))?.fallsOn
    assert.deepEqual([until('9999-12-30'), until('9999-12-31')], ['9999-12-31', undefined])
  })
  test('does not fall due for an entity', () => {
    assert.equal(itemOf(owned('Llc', until2027)), undefined)
  })
  test('does not fall due for a party that is no customer, unless it may trade', () => {
    const fallsOn = (registration: Registration, party: Partial<Party>) =>
      itemOf(owned(registration, {}, [person({ ...until2027, ...party })]))?.fallsOn
    for (const [registration, role] of [
      ['Trust', 'Beneficiary'],
      ['Individual', 'InterestedParty'],
      ['Individual', 'Associate'],
    ] as const) {
      assert.equal(fallsOn(registration, { role }), undefined, role)
      assert.equal(fallsOn(registration, { role, tradingAuthority: 'None' }), undefined, role)
      assert.equal(fallsOn(registration, { role, tradingAuthority: 'Limited' }), '2027-04-01', role)
    }
    assert.equal(fallsOn('Individual', { role: 'PowerOfAttorney' }), '2027-04-01')
    assert.equal(fallsOn('Trust', { role: 'Trustee', tradingAuthority: 'None' }), '2027-04-01')
    assert.equal(itemOf(owned('Individual', { ...until2027, role: 'Associate' }))?.fallsOn, '2027-04-01')
  })
})

describe('the tax forms of joint owners', () => {
  const spouse = person({
    role: 'Secondary',
    customerId: '2',
    citizenshipCountry: 'CA',
    taxIdType: 'TaxId',
    taxIdNumber: '912701235',
  })
  const joint = (owner: Partial<Party> = {}) => owned('IndividualJointForeign', owner, [spouse])
  const dueOf = (record: AccountRecord, given: Partial<YearFacts>) =>
    fallsDue(record, { ...facts, ...given }).map(
      ({ kind, subject, field, fallsOn }) => `${kind} ${subject} ${field} ${fallsOn}`,
    )
  const second = 'associatedParties[0]'
  const formsOf = (w8On: string) =>
    new Map([[second, { w9On: undefined, w8On, w8EntityOn: undefined, w8FlowThroughOn: undefined }]])
  test('fall due for each owner if the first is foreign', () => {
    assert.deepEqual(dueOf(joint(), { w9On: undefined }), [
      `W8Certification 1 primaryOwner ${openedOn}`,
      `W8Certification 2 ${second} ${openedOn}`,
    ])
  })
  test('lapse for each owner by the own form', () => {
    assert.deepEqual(dueOf(joint(), { w8On: '2026-12-31', formsOfJointOwners: formsOf('2027-01-01') }), [
      'W8Certification 1 primaryOwner 2030-01-01',
      `W8Certification 2 ${second} 2031-01-01`,
    ])
  })
  test('are that of the first owner if that owner is a US person', () => {
    assert.deepEqual(dueOf(joint({ citizenshipCountry: 'US' }), { w9On: undefined }), [
      `W9Certification 1 primaryOwner ${openedOn}`,
    ])
  })
})

describe('an owner who comes of age', () => {
  const birthDate = '2010-05-06'
  const guardian = person({ role: 'Guardian' })
  test('has a request on the owner, with the reason of the registration', () => {
    const ira = itemOf(owned('IraRoth', { birthDate }, [guardian]))
    assert.deepEqual([ira?.subject, ira?.field], ['1', 'primaryOwner'])
    assert.match(ira?.reason ?? '', /acts for the account alone/)
    assert.match(itemOf(owned('CustodialUtma', { birthDate }))?.reason ?? '', /custodianship ends/)
  })
  test('has a request in an IRA only if a guardian or custodian acts for it', () => {
    const fallsOn = (registration: Registration, ...parties: Party[]) =>
      itemOf(owned(registration, { birthDate }, parties))?.fallsOn
    assert.equal(fallsOn('IraRoth', person({ role: 'Custodian' })), '2028-05-06')
    assert.equal(fallsOn('IraRoth', person({ role: 'InterestedParty' }), guardian), '2028-05-06')
    assert.equal(fallsOn('IraRoth', person({ role: 'InterestedParty' })), undefined)
    assert.equal(fallsOn('IraRoth'), undefined)
    assert.equal(fallsOn('Individual', guardian), undefined)
  })
  test('has no further request after an answer, if the state has only one age', () => {
    const record = owned('CustodialUtma', { birthDate })
    for (const ofAgeAnswers of [1, 2]) assert.equal(itemOf(record, { ofAgeAnswers })?.fallsOn, '2031-05-06')
  })
  test('has the request of the state of the transfer after a move', () => {
    const moved = owned('CustodialUtma', { birthDate })
    const record = { ...moved, mailingAddress: { ...moved.mailingAddress, stateProvince: 'KY' } }
    assert.equal(itemOf(record)?.fallsOn, '2028-05-06')
    assert.equal(itemOf(record, { residenceAtTransfer: moved.mailingAddress })?.fallsOn, '2031-05-06')
  })
  test('has the request of the last birthday if the owner was of age when the application was sent', () => {
    const bornOn = (birthDate: string, registration: Registration = 'CustodialUtma') =>
      itemOf(owned(registration, { birthDate }))?.fallsOn
    assert.deepEqual(
      ['1990-01-01', '2005-11-19', '2005-11-20', '2005-11-21'].map((day) => bornOn(day)),
      ['2011-01-01', '2026-11-19', '2026-11-20', '2026-11-21'],
    )
  })
  test('has the request of each birthday after the application, also before the opening', () => {
    const inCalifornia = (birthDate: string, submittedOn?: string) => {
      const record = owned('CustodialUtma', { birthDate })
      const mailingAddress = { ...record.mailingAddress, stateProvince: 'CA' }
      return itemOf({ ...record, mailingAddress }, submittedOn === undefined ? {} : { submittedOn })?.fallsOn
    }
    // 18 on the day before the opening, on the day, and on the day after.
    const days = ['2008-11-19', '2008-11-20', '2008-11-21']
    const later = ['2033-11-19', '2033-11-20']
    assert.deepEqual(
      days.map((day) => inCalifornia(day)),
      [...later, '2026-11-21'],
    )
    assert.deepEqual(
      days.map((day) => inCalifornia(day, '2026-11-18')),
      ['2026-11-19', '2026-11-20', '2026-11-21'],
    )
    assert.equal(inCalifornia('2008-11-19', '2026-11-19'), '2033-11-19')
  })
  test('has a request in an IRA as an adult only if the record showed a minor before', () => {
    const record = owned('IraRoth', { birthDate: '1990-05-06' }, [guardian])
    assert.equal(itemOf(record), undefined)
    assert.equal(itemOf(record, { wasMinor: true })?.fallsOn, '2008-05-06')
  })
  test('has no request without a birth date', () => {
    const { birthDate: _, ...primaryOwner } = owned('CustodialUtma', {}).primaryOwner
    assert.equal(itemOf({ ...rightAccount('CustodialUtma'), primaryOwner }), undefined)
  })
})

describe('owners whom the registration does not fit any more', () => {
  const inState = (registration: Registration, stateProvince: string) => {
    const record = owned(registration, {})
    return itemOf({ ...record, mailingAddress: { ...record.mailingAddress, stateProvince } })
  }
  test('are asked after a move to a state that does not have the registration', () => {
    const item = inState('JointCP', 'GA')
    assert.deepEqual(
      [item?.kind, item?.subject, item?.field, item?.fallsOn],
      ['OwnersResidence', '1', 'registrationType', openedOn],
    )
    assert.match(item?.reason ?? '', /residents of AK, .* The owners instruct what becomes of the account\.$/)
    assert.deepEqual([inState('JointCP', 'NV'), inState('JointWROS', 'GA')], [undefined, undefined])
  })
  test('are asked once when a marriage ended', () => {
    const status = (one: string, other: string) =>
      itemOf(owned('JointTBE', { maritalStatus: one }, [person({ role: 'Secondary', maritalStatus: other })]))
    assert.deepEqual(
      [
        ['Divorced', 'Divorced'],
        ['Married', 'Widowed'],
        ['Married', 'Married'],
        ['', ''],
      ].map(([one = '', other = '']) => status(one, other)?.field),
      ['primaryOwner.maritalStatus', 'associatedParties[0].maritalStatus', undefined, undefined],
    )
    assert.equal(itemOf(owned('JointWROS', { maritalStatus: 'Divorced' })), undefined)
  })
  test('have no request of operations as long as the registration fits', () => {
    for (const kind of ['OwnersResidence', 'OwnersMarried'] as const) {
      const found = requestRenewal(owned('JointCP', {}), kind, { ...facts, day: '2027-01-10' })
      assert.match(JSON.stringify(found), /qualify for the registration/)
    }
  })
})

test('a trusted contact is requested from a person, not from an entity', () => {
  assert.equal(itemOf(owned('Individual', { trustedContact: {} }))?.field, 'primaryOwner.trustedContact')
  assert.equal(itemOf(owned('Llc', { trustedContact: {} })), undefined)
})

test('nothing falls due for an unknown registration', () => {
  const record = { ...owned('Individual', { trustedContact: {} }), registrationType: 'Syndicate' }
  assert.deepEqual(fallsDue(record, facts), [])
})

describe('a renewal that operations request', () => {
  const request = (record: AccountRecord, kind: RenewalKind) =>
    requestRenewal(record, kind, { ...facts, day: '2027-01-10' })
  const identity = { field: 'primaryOwner.governmentIdentification', fallsOn: '2027-01-10', subject: '1' }
  const partOf = (item: DueItem | undefined) => [item?.asks, item?.field, item?.subject, item?.fallsOn]
  test('contains the items that fall due by the record', () => {
    const record = owned('Individual', { governmentIdentification: shown('2027-03-31') })
    assert.deepEqual(request(record, 'IdentityDocument'), fallsDue(record, facts))
  })
  test('contains the identification of an owner even if no document has a date', () => {
    const found = request(owned('Individual', {}), 'IdentityDocument')
    if ('reason' in found) assert.fail(found.reason)
    assert.deepEqual(found.map(partOf), [['IdentityDocument', identity.field, '1', '2027-01-10']])
    const abroad = request(owned('IndividualJointForeign', {}), 'IdentityDocument')
    assert.deepEqual('reason' in abroad || abroad.map(({ asks }) => asks), ['ForeignIdentityDocument'])
  })
  test('contains a new Form W-9 of the owner, who may have no customer id yet', () => {
    const found = request(rightAccount('Individual'), 'W9Certification')
    if ('reason' in found) assert.fail(found.reason)
    assert.deepEqual(found.map(partOf), [['W9Certification', 'primaryOwner', '', '2027-01-10']])
  })
  test('contains a new Form W-9 of a joint owner who certifies on it beside a foreign first owner', () => {
    const american = { customerId: '2', nameType: 'Individual', role: 'Secondary', citizenshipCountry: 'US' }
    const record = owned(
      'IndividualJointForeign',
      { citizenshipCountry: 'FR', caisInformation: { customerType: ['Foreign'] } },
      [american],
    )
    const given = {
      w9On: undefined,
      w8On: '2026-12-01',
      w8EntityOn: undefined,
      w8FlowThroughOn: undefined,
    }
    const signed = { ...given, w9On: '2026-12-01', w8On: undefined }
    const formsOfJointOwners = new Map([['associatedParties[0]', signed]])
    const found = requestRenewal(record, 'W9Certification', {
      ...facts,
      ...given,
      formsOfJointOwners,
      day: '2027-01-10',
    })
    if ('reason' in found) assert.fail(found.reason)
    assert.deepEqual(found.map(partOf), [['W9Certification', 'associatedParties[0]', '2', '2027-01-10']])
  })
  test('is refused for the identification of an entity', () => {
    const record = { ...rightAccount('Llc'), primaryOwner: entity() }
    assert.match(JSON.stringify(request(record, 'IdentityDocument')), /is an entity/)
  })
})
