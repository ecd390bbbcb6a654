/**
 * A person who is confirmed as listed is blocked at every firm: the person's other accounts are restricted, waiting
 * applications are rejected, and later ones are reviewed. No firm learns of another.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import type { Request } from '@clearing/protocol'
import type { Client } from '@clearing/sdk'
import { sandboxFirms } from '../../server/src/identity/sandbox-firms.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow, open, openAndFollow, read, until } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { allSearched } from './searched-persons.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await service.alpha.sandbox.freezeClock({})
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}

const nulls = Array(7).fill('-0- ').join(',')
let lists = 0
/** Loads a list with one name of a person, and waits until all accounts were compared with it. */
async function list(name: string): Promise<void> {
  lists += 1
  const lines = `${7_000 + lists},"${name}","individual","TEST",${nulls},"-0- "\r\n`
  await operations().loadWatchList({ listName: `LIST${lists}`, lines: { csv: lines } } as never)
  await until(
    async () =>
      (await service.query('select count(*)::integer from clearing.rescreening where ended_at is null'))
        .rows[0].count,
    (running) => running === 0,
  )
}
async function matchesOf(accountNumber: string) {
  return (await operations().listMatches({ accountNumber })).data.matches
}
async function decide(accountNumber: string, decision: 'Cleared' | 'Confirmed', more: object = {}) {
  const open = (await matchesOf(accountNumber)).find((match) => match.decision === 'Open')
  assert.ok(open, `account ${accountNumber} has no open match`)
  await operations().decideMatch({
    accountNumber,
    matchId: open.matchId,
    decision,
    reason: 'Compared with the passport of the account at Alpha.',
    ...more,
  })
  if (decision === 'Confirmed') await allSearched(service)
}
async function statusOf(client: Client, accountNumber: string) {
  return (await read(client, accountNumber)).accountStatus
}
async function restrictionsOf(accountNumber: string) {
  const { data } = await operations().listRestrictions({ accountNumber, inForce: true })
  return data.restrictions.map(({ restrictionCode, placedBy }) => `${restrictionCode} ${placedBy}`)
}

function ofBeta(application: Request<'new-account'>): Request<'new-account'> {
  return { ...application, entityNumber: '302', main: { repCode: 'BB01' } }
}
function opened(application: Request<'new-account'>) {
  return openAndFollow(service.alpha, application)
}
function openedAtBeta(application: Request<'new-account'>) {
  return openAndFollow(service.beta, ofBeta(application))
}
function joint(owner: object, party: object): Request<'new-account'> {
  const application = applicationFor('JointTIC')
  return {
    ...application,
    primaryOwner: { ...application.primaryOwner, ...owner },
    associatedParties: [{ ...application.associatedParties?.[0], ...party }],
  } as Request<'new-account'>
}

