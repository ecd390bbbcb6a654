import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadActivityLines } from '../books/testing/books-database.ts'
import { closeSteps } from '../store/business-day.ts'
import { closeDay, makeBusinessDay } from './test-business-day.ts'
import {
  asSuperuser,
  deposit,
  events,
  friday,
  monday,
  openBooks,
  purchase,
  rows,
  verify,
} from './test-closes.ts'

describe('an interrupted close', () => {
  it('has the same seal after a stop at any portion', async () => {
    let expected: string | undefined
    let places = 1
    for (let stopAt = -1; stopAt < places; stopAt += 3) {
      await using books = await openBooks()
      let seen = 0
      const day = makeBusinessDay(books, {
        portionsAtOnce: 1,
        beforePortion() {
          if (seen === stopAt) throw new Error('stopped')
          seen += 1
        },
      })
      if (stopAt >= 0) await assert.rejects(closeDay(books, friday, day), /stopped/)
      const closed = await closeDay(books, friday, stopAt < 0 ? day : undefined)
      assert.equal(closed.closeDate, '2026-11-20')
      if (stopAt < 0) {
        places = seen
        expected = closed.seal
      } else assert.equal(closed.seal, expected)
      assert.equal((await events(books, 'call.issued')).length, 6)
      assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
    }
  })

  it('completes after a stop at each portion in turn, and finds each item once', async () => {
    await using books = await openBooks()
    // A cash account paid late for one purchase, and sold another before it was paid.
    const ofCash = { acctType: '1' }
    await loadActivityLines(books, [
      { ...purchase('30', 'A0000001', '40', '2026-11-13'), ...ofCash },
      { ...purchase('31', 'A0000002', '40', '2026-11-19'), ...ofCash },
      { ...purchase('32', 'A0000002', '40', '2026-11-20'), ...ofCash, buySell: 'SEL' },
    ])
    const stopped: string[] = []
    for (;;) {
      let begun = false
      const day = makeBusinessDay(books, {
        beforePortion({ step, portion }) {
          if (begun) throw new Error(`stopped at ${step} ${portion}`)
          begun = true
        },
      })
      const outcome = await closeDay(books, friday, day, '2026-11-20').catch((fault: Error) => fault.message)
      if (typeof outcome !== 'string') break
      stopped.push(outcome)
    }
    assert.equal(stopped.length, 10)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
    assert.equal((await events(books, 'call.issued')).length, 7)
    assert.deepEqual(await events(books, 'account.restricted'), [{ account_number: 'A0000002' }])
    assert.deepEqual(await rows(books, 'select account_number, code, ended_at from clearing.restriction'), [
      { account_number: 'A0000002', code: 'NinetyDayCash', ended_at: null },
    ])
    assert.deepEqual(
      await rows(books, "select external_id from clearing.books_break where kind = 'Liquidate'"),
      [{ external_id: '30' }],
    )
    const actions = "select action from clearing.audit where account_number = 'A0000002'"
    assert.deepEqual(await rows(books, actions), [{ action: 'place-restriction' }])
  })

  it('is completed by the next close that names no day', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books, {
      beforePortion({ step }) {
        if (step === 'Seal') throw new Error('stopped')
      },
    })
    await assert.rejects(closeDay(books, friday, day), /stopped/)
    assert.equal((await closeDay(books, monday)).closeDate, '2026-11-20')
  })

  it('stops between portions when the service stops', async () => {
    await using books = await openBooks()
    const stops: Promise<void>[] = []
    const day = makeBusinessDay(books, {
      beforePortion({ step }) {
        if (step === 'Mark') stops.push(day.stop())
      },
    })
    await assert.rejects(closeDay(books, friday, day), /can be run again/)
    await Promise.all(stops)
    assert.equal((await closeDay(books, friday)).closeDate, '2026-11-20')
  })

  it('completes although its connections are lost', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books, {
      async beforePortion() {
        await asSuperuser(books, [
          // Portions run concurrently: the sessions of the superuser must not end one another.
          `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename <> current_user`,
        ])
      },
    })
    const closed = await closeDay(books, friday, day)
    assert.equal(closed.callsIssued, 6)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })
})

describe('concurrent closes of a day', () => {
  it('return the same result, in one process or in several', async () => {
    await using books = await openBooks()
    const one = makeBusinessDay(books)
    const closed = await Promise.all([
      closeDay(books, friday, one, '2026-11-20'),
      closeDay(books, friday, one, '2026-11-20'),
      closeDay(books, friday, makeBusinessDay(books), '2026-11-20'),
      closeDay(books, friday, makeBusinessDay(books), '2026-11-20'),
    ])
    assert.equal(new Set(closed.map(({ seal }) => seal)).size, 1)
    assert.deepEqual(
      closed.map(({ callsIssued, positions }) => [callsIssued, positions]),
      closed.map(() => [6, 3]),
    )
    assert.equal((await events(books, 'call.issued')).length, 6)
    assert.equal((await events(books, 'business_day.closed')).length, 2)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })
})

describe('lines that arrive while a day is being closed', () => {
  for (const step of closeSteps) {
    it(`belong to the next day: at ${step}`, async () => {
      await using books = await openBooks()
      let sent = false
      const day = makeBusinessDay(books, {
        async beforePortion(close) {
          if (sent || close.step !== step) return
          sent = true
          const more = [
            deposit('40', 'A0000001', '25000'),
            purchase('41', 'A0000003', '20'),
            { ...purchase('42', 'A0000005', '40'), buySell: 'SEL', secFee: '0' },
          ]
          const loaded = await loadActivityLines(books, more, { now: friday })
          assert.deepEqual(loaded.rejects, [])
        },
      })
      const closed = await closeDay(books, friday, day)
      assert.equal(closed.callsIssued, 6)
      assert.deepEqual(
        await rows(
          books,
          `select account_number, asset, quantity::float from clearing.sealed_balance
           where acct_type = 2 and asset = '1' order by account_number`,
        ),
        [
          { account_number: 'A0000001', asset: '1', quantity: 1_000 },
          { account_number: 'A0000005', asset: '1', quantity: 40 },
        ],
      )
      assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
      const next = await closeDay(books, monday)
      // An account without a debit owes nothing of the 2,000 that was called for the securities sold.
      assert.equal(next.callsMet, 4)
      assert.deepEqual(await verify(books), { seals: 2, breaks: [], next: '' })
      assert.deepEqual(
        await rows(
          books,
          `select account_number, quantity::float from clearing.sealed_balance
           where asset = '1' and close_date = '2026-11-23' order by account_number`,
        ),
        [
          { account_number: 'A0000003', quantity: 20 },
          { account_number: 'A0000005', quantity: 0 },
        ],
      )
    })
  }
})
