/**
 * A temporary hold (the restriction ProtectedAdult) protects a specified adult, is in the inbox until its notice is
 * recorded and before its end, is extended by two people, and ends at the close of its last business day.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, addMarketDays, isMarketDay, previousMarketDay } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow, read, rejectionsOf, until } from './calling.ts'
import { goBeforeClose, goPastClose } from './close-of-day.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { untilBehind } from './waiting-behind.ts'

let service: RunningService
let operator: PersonAtWork
let principal: PersonAtWork
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
  operator = await signIn(service, 'operator@example.com')
  principal = await signIn(service, 'principal@example.com')
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
async function today() {
  return easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
}
function openOwner(birthDate: string) {
  return openAndFollow(service.alpha, applicationOf({ lastName: 'Aged', birthDate }))
}
const reason = 'The trusted contact called.'
/** Places a hold as a credential, which needs no second person. */
async function place(accountNumber: string, holdGround?: string) {
  const hold = { accountNumber, restrictionCode: 'ProtectedAdult', reason, ...(holdGround && { holdGround }) }
  return (await operations().placeRestriction(hold)).data
}
async function placed(accountNumber: string) {
  const { restriction } = await place(accountNumber)
  assert.ok(restriction)
  return { accountNumber, restrictionId: restriction.restrictionId }
}
async function restrictionOf(accountNumber: string) {
  const { restrictions } = (await operations().listRestrictions({ accountNumber })).data
  // After 30 days, a missing tax form restricts the account too.
  const found = restrictions.find(({ restrictionCode }) => restrictionCode === 'ProtectedAdult')
  assert.ok(found)
  return found
}
async function isHeld(accountNumber: string) {
  return (await restrictionOf(accountNumber)).endedOn === null
}
async function inbox(accountNumber: string) {
  const { work } = (await operations().listWork({ queues: ['Hold'], accountNumber })).data
  return work.map(({ subject }) => subject)
}
async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ accountNumber, size: 100 })).data
  return events
    .filter(({ type }) => type === 'account.restricted')
    .map(({ data }) => data as { inForce: boolean; accountStatus: string; expiresOn?: string })
}
/** Moves the clock past the close of the business day before `day`, and then past that of `day`. */
async function heldUntil(accountNumber: string, day: string) {
  await goPastClose(service, previousMarketDay(day))
  assert.equal(await isHeld(accountNumber), true)
  await goBeforeClose(service, day)
  assert.equal(await isHeld(accountNumber), true)
  await goPastClose(service, day)
  assert.equal(await isHeld(accountNumber), false)
}

async function queueJob(task: string, payload: object, due: Date | null = null) {
  const job = [task, JSON.stringify(payload), due]
  await service.query('select clearing.queue_job($1, $2::json, $1, $3, null, 5)', job)
}
/** Runs a job of the close, with the jobs that it queues. */
async function runJob(task: string, payload: object) {
  await queueJob(task, payload)
  await jobsHaveEnded()
}
async function jobsHaveEnded() {
  const left = async () =>
    (
      await service.query(
        `select count(*)::integer as left from graphile_worker.jobs
         where task_identifier in ('review-accounts', 'end-temporary-holds')`,
      )
    ).rows[0].left
  await until(left, (count) => count === 0)
}