describe('a person who is confirmed as listed', () => {
  const name = { firstName: 'Ottavio', lastName: 'Brandsma', birthDate: '1964-05-20' }

  test('is blocked in every other account of every firm, and no other person is', async () => {
    const taxIdNumber = newTaxId()
    const same = { ...name, taxIdNumber }
    const accounts = {
      decided: await opened(applicationOf(same)),
      joint: await opened(joint({}, same)),
      beta: await openedAtBeta(applicationOf(same)),
      // Known by tax id and birth date alone.
      renamed: await openedAtBeta(
        applicationOf({ ...same, firstName: 'Wilhelmina', lastName: 'Achterberg' }),
      ),
      // Known by name and birth date, and by the match.
      otherNumber: await openedAtBeta(applicationOf(name)),
      cleared: await openedAtBeta(applicationOf(name)),
    }
    const others = {
      dayBefore: await openedAtBeta(applicationOf({ ...name, birthDate: '1964-05-19' })),
      dayAfter: await openedAtBeta(applicationOf({ ...name, birthDate: '1964-05-21' })),
      sameDay: await openedAtBeta(
        applicationOf({ firstName: 'Ada', lastName: 'Moreno', birthDate: name.birthDate }),
      ),
    }
    await list('BRANDSMA, Ottavio')
    await decide(accounts.cleared, 'Cleared')
    await decide(accounts.decided, 'Confirmed')
    const seen = async (client: Client, accountNumber: string) => [
      await statusOf(client, accountNumber),
      await restrictionsOf(accountNumber),
      (await matchesOf(accountNumber)).map(({ decision, decidedBy }) => `${decision} ${decidedBy}`),
    ]
    const blocked = ['Restricted', ['Sanctions service'], ['Confirmed service']]
    assert.deepEqual(await seen(service.alpha, accounts.joint), blocked)
    for (const which of ['beta', 'renamed', 'otherNumber', 'cleared'] as const)
      assert.deepEqual(await seen(service.beta, accounts[which]), blocked, which)
    assert.deepEqual(await seen(service.alpha, accounts.decided), [
      'Restricted',
      ['Sanctions operations'],
      ['Confirmed operations'],
    ])
    assert.deepEqual(
      await Promise.all([
        ...Object.values(others).map((accountNumber) => restrictionsOf(accountNumber)),
        ...Object.values(others).map((accountNumber) => statusOf(service.beta, accountNumber)),
      ]),
      [[], [], [], 'Open', 'Open', 'Open'],
    )

    // The firm sees the restriction, and the trail says what happened. Neither names the other firm.
    await service.eventsReported()
    const { events } = (await service.beta.listEvents({ accountNumber: accounts.renamed })).data
    assert.equal(events.filter(({ type }) => type === 'account.restricted').length, 1)
    const { rows } = await service.query(
      "select action, actor, detail::text as detail from clearing.audit where account_number = $1 and action in ('decide-match', 'place-restriction') order by action",
      [accounts.renamed],
    )
    assert.deepEqual(
      rows.map(({ action, actor }) => `${action} ${actor}`),
      ['decide-match service', 'place-restriction service'],
    )
    const matches = await matchesOf(accounts.renamed)
    assert.match(matches[0]?.reasons.at(-1)?.detail ?? '', /^The same person was confirmed as this entry on /)
    const shown = JSON.stringify([rows, matches, events])
    assert.doesNotMatch(shown, /Alpha|passport/i)
    assert.ok(!shown.includes(accounts.decided))
    const { rows: ends } = await service.query(
      "select detail::text as detail from clearing.audit where action = 'block-listed-person' order by sequence desc limit 1",
    )
    assert.equal(JSON.parse(ends[0]?.detail).accounts, 5)
    assert.equal((await operations().verifyAudit({})).data.verified, true)

    // A withdrawal from an account that was blocked so is a break.
    const accountNumber = accounts.renamed
    const tradeDate = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    const line = { acctNo: accountNumber, tradeDate, transType: 'Withdrawal', netAmount: '-5000' }
    await operations().loadActivity({ lines: { ndjson: [{ externalId: 'LISTED1', ...line }] } })
    const { breaks } = (await operations().listBreaks({ accountNumber, kind: 'Suspended' })).data
    assert.equal(breaks.length, 1)
  })

  test('is reviewed in every later application, by number or by name, until operations decide', async () => {
    const taxIdNumber = newTaxId()
    const later = { firstName: 'Casimira', lastName: 'Vantongeren', birthDate: '1959-12-31' }
    const decided = await opened(applicationOf({ ...later, taxIdNumber }))
    await list('VANTONGEREN, Casimira')
    await decide(decided, 'Confirmed')
    const byNumber = { ...later, taxIdNumber, firstName: 'Wilhelmina', lastName: 'Achterberg' }
    for (const applicant of [byNumber, later]) {
      const { accountNumber } = await open(service.beta, ofBeta(applicationOf(applicant)))
      const result = await follow(service.beta, accountNumber)
      assert.equal(result.currentState, 'ManualReview')
      assert.doesNotMatch(JSON.stringify(result), /Alpha|confirmed/)
      const [match, ...more] = await matchesOf(accountNumber)
      assert.deepEqual([match?.decision, more], ['Open', []])
      assert.match(match?.reasons.at(-1)?.detail ?? '', /^The same person was confirmed as this entry on /)
      const { work } = (await operations().listWork({ accountNumber })).data
      assert.deepEqual(
        work.map(({ queue }) => queue),
        ['Match'],
      )
      await decide(accountNumber, 'Cleared')
      assert.equal((await follow(service.beta, accountNumber)).currentState, 'CreationComplete')
    }
    const other = { ...byNumber, birthDate: '1960-01-01' }
    const { accountNumber } = await open(service.beta, ofBeta(applicationOf(other)))
    assert.equal((await follow(service.beta, accountNumber)).currentState, 'CreationComplete')
  })

  test('is rejected in applications that wait for a decision, and added to no open account unseen', async () => {
    const same = {
      firstName: 'Leontine',
      lastName: 'Quackenbosch',
      birthDate: '1971-07-01',
      taxIdNumber: newTaxId(),
    }
    await list('QUACKENBOSCH, Leontine')
    const decided = await opened(applicationOf(same))
    const waiting = await openedAtBeta(applicationOf(same))
    const account = await openedAtBeta(applicationOf({ firstName: 'Ada', lastName: 'Moreno' }))
    await decide(decided, 'Confirmed')
    const result = await follow(service.beta, waiting)
    assert.equal(result.currentState, 'Rejected')
    assert.doesNotMatch(JSON.stringify(result), /Alpha|passport|same person/)
    const attorney = {
      ...applicationFor('Individual').primaryOwner,
      ...same,
      firstName: 'Wilhelmina',
      lastName: 'Achterberg',
      role: 'PowerOfAttorney',
    }
    const { message } = await service.beta.updateAccount({
      accountNumber: account,
      associatedParties: [attorney],
    } as Request<'update-account'>)
    assert.match(message, /awaits a review by operations/)
    const [match] = await matchesOf(account)
    assert.match(match?.reasons.at(-1)?.detail ?? '', /^The same person was confirmed/)
  })

  test('is found once, also when the search is repeated, and when an earlier release stored the decision', async () => {
    const same = {
      firstName: 'Ignatius',
      lastName: 'Oosterbaan',
      birthDate: '1950-02-28',
      taxIdNumber: newTaxId(),
    }
    const decided = await opened(applicationOf(same))
    const beta = await openedAtBeta(applicationOf(same))
    await list('OOSTERBAAN, Ignatius')
    await decide(decided, 'Confirmed')
    // As an earlier release leaves the decision.
    const removed = await service.query(
      `delete from clearing.listed_person where match_id = (
         select match_id from clearing.screening_match where account_number = $1)`,
      [decided],
    )
    assert.equal(removed.rowCount, 1)
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    await goPastClose(service, addDays(today, 1))
    await allSearched(service)
    assert.deepEqual(await restrictionsOf(beta), ['Sanctions service'])
    // As after a kill between the last account and the stored progress.
    await service.query(
      `with again as (
         update clearing.listed_person set after_firm = null, ended_at = null where match_id = (
           select match_id from clearing.screening_match where account_number = $1)
         returning match_id)
       select clearing.queue_job('block-listed-person', json_build_object('matchId', match_id, 'part', 1, 'afterFirm', null))
       from again`,
      [decided],
    )
    await allSearched(service)
    for (const accountNumber of [decided, beta]) {
      const { rows } = await service.query(
        `select action, count(*)::integer from clearing.audit where account_number = $1
           and action in ('decide-match', 'place-restriction') group by action order by action`,
        [accountNumber],
      )
      assert.deepEqual(rows, [
        { action: 'decide-match', count: 1 },
        { action: 'place-restriction', count: 1 },
      ])
    }
  })
})

