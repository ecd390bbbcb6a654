/**
 * Updates that end a question of the year of an account: the follow-up is waived, not accepted, and an update back wins
 * no time. The birth date of an owner who came of age ends no question.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { approveChange } from './approve-change.ts'
import { openAndFollow, read, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

const trusted = {
  occupation: 'Retired',
  trustedContact: { name: 'Sana Haddad', email: 'sana.haddad@example.com' },
}

async function dayIn(days: number) {
  const { now } = (await service.alpha.sandbox.getClock({})).data
  return addDays(easternDay(new Date(now)), days)
}
async function followUpsOf(accountNumber: string, ...codes: string[]) {
  const { followUps } = (await service.alpha.onboardingResult({ accountNumber })).data
  return followUps.filter(({ code }) => codes.includes(code))
}
async function statusesOf(accountNumber: string, ...codes: string[]) {
  return (await followUpsOf(accountNumber, ...codes)).map(({ code, status }) => `${code} ${status}`)
}
async function restrictionsOf(accountNumber: string) {
  const { data } = await service.operations.operations.listRestrictions({ accountNumber } as never)
  return data.restrictions
}
async function renewalOf(accountNumber: string, kind: string) {
  const { data } = await service.operations.operations.listRenewals({ accountNumber })
  return data.renewals.find((one) => one.kind === kind)
}
function update(accountNumber: string, blocks: object) {
  return service.alpha.updateAccount({ accountNumber, ...blocks } as never)
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
/** Moves the clock past the close of the first business day after the one on which an answer is due. */
async function goPastDue(accountNumber: string, kind: string) {
  const { dueOn } = (await renewalOf(accountNumber, kind)) ?? {}
  assert.ok(dueOn, `${kind} is due`)
  await goPastClose(service, addDays(dueOn, 1))
  assert.equal((await renewalOf(accountNumber, kind))?.state, 'Overdue')
}

test('an owner who becomes a US customer and a foreign one again wins no time for the tax form', async () => {
  const customer = (customerType: string) => ({ caisInformation: { customerType: [customerType] } })
  const accountNumber = await openAndFollow(
    service.alpha,
    applicationOf({
      ...trusted,
      ...customer('Foreign'),
      citizenshipCountry: 'FR',
      taxIdType: 'TaxId',
      taxIdNumber: '912701234',
      governmentIdentification: {
        governmentId1: { idType: 'Passport', idNumber: 'X1234567', idLocation: 'FR' },
      },
    }),
  )
  await goPastDue(accountNumber, 'W8Certification')
  const [w8] = await followUpsOf(accountNumber, 'W8Certification')
  for (const [type, kind, ...statuses] of [
    ['NotApplicable', 'W9OrW8Certification', 'W8Certification Waived', 'W9OrW8Certification Expired'],
    [
      'Foreign',
      'W8Certification',
      'W8Certification Waived',
      'W9OrW8Certification Waived',
      'W8Certification Expired',
    ],
  ] as const) {
    await update(accountNumber, { primaryOwner: customer(type) })
    await until(
      async () => (await renewalOf(accountNumber, kind)) ?? null,
      (one) => one?.state === 'Overdue',
    )
    assert.deepEqual(await statusesOf(accountNumber, 'W8Certification', 'W9OrW8Certification'), statuses)
  }
  const all = await followUpsOf(accountNumber, 'W8Certification', 'W9OrW8Certification')
  assert.deepEqual(new Set(all.map(({ dueBy }) => dueBy)), new Set([w8?.dueBy]))
  assert.equal(all[0]?.reasons.at(-1), 'The record no longer asks for it.')
  // The account was restricted the whole time, by one restriction.
  const restrictions = await restrictionsOf(accountNumber)
  assert.deepEqual(
    restrictions.map(({ restrictionCode, endedOn }) => [restrictionCode, endedOn]),
    [['MissingTaxForm', null]],
  )
  assert.equal(await statusOf(accountNumber), 'Restricted')
})