describe('a temporary hold', () => {
  test('is refused if no specified adult has authority over the account', async () => {
    const young = await openOwner('1990-01-09')
    assert.deepEqual(await rejectionsOf(place(young)), ['ERR.2051 restrictionCode'])
    assert.deepEqual(await rejectionsOf(place(young, 'Age65')), ['ERR.2051 holdGround'])
    const byPerson = { accountNumber: young, restrictionCode: 'ProtectedAdult', reason }
    const refused = (await operator.call('place-restriction', byPerson)).json
    assert.match(refused.errors[0].reason, /State holdGround Impairment/)
    const llc = await openAndFollow(service.alpha, applicationFor('Llc'))
    assert.deepEqual(await rejectionsOf(place(llc)), ['ERR.2051 restrictionCode'])
    const other = { accountNumber: young, restrictionCode: 'LegalHold', reason, holdGround: 'Age65' }
    assert.deepEqual(await rejectionsOf(operations().placeRestriction(other)), ['ERR.1015 holdGround'])
    const impaired = await place(young, 'Impairment')
    assert.equal(impaired.restriction?.hold?.ground, 'Impairment')
    assert.equal((await restrictionOf(young)).hold?.ground, 'Impairment')
  })

  test('asks for the notice, is shown before its end, and ends at the close of the 15th business day', async () => {
    const hold = await placed(await openOwner('1950-03-04'))
    const { accountNumber } = hold
    const day = await today()
    const last = addMarketDays(day, 15)
    const of = (await restrictionOf(accountNumber)).hold
    assert.deepEqual(
      [of?.ground, of?.expiresOn, of?.notifyBy, of?.notifiedOn],
      ['Age65', last, addMarketDays(day, 2), null],
    )
    assert.deepEqual(await inbox(accountNumber), ['Notice of the hold'])
    await goPastClose(service, addMarketDays(day, 2))
    await goBeforeClose(service, addMarketDays(day, 3))
    const late = (await operations().listWork({ queues: ['Hold'], accountNumber, late: true })).data.work
    assert.deepEqual(
      late.map(({ subject }) => subject),
      ['Notice of the hold'],
    )
    // A notice of a person needs no second one.
    const notice = { ...hold, step: 'Notified', reason: 'Called the owner and the trusted contact.' }
    const noticed = (await operator.call('record-hold-step', notice)).json.data
    assert.equal(noticed.change, null)
    assert.equal(noticed.restriction.hold.steps[0].recordedBy, 'operator@example.com')
    assert.deepEqual(await inbox(accountNumber), [])
    const reminder = previousMarketDay(previousMarketDay(last))
    await goBeforeClose(service, previousMarketDay(reminder))
    assert.deepEqual(await inbox(accountNumber), [])
    await goBeforeClose(service, reminder)
    assert.deepEqual(await inbox(accountNumber), ['End of the hold'])
    await heldUntil(accountNumber, last)
    assert.deepEqual(await inbox(accountNumber), [])
    const ended = await restrictionOf(accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
    assert.equal(ended.endedBy, 'service')
    assert.equal(
      ended.endReason,
      `The temporary hold expired at the end of ${last} (FINRA Rule 2165(b)(2), not extended).`,
    )
    assert.deepEqual(
      (await eventsOf(accountNumber)).map((one) => [one.inForce, one.accountStatus, one.expiresOn]),
      [
        [true, 'Restricted', last],
        [false, 'Open', undefined],
      ],
    )
    const { rows: trail } = await service.query(
      `select action, actor from clearing.audit where account_number = $1
         and action in ('place-restriction', 'record-hold-step', 'end-restriction') order by sequence`,
      [accountNumber],
    )
    assert.deepEqual(
      trail.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`),
      ['place-restriction operations', 'record-hold-step operator@example.com', 'end-restriction service'],
    )
    const again = { ...hold, step: 'Extended', reason }
    assert.deepEqual(await rejectionsOf(operations().recordHoldStep(again)), ['ERR.2010 step'])
  })

  test('is extended by two people and ends at the close of the 25th and the 55th business day', async () => {
    const extendedOnly = await placed(await openOwner('1951-03-04'))
    const reported = await placed(await openOwner('1952-03-04'))
    const ended = await placed(await openOwner('1953-03-04'))
    const day = await today()
    const extend = { step: 'Extended', reason: 'The review supports the belief.' }
    await goBeforeClose(service, addMarketDays(day, 15))
    const asked = (await operator.call('record-hold-step', { ...extendedOnly, ...extend })).json.data
    assert.equal(asked.restriction.hold.expiresOn, addMarketDays(day, 15))
    const queue = { queues: ['Restriction'], accountNumber: extendedOnly.accountNumber }
    const [waiting] = (await principal.call('list-work', queue)).json.data.work
    assert.equal(waiting.itemId, asked.change.changeId)
    const approval = { changeId: asked.change.changeId, decision: 'Approved', reason: 'Read the review.' }
    assert.equal((await operator.call('decide-change', approval)).status, 403)
    assert.equal((await principal.call('decide-change', approval)).status, 200)
    const after = await restrictionOf(extendedOnly.accountNumber)
    assert.equal(after.hold?.expiresOn, addMarketDays(day, 25))
    assert.deepEqual(
      after.hold?.steps.map(({ step, recordedBy }) => [step, recordedBy]),
      [['Extended', 'principal@example.com']],
    )
    await operations().recordHoldStep({ ...reported, ...extend })
    const report = { step: 'Reported', reason: 'Reported to the state securities bureau.' }
    await operations().recordHoldStep({ ...reported, ...report })
    const [, second, third] = await eventsOf(reported.accountNumber)
    assert.deepEqual([second?.expiresOn, third?.expiresOn], [addMarketDays(day, 25), addMarketDays(day, 55)])
    // A change that was not approved in time does not hold the account.
    const late = (await operator.call('record-hold-step', { ...ended, ...extend })).json.data.change
    await goPastClose(service, addMarketDays(day, 15))
    assert.equal(await isHeld(ended.accountNumber), false)
    const tooLate = { changeId: late.changeId, decision: 'Approved', reason: 'Read the review.' }
    assert.equal((await principal.call('decide-change', tooLate)).status, 409)
    await heldUntil(extendedOnly.accountNumber, addMarketDays(day, 25))
    assert.match((await restrictionOf(extendedOnly.accountNumber)).endReason, /2165\(b\)\(3\)/)
    await heldUntil(reported.accountNumber, addMarketDays(day, 55))
    assert.match((await restrictionOf(reported.accountNumber)).endReason, /2165\(b\)\(4\)/)
  })

  test('has the end that a court orders, and the steps that do not fit are refused', async () => {
    const hold = await placed(await openOwner('1954-03-04'))
    const day = await today()
    const record = (step: string, untilDay?: string) =>
      operations().recordHoldStep({ ...hold, step, reason, ...(untilDay && { until: untilDay }) })
    assert.deepEqual(await rejectionsOf(record('Ordered')), ['ERR.1000 until'])
    assert.deepEqual(await rejectionsOf(record('Extended', addDays(day, 9))), ['ERR.1015 until'])
    assert.deepEqual(await rejectionsOf(record('Ordered', addDays(day, -1))), ['ERR.2010 step'])
    assert.deepEqual(await rejectionsOf(record('Reported')), ['ERR.2010 step'])
    const ordered = addMarketDays(day, 4)
    assert.equal((await record('Ordered', ordered)).data.restriction?.hold?.expiresOn, ordered)
    assert.deepEqual(await rejectionsOf(record('Extended')), ['ERR.2010 step'])
    const unknown = { ...hold, restrictionId: 'nothing', step: 'Notified', reason }
    assert.deepEqual(await rejectionsOf(operations().recordHoldStep(unknown)), ['ERR.2013 restrictionId'])
    await heldUntil(hold.accountNumber, ordered)
    // The notice is still asked for, and can be recorded.
    assert.deepEqual(await inbox(hold.accountNumber), ['Notice of the hold'])
    await record('Notified')
    assert.deepEqual(await inbox(hold.accountNumber), [])
  })

  test('stands on its last day if the day before is closed on it', async () => {
    const { accountNumber } = await placed(await openOwner('1958-03-04'))
    const last = addMarketDays(await today(), 15)
    await goBeforeClose(service, last)
    // The close of the sandbox is never late. These are the jobs of a late close, with and without its day.
    await runJob('review-accounts', {})
    assert.equal(await isHeld(accountNumber), true)
    await runJob('review-accounts', { closed: previousMarketDay(last) })
    assert.equal(await isHeld(accountNumber), true)
    await runJob('review-accounts', { closed: last })
    assert.equal(await isHeld(accountNumber), false)
  })

  test('whose ordered end is a day without a market ends with the business day before', async () => {
    const hold = await placed(await openOwner('1959-03-04'))
    const { accountNumber } = hold
    let last = addMarketDays(await today(), 3)
    while (isMarketDay(addDays(last, 1))) last = addDays(last, 1)
    const ordered = addDays(last, 1)
    await operations().recordHoldStep({ ...hold, step: 'Ordered', reason, until: ordered })
    await runJob('end-temporary-holds', { day: previousMarketDay(last) })
    assert.equal(await isHeld(accountNumber), true)
    await runJob('end-temporary-holds', { day: last })
    assert.equal(
      (await restrictionOf(accountNumber)).endReason,
      `The temporary hold ended with ${last}, the last business day until ${ordered} (by order).`,
    )
  })

  test('of a firm that is being moved waits, and delays no hold of another firm', async () => {
    const owner = { lastName: 'Aged', birthDate: '1960-03-04' }
    const ofBeta = { ...applicationOf(owner), entityNumber: '302', main: { repCode: 'BB01' } }
    const missing = await openAndFollow(service.beta, ofBeta)
    const ended = await openAndFollow(service.beta, ofBeta)
    for (const accountNumber of [missing, ended]) await placed(accountNumber)
    const { accountNumber } = await placed(await openOwner('1960-03-04'))
    const { firmId } = await restrictionOf(missing)
    await service.query('delete from clearing.temporary_hold where account_number = $1', [missing])
    const end = "update clearing.restriction set ended_at = now(), ended_by = 'x' where account_number = $1"
    await service.query(end, [ended])
    // As `move-firm` freezes it.
    const mark =
      "insert into clearing.moving_firm (firm_id, state, other_cell) values ($1, 'Frozen', 'cell-2')"
    await service.query(mark, [firmId])
    await service.query(`create trigger frozen before insert or update on clearing.temporary_hold
      for each row when (new.firm_id = '${firmId}') execute function clearing.refuse_frozen()`)
    await runJob('end-temporary-holds', { day: addMarketDays(await today(), 15) })
    assert.equal(await isHeld(accountNumber), false)
    await service.query('drop trigger frozen on clearing.temporary_hold')
    await service.query('delete from clearing.moving_firm where firm_id = $1', [firmId])
    assert.equal((await restrictionOf(missing)).hold, null)
    await runJob('end-temporary-holds', { day: await today() })
    assert.equal((await restrictionOf(missing)).hold?.expiresOn, addMarketDays(await today(), 15))
    const open = 'select from clearing.temporary_hold where account_number = $1 and ended_at is null'
    assert.equal((await service.query(open, [ended])).rowCount, 0)
  })

  test('goes on if it is extended while the close is about to end it', async () => {
    const { accountNumber } = await placed(await openOwner('1950-03-04'))
    const day = addMarketDays(await today(), 15)
    // The session of the test holds the account before the job begins.
    await queueJob('end-temporary-holds', { day }, new Date(Date.now() + 1_000))
    await service.query('begin')
    await service.query('select from clearing.account where account_number = $1 for no key update', [
      accountNumber,
    ])
    await untilBehind(service, 1)
    await service.query('update clearing.temporary_hold set expires_on = $2 where account_number = $1', [
      accountNumber,
      addMarketDays(day, 10),
    ])
    await service.query('commit')
    await jobsHaveEnded()
    assert.equal(await isHeld(accountNumber), true)
    await runJob('end-temporary-holds', { day: addMarketDays(day, 10) })
    assert.equal(await isHeld(accountNumber), false)
  })

  test('that is placed again shows the earlier holds to who places it and to the second person', async () => {
    const hold = await placed(await openOwner('1961-03-04'))
    const { accountNumber } = hold
    const day = await today()
    await operations().endRestriction({ ...hold, reason })
    const again = { accountNumber, restrictionCode: 'ProtectedAdult', reason }
    const asked = (await operator.call('place-restriction', again)).json
    const earlier = `${day} to ${day}`
    assert.deepEqual(asked.data.change.fields.at(-1), { field: 'earlierHold', before: '', after: earlier })
    assert.match(asked.message, new RegExp(`had a temporary hold before \\(${earlier}\\)`))
    const other = { ...again, restrictionCode: 'LegalHold' }
    assert.doesNotMatch((await operator.call('place-restriction', other)).json.message, /hold before/)
    assert.match((await operations().placeRestriction(again)).message, /hold before/)
  })

  test('that a process of the previous release placed or ended is brought in line at the next close', async () => {
    // One close follows the placement.
    await goPastClose(service, await today())
    const [fresh, old, over] = [
      await placed(await openOwner('1955-03-04')),
      await placed(await openOwner('1956-03-04')),
      await placed(await openOwner('1957-03-04')),
    ]
    const numbers = [fresh.accountNumber, old.accountNumber]
    await service.query('delete from clearing.temporary_hold where account_number = any ($1)', [numbers])
    const end = "update clearing.restriction set ended_at = now(), ended_by = 'x' where account_number = $1"
    await service.query(end, [over.accountNumber])
    const day = await today()
    const placing = `update clearing.restriction set placed_at = placed_at - interval '60 days' where account_number = $1`
    await service.query(placing, [old.accountNumber])
    await goPastClose(service, addMarketDays(day, 1))
    const closed = await today()
    assert.equal((await restrictionOf(fresh.accountNumber)).hold?.expiresOn, addMarketDays(day, 15))
    const shown = (await restrictionOf(old.accountNumber)).hold
    assert.deepEqual([shown?.ground, shown?.expiresOn], ['', addMarketDays(closed, 2)])
    assert.deepEqual(await inbox(old.accountNumber), ['Notice of the hold'])
    const { rows } = await service.query(
      'select ended_at is not null as ended from clearing.temporary_hold where account_number = $1',
      [over.accountNumber],
    )
    assert.deepEqual(rows, [{ ended: true }])
    await heldUntil(old.accountNumber, addMarketDays(closed, 2))
  })
})