describe('the search for the accounts of a listed person', () => {
  const beta = sandboxFirms[1]?.firmId

  test('leaves out a firm that has moved to another cell, and takes all others', async () => {
    const movedFirm = '00000000-0000-4000-8000-0000000000aa'
    const same = {
      firstName: 'Hermione',
      lastName: 'Zandbergen',
      birthDate: '1968-03-03',
      taxIdNumber: newTaxId(),
    }
    const decided = await opened(applicationOf(same))
    const account = await openedAtBeta(applicationOf(same))
    await list('ZANDBERGEN, Hermione')
    // As `move-firm --remove` leaves it: the firm without its keys.
    await service.query("insert into clearing.firm (firm_id, name, created_at) values ($1, 'Moved', now())", [
      movedFirm,
    ])
    await service.query(
      "insert into clearing.moving_firm (firm_id, state, other_cell) values ($1, 'Moved', 'cell-1')",
      [movedFirm],
    )
    await decide(decided, 'Confirmed')
    await service.query('delete from clearing.moving_firm where firm_id = $1', [movedFirm])
    await service.query('delete from clearing.firm where firm_id = $1', [movedFirm])
    assert.deepEqual(await restrictionsOf(account), ['Sanctions service'])
  })

  test('goes on after an account that cannot be blocked, and tries that account again', async () => {
    const same = {
      firstName: 'Sibylla',
      lastName: 'Overdijk',
      birthDate: '1961-11-11',
      taxIdNumber: newTaxId(),
    }
    const decided = await opened(applicationOf(same))
    const account = await openedAtBeta(applicationOf(same))
    await list('OVERDIJK, Sibylla')
    await service.query(
      `create trigger held before insert on clearing.restriction for each row when (new.firm_id = '${beta}')
       execute function clearing.refuse_frozen()`,
    )
    await decide(decided, 'Confirmed')
    await service.query('drop trigger held on clearing.restriction')
    assert.deepEqual(await restrictionsOf(account), [])
    await until(
      () => restrictionsOf(account),
      (codes) => codes.length > 0,
    )
    assert.deepEqual(await restrictionsOf(account), ['Sanctions service'])
  })
})

