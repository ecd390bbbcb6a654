/**
 * The yearly review of an account. The business day requests renewals that are due, restricts the account when one is
 * late, and lifts the restriction afterwards.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { approveChange } from './approve-change.ts'
import { openAndFollow, read, rejectionsOf, until } from './calling.ts'
import { goBeforeClose, goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
async function clockNow() {
  return (await service.alpha.sandbox.getClock({})).data.now
}
const dayMs = 86_400_000
/** The US Eastern day of the clock plus a number of days. */
async function dayIn(days: number) {
  return addDays(easternDay(new Date(await clockNow())), days)
}
/** The US Eastern day on which a follow-up that is opened now is due. */
async function dueFromNow() {
  return easternDay(new Date(Date.parse(await clockNow()) + 30 * dayMs))
}
/** Moves the clock. The response comes after the work of all business days until then. */
function goOn(days: number) {
  return service.alpha.sandbox.advanceClock({ days })
}
/** Moves the clock past the close of the first business day after the one on which an answer is due. */
async function goPastDue(accountNumber: string, kind: string) {
  const { dueOn } = (await renewalOf(accountNumber, kind)) ?? {}
  assert.ok(dueOn, `${kind} is due`)
  const late = addDays(dueOn, 1)
  await goBeforeClose(service, late)
  assert.equal((await renewalOf(accountNumber, kind))?.state, 'Asked')
  await goPastClose(service, late)
}
async function resultOf(accountNumber: string) {
  return (await service.alpha.onboardingResult({ accountNumber })).data
}
async function followUpOf(accountNumber: string, code: string) {
  return (await resultOf(accountNumber)).followUps.findLast((one) => one.code === code)
}
async function renewalsOf(accountNumber: string) {
  return (await operations().listRenewals({ accountNumber })).data.renewals
}
async function renewalOf(accountNumber: string, kind: string) {
  return (await renewalsOf(accountNumber)).find((one) => one.kind === kind)
}
async function inForce(accountNumber: string) {
  return (await operations().listRestrictions({ accountNumber, inForce: true })).data.restrictions
}
async function statusOf(accountNumber: string) {
  return (await read(service.alpha, accountNumber)).accountStatus
}
function isStatus(accountNumber: string, status: string) {
  return until(
    () => statusOf(accountNumber),
    (now) => now === status,
  )
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ accountNumber, size: 100 } as never)
  return (data as Data<'list-events'>).events.map(
    (event) => event as { type: string; data: { code?: string } },
  )
}
/** A document that operations approve. */
async function giveDocument(accountNumber: string, reference: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: reference === 'LOA' ? 'Account Maintenance' : 'New Accounts Documents',
    reference,
    file: { name: `${reference}.pdf`, content: new Uint8Array(samplePdf()) },
  })
  await operations().decideDocument({ accountNumber, documentId: data.documentId, decision: 'Approved' })
}

function passport(idExpiration: string) {
  return {
    governmentIdentification: {
      governmentId1: { idType: 'Passport', idNumber: 'P8812345', idLocation: 'US', idExpiration },
    },
  }
}
const trusted = {
  occupation: 'Retired',
  trustedContact: { name: 'Sana Haddad', email: 'sana.haddad@example.com' },
}