test('an agent who acts for a while no more and then again wins no time for the identification', async () => {
  const lastDay = await dayIn(1)
  const { associatedParties = [], ...application } = applicationFor('JointWROS')
  const [agent] = associatedParties
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    registrationType: 'Individual',
    primaryOwner: { ...application.primaryOwner, ...trusted },
    associatedParties: [
      {
        ...agent,
        role: 'PowerOfAttorney',
        governmentIdentification: {
          governmentId1: {
            idType: 'Passport',
            idNumber: 'P8812345',
            idLocation: 'US',
            idExpiration: lastDay,
          },
        },
      },
    ],
  } as never)
  await goPastClose(service, addDays(lastDay, 1))
  await goPastDue(accountNumber, 'IdentityDocument')
  const ofIdentity = async () =>
    (await restrictionsOf(accountNumber)).filter(
      ({ restrictionCode }) => restrictionCode === 'MissingDocument',
    )
  const [party] = (await read(service.alpha, accountNumber)).associatedParties as { customerId: string }[]
  const turn = (role: string) =>
    update(accountNumber, { associatedParties: [{ customerId: party?.customerId, role }] })
  await turn('InterestedParty')
  await until(ofIdentity, ([one]) => one?.endedOn !== null)
  assert.deepEqual(await statusesOf(accountNumber, 'IdentityDocument'), ['IdentityDocument Waived'])
  const [ended] = await ofIdentity()
  assert.match(ended?.endReason ?? '', /^FU-\d+ \(.*\) is no longer asked for: the record changed\.$/)
  assert.equal(ended?.endedBy, 'service')
  await turn('PowerOfAttorney')
  await until(ofIdentity, (all) => all.some(({ endedOn }) => endedOn === null))
  assert.deepEqual(await statusesOf(accountNumber, 'IdentityDocument'), [
    'IdentityDocument Waived',
    'IdentityDocument Expired',
  ])
})

/** An account whose owner comes of age after the days; with few days, the clock is past the birthday. */
async function openForMinor(registration: 'CustodialUtma' | 'IraRoth', days = 10) {
  const years = registration === 'IraRoth' ? 18 : 21
  const birthday = await dayIn(days)
  // Only leap years have a 29 February.
  const ofAge = birthday.endsWith('02-29') ? addDays(birthday, 1) : birthday
  const birthDate = `${Number(ofAge.slice(0, 4)) - years}${ofAge.slice(4)}`
  const { associatedParties = [], ...application } = applicationFor(registration)
  const guardian = { ...applicationFor('JointWROS').associatedParties?.[0], role: 'Guardian' }
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    primaryOwner: { ...application.primaryOwner, birthDate, ...trusted },
    associatedParties: registration === 'IraRoth' ? [guardian] : associatedParties,
  } as never)
  if (days <= 10) await goPastClose(service, ofAge)
  return { accountNumber }
}

for (const registration of ['CustodialUtma', 'IraRoth'] as const) {
  test(`the owner of a ${registration} who came of age is still asked after a correction of the birth date`, async () => {
    const { accountNumber } = await openForMinor(registration)
    await goPastDue(accountNumber, 'ComingOfAge')
    await update(accountNumber, { primaryOwner: { birthDate: '1990-01-01' } })
    // Both birth dates are those of an adult, so that the guardian's authority does not depend on them.
    if (registration === 'CustodialUtma') await approveChange(service, accountNumber)
    await until(
      () => renewalOf(accountNumber, 'ComingOfAge'),
      (one) => one?.fallsOn === (registration === 'IraRoth' ? '2008-01-01' : '2011-01-01'),
    )
    assert.equal((await renewalOf(accountNumber, 'ComingOfAge'))?.state, 'Overdue')
    assert.deepEqual(await statusesOf(accountNumber, 'OwnerInstruction'), ['OwnerInstruction Expired'])
    const inForce = (await restrictionsOf(accountNumber)).filter(({ endedOn }) => endedOn === null)
    assert.ok(inForce.some(({ restrictionCode }) => restrictionCode === 'MissingDocument'))
  })
}

test('the question for the instruction does not end by a birth date that a firm alone changes', async () => {
  const { accountNumber } = await openForMinor('CustodialUtma')
  await goPastDue(accountNumber, 'ComingOfAge')
  const today = await dayIn(0)
  const birthDate = `${Number(today.slice(0, 4)) - 15}-01-01`
  const { message } = await update(accountNumber, { primaryOwner: { birthDate } })
  assert.match(message, /awaits a review by operations\. The birth date decides when the owner comes of age/)
  assert.equal(await statusOf(accountNumber), 'Restricted')
  assert.deepEqual(await statusesOf(accountNumber, 'OwnerInstruction'), ['OwnerInstruction Expired'])
  await approveChange(service, accountNumber)
  await until(
    () => statusesOf(accountNumber, 'OwnerInstruction'),
    ([asked]) => asked === 'OwnerInstruction Waived',
  )
  const inForce = (await restrictionsOf(accountNumber)).filter(({ endedOn }) => endedOn === null)
  assert.ok(!inForce.some(({ restrictionCode }) => restrictionCode === 'MissingDocument'))
})

test('a birth date that makes the minor who owns an IRA an adult waits, and then asks for the instruction', async () => {
  const { accountNumber } = await openForMinor('IraRoth', 400)
  const changed = await update(accountNumber, { primaryOwner: { birthDate: '1990-01-01' } })
  assert.match(changed.message, /awaits a review by operations/)
  assert.deepEqual(await statusesOf(accountNumber, 'OwnerInstruction'), [])
  await approveChange(service, accountNumber)
  await until(
    () => statusesOf(accountNumber, 'OwnerInstruction'),
    ([asked]) => asked === 'OwnerInstruction Open',
  )
})