describe('a clearance that ends', () => {
  test('after the owner got another name leads to no decision, and is dropped', async () => {
    const named = applicationOf({ firstName: 'Perpetua', lastName: 'Brouwershaven' })
    const accountNumber = await opened(named)
    await list('BROUWERSHAVEN, Perpetua')
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    const expiresOn = addMarketDays(today, 3)
    await decide(accountNumber, 'Cleared', { expiresOn })
    await service.alpha.updateAccount({ accountNumber, primaryOwner: { lastName: 'Quillfeather' } })
    const decisions = async () => (await matchesOf(accountNumber)).map(({ decision }) => decision)
    assert.deepEqual(await decisions(), ['Cleared'])
    await goPastClose(service, expiresOn)
    await until(decisions, ([decision]) => decision === 'Dropped')
    assert.deepEqual((await operations().listWork({ accountNumber, queues: ['Match'] })).data.work, [])
  })

  test('on a day leads to a decision after the close of that day, if the list has the entry', async () => {
    const accounts = [
      await opened(applicationOf({ firstName: 'Perpetua', lastName: 'Zwartendijk' })),
      await opened(
        applicationOf({ firstName: 'Perpetua', lastName: 'Zwartendijk', birthDate: '1980-01-01' }),
      ),
    ] as const
    await list('ZWARTENDIJK, Perpetua')
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    const [dayBefore, expiresOn] = [addMarketDays(today, 2), addMarketDays(today, 3)]
    await decide(accounts[0], 'Cleared', { expiresOn })
    await decide(accounts[1], 'Cleared')
    const seen = async (accountNumber: string) => [
      (await matchesOf(accountNumber)).map(({ decision, reasons }) => [decision, reasons.at(-1)?.detail]),
      (await operations().listWork({ accountNumber })).data.work.filter(({ queue }) => queue === 'Match')
        .length,
    ]
    const [before] = await seen(accounts[0])
    await goPastClose(service, dayBefore)
    assert.deepEqual(await seen(accounts[0]), [before, 0])
    await goPastClose(service, expiresOn)
    await until(
      async () => (await matchesOf(accounts[0]))[0]?.decision,
      (decision) => decision === 'Open',
    )
    assert.deepEqual(await seen(accounts[0]), [[['Open', `Cleared by operations until ${expiresOn}.`]], 1])
    assert.equal(await statusOf(service.alpha, accounts[0]), 'Open')
    await decide(accounts[0], 'Cleared')
    await goPastClose(service, addDays(expiresOn, 1))
    for (const accountNumber of accounts)
      assert.deepEqual(
        (await matchesOf(accountNumber)).map(({ decision }) => decision),
        ['Cleared'],
      )
  })
})