describe('a passport', () => {
  test('that expires is requested on the day after; when it is late, the account is restricted, and when the record is renewed, it is open again', async () => {
    const lastDay = await dayIn(10)
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ ...passport(lastDay), ...trusted }),
    )
    await giveDocument(accountNumber, 'W9')
    await until(
      () => renewalOf(accountNumber, 'W9Certification'),
      (one) => one === undefined,
    )
    const coming = await renewalOf(accountNumber, 'IdentityDocument')
    assert.deepEqual([coming?.state, coming?.fallsOn, coming?.dueOn], ['Coming', await dayIn(11), null])
    const dayAfter = addDays(lastDay, 1)
    await goBeforeClose(service, dayAfter)
    assert.equal(await followUpOf(accountNumber, 'IdentityDocument'), undefined)
    await goPastClose(service, dayAfter)
    const asked = await followUpOf(accountNumber, 'IdentityDocument')
    assert.deepEqual(
      [asked?.status, asked?.blocking, asked?.field],
      ['Open', false, 'primaryOwner.governmentIdentification'],
    )
    assert.equal(await statusOf(accountNumber), 'Open')
    await goPastDue(accountNumber, 'IdentityDocument')
    assert.equal((await followUpOf(accountNumber, 'IdentityDocument'))?.status, 'Expired')
    assert.equal(await statusOf(accountNumber), 'Restricted')
    const [restriction] = await inForce(accountNumber)
    assert.deepEqual([restriction?.restrictionCode, restriction?.placedBy], ['MissingDocument', 'service'])
    assert.match(restriction?.reason ?? '', /^[A-Z][a-z ]+: requested, and not answered by /)
    assert.equal(
      (await renewalOf(accountNumber, 'IdentityDocument'))?.restrictionId,
      restriction?.restrictionId,
    )
    await service.alpha.updateAccount({
      accountNumber,
      primaryOwner: passport(await dayIn(3_000)),
    } as never)
    await isStatus(accountNumber, 'Open')
    assert.equal((await followUpOf(accountNumber, 'IdentityDocument'))?.status, 'Accepted')
    const types = (await eventsOf(accountNumber)).filter(({ data }) =>
      ['IdentityDocument', 'MissingDocument'].includes(data.code ?? ''),
    )
    assert.deepEqual(
      types.map(({ type }) => type),
      [
        'followup.opened',
        'followup.expired',
        'account.restricted',
        'followup.accepted',
        'account.restricted',
      ],
    )
    const { data } = await operations().listAudit({ accountNumber } as never)
    const actions = (data as Data<'list-audit'>).rows.map(({ action }) => action)
    for (const action of [
      'onboarding.renewal-asked',
      'onboarding.renewal-expired',
      'place-restriction',
      'end-restriction',
    ])
      assert.ok(actions.includes(action), `${action} is in the audit trail`)
  })
})

describe('a tax form that was never received', () => {
  test('restricts the account at the close of the first business day after it was due, and a late form lifts the restriction', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationOf(trusted))
    const due = (await renewalOf(accountNumber, 'W9Certification'))?.dueOn ?? ''
    assert.equal(due, await dueFromNow())
    const dayAfter = addDays(due, 1)
    await goBeforeClose(service, dayAfter)
    assert.equal(await statusOf(accountNumber), 'Open')
    await goPastClose(service, dayAfter)
    const [restriction] = await inForce(accountNumber)
    assert.deepEqual(
      [restriction?.restrictionCode, restriction?.suspends.includes('Buying')],
      ['MissingTaxForm', true],
    )
    await giveDocument(accountNumber, 'W9')
    await isStatus(accountNumber, 'Open')
    assert.deepEqual(await renewalsOf(accountNumber), [])
  })
  test('keeps the account open when it arrives on the day it is due', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationOf(trusted))
    const due = (await renewalOf(accountNumber, 'W9Certification'))?.dueOn ?? ''
    await goOn(30)
    assert.equal(await dayIn(0), due)
    await giveDocument(accountNumber, 'W9')
    await goPastClose(service, addDays(due, 1))
    assert.equal(await statusOf(accountNumber), 'Open')
    assert.equal((await followUpOf(accountNumber, 'W9Certification'))?.status, 'Accepted')
  })
})

test('a restriction that operations placed is not lifted with that of the review', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf(trusted))
  const placed = { accountNumber, restrictionCode: 'ReturnedMail', reason: 'It came back.' } as const
  await operations().placeRestriction(placed)
  await goPastDue(accountNumber, 'W9Certification')
  assert.equal((await inForce(accountNumber)).length, 2)
  await giveDocument(accountNumber, 'W9')
  await until(
    () => inForce(accountNumber),
    (found) => found.length === 1,
  )
  assert.deepEqual(
    [(await inForce(accountNumber))[0]?.restrictionCode, await statusOf(accountNumber)],
    ['ReturnedMail', 'Restricted'],
  )
})