describe('an account that two people released from a confirmation', () => {
  async function release(accountNumber: string): Promise<void> {
    const { data } = await operations().listRestrictions({ accountNumber, inForce: true })
    const restrictionId = data.restrictions[0]?.restrictionId ?? ''
    await operations().endRestriction({ accountNumber, restrictionId, reason: 'It is another person.' })
  }
  async function closeDay(): Promise<void> {
    const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
    await goPastClose(service, addDays(today, 1))
  }
  const same = () => ({ firstName: 'Philomena', lastName: 'Terwindt', birthDate: '1975-04-04' })

  test('is not blocked again by a search that is repeated, or by another confirmation of the person', async () => {
    const person = { ...same(), taxIdNumber: newTaxId() }
    const released = await opened(applicationOf(person))
    const other = await openedAtBeta(applicationOf(person))
    await list('TERWINDT, Philomena')
    await decide(released, 'Confirmed')
    await release(released)
    await service.query(
      `with again as (
         update clearing.listed_person set after_firm = null, ended_at = null where match_id = (
           select match_id from clearing.screening_match where account_number = $1)
         returning match_id)
       select clearing.queue_job('block-listed-person', json_build_object('matchId', match_id, 'part', 1, 'afterFirm', null))
       from again`,
      [released],
    )
    await allSearched(service)
    assert.deepEqual(await restrictionsOf(released), [])
    assert.deepEqual(await restrictionsOf(other), ['Sanctions service'])
    const { accountNumber: later } = await open(
      service.beta,
      ofBeta(applicationOf({ ...person, firstName: 'Wilhelmina' })),
    )
    assert.equal((await follow(service.beta, later)).currentState, 'ManualReview')
    await decide(later, 'Confirmed')
    assert.deepEqual(await restrictionsOf(released), [])
    assert.equal(await statusOf(service.alpha, released), 'Open')
  })

  test('is not blocked again by the first close after an earlier release, as long as nothing restricts it', async () => {
    const accounts = {
      released: await opened(applicationOf({ firstName: 'Cunegonda', lastName: 'Ravesteyn' })),
      blockedAgain: await opened(
        applicationOf({ firstName: 'Cunegonda', lastName: 'Ravesteyn', birthDate: '1962-06-06' }),
      ),
    }
    await list('RAVESTEYN, Cunegonda')
    for (const accountNumber of Object.values(accounts)) {
      await decide(accountNumber, 'Confirmed')
      await release(accountNumber)
    }
    const { blockedAgain, released } = accounts
    const restrictionCode = 'Sanctions'
    await operations().placeRestriction({ accountNumber: blockedAgain, restrictionCode, reason: 'It is he.' })
    // As an earlier release leaves the decisions.
    const { rows } = await service.query(
      `delete from clearing.listed_person where match_id in (
         select match_id from clearing.screening_match where account_number = any ($1)) returning match_id`,
      [Object.values(accounts)],
    )
    assert.equal(rows.length, 2)
    await closeDay()
    const remembered = () =>
      service.query(
        `select account_number from clearing.listed_person join clearing.screening_match using (match_id)
         where account_number = any ($1) and listed_person.ended_at is not null`,
        [Object.values(accounts)],
      )
    await until(
      async () => (await remembered()).rows.length,
      (count) => count > 0,
    )
    assert.deepEqual((await remembered()).rows, [{ account_number: blockedAgain }])
    assert.deepEqual(await restrictionsOf(released), [])
  })
})