test('a trusted contact is requested once; a text declines, and nothing restricts the account', async () => {
  const declines = await openAndFollow(service.alpha, applicationOf({}))
  const silent = await openAndFollow(service.alpha, applicationOf({}))
  for (const accountNumber of [declines, silent]) await giveDocument(accountNumber, 'W9')
  const asked = (await resultOf(declines)).followUps.find(
    ({ field }) => field === 'primaryOwner.trustedContact',
  )
  await service.alpha.answerFollowUp({
    accountNumber: declines,
    followUpId: asked?.id ?? '',
    text: 'The owner names no contact.',
  })
  await until(
    () => renewalOf(declines, 'TrustedContact'),
    (one) => one?.state === 'Settled',
  )
  await goPastDue(silent, 'TrustedContact')
  assert.deepEqual([await statusOf(declines), await statusOf(silent)], ['Open', 'Open'])
  assert.equal((await renewalOf(silent, 'TrustedContact'))?.state, 'Overdue')
  const { trustedContact, ...employed } = trusted
  const named = { ...employed, trustedContact: { name: trustedContact.name } }
  await service.alpha.updateAccount({ accountNumber: silent, primaryOwner: named } as never)
  await until(
    () => renewalsOf(silent),
    (found) => found.length === 1,
  )
  // A contact who cannot be reached does not answer.
  assert.equal((await renewalOf(silent, 'TrustedContact'))?.state, 'Overdue')
  await service.alpha.updateAccount({ accountNumber: silent, primaryOwner: { trustedContact } } as never)
  await until(
    () => renewalsOf(silent),
    (found) => found.length === 0,
  )
})

/**
 * The number of a custodial account under the law of New Jersey, and the day in twenty days on which its owner is 21.
 */
async function openForMinor() {
  const inTwentyDays = await dayIn(20)
  // Only leap years have a 29 February.
  const ofAge = inTwentyDays.endsWith('02-29') ? addDays(inTwentyDays, 1) : inTwentyDays
  const birthDate = `${Number(ofAge.slice(0, 4)) - 21}${ofAge.slice(4)}`
  const application = applicationFor('CustodialUtma')
  const accountNumber = await openAndFollow(service.alpha, {
    ...application,
    primaryOwner: { ...application.primaryOwner, birthDate, ...trusted },
  } as never)
  return { accountNumber, ofAge }
}

test('a minor who comes of age is asked on the birthday, and the account is restricted without a response', async () => {
  const { accountNumber, ofAge } = await openForMinor()
  await giveDocument(accountNumber, 'W9')
  await goBeforeClose(service, ofAge)
  assert.equal(await followUpOf(accountNumber, 'OwnerInstruction'), undefined)
  await goPastClose(service, ofAge)
  assert.deepEqual((await followUpOf(accountNumber, 'OwnerInstruction'))?.acceptedDocuments, ['LOA'])
  const listed = await renewalOf(accountNumber, 'ComingOfAge')
  assert.equal(listed?.fallsOn.slice(8), '01')
  await goPastDue(accountNumber, 'ComingOfAge')
  assert.equal((await inForce(accountNumber))[0]?.restrictionCode, 'MissingDocument')
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: 'Account Maintenance',
    reference: 'LOA',
    file: { name: 'instruction.pdf', content: new Uint8Array(samplePdf()) },
  })
  await goPastClose(service, await dayIn(7))
  await operations().decideDocument({ accountNumber, documentId: data.documentId, decision: 'Approved' })
  await isStatus(accountNumber, 'Open')
  // The days to carry the instruction out count from its approval.
  assert.equal((await renewalOf(accountNumber, 'CustodianshipEnded'))?.fallsOn, await dayIn(30))
})

test('a minor who moves to a state with a lower age is asked at the age of the state of the transfer', async () => {
  const { accountNumber, ofAge } = await openForMinor()
  const mailingAddress = { city: 'Louisville', stateProvince: 'KY', postalCode: '40202' }
  const { data } = await service.alpha.updateAccount({ accountNumber, mailingAddress } as never)
  assert.equal(data.mailingAddress.stateProvince, 'KY')
  // A later change is judged by the state of the transfer too.
  const bornOn = (birthDate: string) =>
    service.alpha.updateAccount({ accountNumber, primaryOwner: { birthDate } } as never)
  const birthDate = `${Number(ofAge.slice(0, 4)) - 21}${ofAge.slice(4)}`
  const corrected = async (to: string) => {
    await bornOn(to)
    await approveChange(service, accountNumber)
  }
  await corrected(addDays(birthDate, 1))
  assert.deepEqual(await rejectionsOf(bornOn(addDays(birthDate, -40))), ['ERR.1012 primaryOwner.birthDate'])
  await corrected(birthDate)
  // California ends a custodianship at 18 unless the transfer names a later age; the transfer was in New Jersey.
  const california = { city: 'Fresno', stateProvince: 'CA', postalCode: '93701' }
  await service.alpha.updateAccount({ accountNumber, mailingAddress: california } as never)
  const { findings } = await resultOf(accountNumber)
  assert.ok(!findings.some(({ rule }) => rule === 'CustodialAgeChosen'))
  await goBeforeClose(service, ofAge)
  assert.equal(await followUpOf(accountNumber, 'OwnerInstruction'), undefined)
  await goPastClose(service, ofAge)
  assert.equal((await followUpOf(accountNumber, 'OwnerInstruction'))?.status, 'Open')
})

describe('a follow-up of an open account', () => {
  test('is waived by operations with a reason: audited, with an event, and the restriction ends', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationOf(trusted))
    await goPastDue(accountNumber, 'W9Certification')
    assert.equal((await inForce(accountNumber))[0]?.restrictionCode, 'MissingTaxForm')
    const followUpId = (await followUpOf(accountNumber, 'W9Certification'))?.id ?? ''
    const waive = (reason: string, more: object = {}) =>
      operations().waiveFollowUp({ accountNumber, followUpId, reason, ...more })
    assert.deepEqual(await rejectionsOf(waive('')), ['ERR.1000 reason'])
    const reason = 'The form is in the archive, on paper.'
    await waive(reason)
    await isStatus(accountNumber, 'Open')
    assert.equal((await followUpOf(accountNumber, 'W9Certification'))?.status, 'Waived')
    assert.deepEqual(await rejectionsOf(waive(reason)), ['ERR.2010 followUpId'])
    assert.deepEqual(await rejectionsOf(waive(reason, { followUpId: 'FU-99' })), ['ERR.1015 followUpId'])
    assert.deepEqual(await rejectionsOf(waive(reason, { accountNumber: '99999999' })), [
      'ERR.2003 accountNumber',
    ])
    const waived = (await eventsOf(accountNumber)).filter(({ type }) => type === 'followup.waived')
    assert.deepEqual(
      waived.map(({ data }) => data.code),
      ['W9Certification'],
    )
    const { data } = await operations().listAudit({ accountNumber, action: 'waive-follow-up' } as never)
    assert.ok(JSON.stringify((data as Data<'list-audit'>).rows).includes(reason))
    await goOn(40)
    assert.deepEqual([await statusOf(accountNumber), await inForce(accountNumber)], ['Open', []])
  })
})

describe('request-renewal', () => {
  test('asks each selected account separately, and none twice', async () => {
    const known = await openAndFollow(
      service.alpha,
      applicationOf({ ...passport(await dayIn(400)), ...trusted }),
    )
    const llc = await openAndFollow(service.alpha, applicationFor('Llc'))
    const request = { kind: 'IdentityDocument', accountNumbers: [llc, known, '99999999'] } as const
    const first = (
      await operations().requestRenewal({ ...request, accountNumbers: [...request.accountNumbers] })
    ).data
    assert.deepEqual(
      first.results.map(({ accountNumber, outcome, code }) => [accountNumber, outcome, code]),
      [
        [llc, 'Refused', 'ERR.1015'],
        [known, 'Asked', ''],
        ['99999999', 'Refused', 'ERR.2003'],
      ],
    )
    const again = (await operations().requestRenewal({ ...request, accountNumbers: [known] })).data
    assert.deepEqual([again.asked, again.results[0]?.outcome], [0, 'AskedAlready'])
    assert.deepEqual(again.results[0]?.followUpIds, first.results[1]?.followUpIds)
    const asked = (await resultOf(known)).followUps.filter(({ code }) => code === 'IdentityDocument')
    assert.equal(asked.length, 1)
    await goOn(40)
    assert.ok(!(await inForce(known)).some(({ restrictionCode }) => restrictionCode === 'MissingDocument'))
  })
  test('asks the accounts that a filter finds, page by page', async () => {
    const lastDay = await dayIn(500)
    const numbers: string[] = []
    for (let count = 0; count < 3; count += 1)
      numbers.push(await openAndFollow(service.alpha, applicationOf({ ...passport(lastDay), ...trusted })))
    const day = await dayIn(501)
    const filter = { kind: 'IdentityDocument', fallsFrom: day, fallsTo: day, size: 2 } as const
    const one = (await operations().requestRenewal(filter)).data
    assert.equal(one.asked, 2)
    const two = (await operations().requestRenewal({ ...filter, after: one.next })).data
    assert.deepEqual([two.asked, two.next], [1, ''])
    assert.deepEqual(
      [...one.results, ...two.results].map(({ accountNumber }) => accountNumber).sort(),
      numbers.sort(),
    )
  })
  test('requires a valid selection', async () => {
    const ask = (request: object) =>
      rejectionsOf(operations().requestRenewal({ kind: 'W9Certification', ...request } as never))
    assert.deepEqual(await ask({}), ['ERR.1000 accountNumbers'])
    assert.deepEqual(await ask({ accountNumbers: [] }), ['ERR.1000 accountNumbers'])
    const place = { accountNumbers: ['30100001'], after: 'eyJ' }
    assert.deepEqual(await ask(place), ['ERR.1015 after'])
    assert.deepEqual(await ask({ accountNumbers: ['30100001'], fallsTo: '2027-01-01' }), [
      'ERR.1015 accountNumbers',
    ])
    assert.deepEqual(await ask({ fallsFrom: '2027-02-01', fallsTo: '2027-01-01' }), ['ERR.1025 fallsFrom'])
    assert.deepEqual(await ask({ firmId: 'nobody' }), ['ERR.2013 firmId'])
    assert.deepEqual(await ask({ kind: 'Everything', fallsTo: '2027-01-01' }), ['ERR.1015 kind'])
  })
})

test('the list is filtered and paged by the day', async () => {
  const all: { fallsOn: string; accountNumber: string }[] = []
  for (let next = '', page = 0; page === 0 || next !== ''; page += 1) {
    const { data } = await operations().listRenewals({ size: 3, ...(next ? { after: next } : {}) })
    all.push(...data.renewals)
    next = data.next
  }
  assert.equal(new Set(all.map((one) => JSON.stringify(one))).size, all.length)
  assert.deepEqual(
    all.map(({ fallsOn }) => fallsOn),
    all.map(({ fallsOn }) => fallsOn).sort(),
  )
  const { data } = await operations().listRenewals({ kind: 'IdentityDocument', size: 100 })
  assert.ok(data.renewals.length > 0 && data.renewals.every(({ kind }) => kind === 'IdentityDocument'))
  assert.equal((await operations().listRenewals({ fallsTo: '2001-01-01' })).data.renewals.length, 0)
})

describe('the daily review', () => {
  const lookAgain = (key: string) =>
    service.query(`select clearing.queue_job('review-accounts', '{}'::json, $1, null, null, 5)`, [key])
  const looksLeft = async () =>
    (
      await service.query(
        `select count(*)::integer as left from graphile_worker._private_jobs jobs
         join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier like 'review-account%'`,
      )
    ).rows[0].left
  test('asks once when it runs twice concurrently', async () => {
    const lastDay = await dayIn(0)
    const numbers: string[] = []
    for (let count = 0; count < 5; count += 1)
      numbers.push(await openAndFollow(service.alpha, applicationOf({ ...passport(lastDay), ...trusted })))
    await service.query('update clearing.account_review set review_on = null')
    await goPastClose(service, addDays(lastDay, 1))
    await service.query(
      "update clearing.account_review set review_on = '2020-01-01' where account_number = any ($1)",
      [numbers],
    )
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => lookAgain(`twice ${key}`)))
    await until(looksLeft, (left) => left === 0)
    for (const accountNumber of numbers) {
      const { followUps } = await resultOf(accountNumber)
      assert.equal(followUps.filter(({ code }) => code === 'IdentityDocument').length, 1, accountNumber)
    }
  })
  test('finds accounts that were opened before the review existed, and an unreadable account does not stop the others', async () => {
    const well = await openAndFollow(service.alpha, applicationOf(trusted))
    const ill = await openAndFollow(service.alpha, applicationOf(trusted))
    const { rows } = await service.query('select sealed from clearing.account where account_number = $1', [
      ill,
    ])
    await service.query("update clearing.account set sealed = '\\x00' where account_number = $1", [ill])
    await service.query('delete from clearing.renewal')
    await service.query('delete from clearing.account_review')
    await service.query("update clearing.review_entry set after_account = '', ended_at = null")
    await lookAgain('entered')
    await until(
      async () => (await renewalOf(well, 'W9Certification')) ?? null,
      (one) => one?.state === 'Asked' && one.followUpId !== '',
    )
    assert.deepEqual(await renewalsOf(ill), [])
    await service.query('update clearing.account set sealed = $2 where account_number = $1', [
      ill,
      rows[0].sealed,
    ])
    await lookAgain('mended')
    await until(
      async () => (await renewalOf(ill, 'W9Certification')) ?? null,
      (one) => one?.state === 'Asked',
    )
    const { rows: entry } = await service.query('select ended_at from clearing.review_entry')
    assert.notEqual(entry[0].ended_at, null)
  })
})
