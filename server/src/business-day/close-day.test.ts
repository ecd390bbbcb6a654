import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { loadActivityLines, openTestBooks } from '../books/testing/books-database.ts'
import {
  addMutualFund,
  addSecurities,
  closeDay,
  closeRequest,
  makeBusinessDay,
  setPrice,
  stock,
  testAcceptance,
} from './test-business-day.ts'
import {
  calls,
  deposit,
  events,
  firmId,
  friday,
  monday,
  openBooks,
  purchase,
  rows,
  tuesday,
  verify,
} from './test-closes.ts'

describe('closing the business day', () => {
  it('settles, accrues, marks, issues calls and advances the date', async () => {
    await using books = await openBooks()
    const first = await closeDay(books, friday)
    assert.equal(first.closeDate, '2026-11-20')
    assert.equal(first.nextDate, '2026-11-23')
    assert.equal(first.accounts, 4)
    assert.equal(first.positions, 3)
    assert.match(first.seal, /^[0-9a-f]{64}$/)
    assert.deepEqual(await calls(books), [
      ...[
        // The deposit of 10,000 supports 20,000 of the purchase of 50,000. Half of the remaining 30,000 is called.
        ['A0000001', 'Fed', '2026-11-25', 15_000],
        // A quarter of 50,000, less the equity of 10,000.
        // The purchase left it so: it is an intraday margin deficit, too.
        ['A0000001', 'Intraday', '2026-11-30', 2_500],
        ['A0000001', 'Maintenance', '2026-12-14', 2_500],
        // A purchase of 2,000 of stock without a deposit must be paid in full, because an account must have equity of
        // 2,000.
        ['A0000005', 'Fed', '2026-11-25', 2_000],
        ['A0000005', 'Intraday', '2026-11-30', 500],
        ['A0000005', 'Maintenance', '2026-12-14', 500],
      ].map(([account_number, kind, due_by, amount]) => ({
        account_number,
        kind,
        issued_on: '2026-11-20',
        due_by,
        amount,
        outstanding: amount,
        age_days: 0,
        met_on: null,
      })),
    ])
    assert.equal((await events(books, 'call.issued')).length, 6)
    // Nothing had settled, so there is no interest. An account that holds a bond has no accrual of the day.
    assert.deepEqual(await rows(books, 'select account_number from clearing.day_accrual'), [])
    const second = await closeDay(books, monday)
    assert.equal(second.closeDate, '2026-11-23')
    assert.deepEqual(await rows(books, 'select * from clearing.unsettled'), [])
    // A debit of 40,000 for one night at 8.5% over 360 days, and 2,000.
    assert.deepEqual(
      await rows(
        books,
        `select account_number, interest_accrued::float from clearing.margin_ledger
         where close_date = '2026-11-23' order by account_number`,
      ),
      [
        { account_number: 'A0000001', interest_accrued: 9.44 },
        { account_number: 'A0000004', interest_accrued: 0 },
        { account_number: 'A0000005', interest_accrued: 0.47 },
      ],
    )
    assert.deepEqual(await verify(books), { seals: 2, breaks: [], next: '' })
  })

  it('moves amounts due from settlement with the street to the bank and the depository', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const street = await rows(
      books,
      `select leg.asset, sum(leg.amount)::float as amount from clearing.journal
       cross join unnest(ledger, asset, amount) as leg (ledger, asset, amount)
       where leg.ledger in ('street:clearing', 'location:depository') and account_number = 'A0000001'
       group by leg.ledger, leg.asset order by leg.asset, leg.ledger`,
    )
    assert.deepEqual(street, [
      { asset: '1', amount: 0 },
      { asset: '1', amount: -1_000 },
      { asset: 'USD', amount: 0 },
    ])
  })

  it('increases the age of calls until a deposit meets them', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await loadActivityLines(books, [deposit('10', 'A0000001', '14000', '2026-11-23')], { now: monday })
    const second = await closeDay(books, monday)
    // The bond bought on Wednesday with its accrued interest, in a cash account without cash.
    assert.equal(second.callsIssued, 1)
    assert.equal(second.callsMet, 2)
    const [fed, intraday, maintenance, cash] = await calls(books)
    assert.deepEqual([intraday?.outstanding, intraday?.met_on], [0, '2026-11-23'])
    assert.deepEqual([cash?.kind, cash?.issued_on, cash?.outstanding], ['Cash', '2026-11-23', 10_098.33])
    assert.deepEqual([fed?.outstanding, fed?.age_days, fed?.met_on], [1_000, 1, null])
    assert.deepEqual([maintenance?.outstanding, maintenance?.met_on], [0, '2026-11-23'])
    await loadActivityLines(books, [deposit('11', 'A0000001', '1000', '2026-11-24')], { now: monday })
    const third = await closeDay(books, tuesday)
    assert.equal(third.callsMet, 1)
    assert.equal((await calls(books))[0]?.met_on, '2026-11-24')
    assert.deepEqual(await events(books, 'call.met'), [
      { account_number: 'A0000001' },
      { account_number: 'A0000001' },
      { account_number: 'A0000001' },
    ])
  })

  it('lowers what is outstanding of a call after a partial deposit, and not the amount of the call', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await loadActivityLines(books, [deposit('10', 'A0000001', '1000', '2026-11-23')], { now: monday })
    await closeDay(books, monday)
    const [fed, , maintenance] = await calls(books)
    assert.deepEqual([fed?.kind, fed?.amount, fed?.outstanding], ['Fed', 15_000, 14_000])
    assert.deepEqual(
      [maintenance?.kind, maintenance?.amount, maintenance?.outstanding],
      ['Maintenance', 2_500, 1_500],
    )
  })

  it('raises the call of an earlier day for a late purchase of that day', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await loadActivityLines(books, [purchase('12', 'A0000001', '100', '2026-11-23')], { now: monday })
    await closeDay(books, monday)
    await loadActivityLines(books, [purchase('13', 'A0000001', '200', '2026-11-20')], { now: tuesday })
    await closeDay(books, tuesday)
    const found = await calls(books)
    assert.deepEqual(
      found
        .filter(({ account_number, kind }) => account_number === 'A0000001' && kind === 'Fed')
        .map(({ issued_on, amount, outstanding }) => [issued_on, amount, outstanding]),
      [
        ['2026-11-20', 20_000, 20_000],
        ['2026-11-23', 2_500, 2_500],
      ],
    )
  })

  it('opens a maintenance call when the market falls, and does not reduce SMA', async () => {
    await using books = await openBooks()
    await loadActivityLines(books, [purchase('20', 'A0000004', '100')])
    await closeDay(books, friday)
    const smaOf = async () =>
      rows(
        books,
        `select sma::float, maintenance_call ->> 'amount' as called from clearing.margin_ledger
         where account_number = 'A0000004' order by close_date desc limit 1`,
      )
    assert.deepEqual(await smaOf(), [{ sma: 2_500, called: null }])
    await setPrice(books, stock, '2026-11-23T21:00:00Z', '1')
    await closeDay(books, monday)
    // The position is worth 100 and has no debit, so the whole charge is covered.
    assert.deepEqual(await smaOf(), [{ sma: 2_500, called: null }])
    const [called] = await rows<{ called: string }>(
      books,
      `select maintenance_call ->> 'amount' as called from clearing.margin_ledger
       where account_number = 'A0000001' and close_date = '2026-11-23'`,
    )
    assert.equal(called?.called, '39250')
  })

  it('requires the whole value of a mutual fund that was bought within 30 days', async () => {
    await using books = await openBooks()
    await addMutualFund(books)
    const bought = (externalId: string, acctNo: string, tradeDate: string) => ({
      ...purchase(externalId, acctNo, '600', tradeDate),
      symbol: 'MUTF',
      price: '10',
    })
    const lines = [
      bought('20', 'A0000004', '2026-11-20'),
      deposit('21', 'A0000003', '5000', '2026-10-01'),
      bought('22', 'A0000003', '2026-10-01'),
    ]
    assert.deepEqual((await loadActivityLines(books, lines)).rejects, [])
    await closeDay(books, friday)
    // Each account has 6,000 of the fund and 5,000 of equity.
    assert.deepEqual(
      await rows(
        books,
        `select account_number, (maintenance_call ->> 'amount')::float as called from clearing.margin_ledger
         where account_number in ('A0000003', 'A0000004') and close_date = '2026-11-20' order by account_number`,
      ),
      [
        { account_number: 'A0000003', called: null },
        { account_number: 'A0000004', called: 1_000 },
      ],
    )
  })

  it('charges the accrued interest by a line of interest', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const charge = { ...deposit('30', 'A0000001', '-9.00', '2026-11-24'), transType: 'Interest' }
    const loaded = await loadActivityLines(books, [charge], { now: monday })
    assert.deepEqual(loaded.rejects, [])
    await closeDay(books, tuesday)
    const [row] = await rows<{ accrued: number }>(
      books,
      `select interest_accrued::float as accrued from clearing.margin_ledger
       where account_number = 'A0000001' and close_date = '2026-11-24'`,
    )
    // 0.44 of 9.44 remains, and a night on 40,009 is added.
    assert.equal(row?.accrued, 9.89)
    // The charge is cancelled: 9.00 is owed again, and the night of the 24th is computed on 40,000.
    const cancel = { externalId: '31', acctNo: 'A0000001', cancelType: 'C', tagNo: '30' }
    assert.deepEqual((await loadActivityLines(books, [cancel], { now: monday })).rejects, [])
    await closeDay(books, new Date('2026-11-25T23:00:00Z'))
    const [again] = await rows<{ accrued: number }>(
      books,
      `select interest_accrued::float as accrued from clearing.margin_ledger
       where account_number = 'A0000001' order by close_date desc limit 1`,
    )
    // The night after the 25th includes Thanksgiving.
    assert.equal(again?.accrued.toFixed(2), (9.89 + 9 - 0.01 + 2 * 9.44).toFixed(2))
  })

  it('removes the effect on SMA of a line of a closed day that is cancelled', async () => {
    await using books = await openBooks()
    const journal = { ...deposit('42', 'A0000005', '600'), transType: 'Journal' }
    const dividend = { ...deposit('43', 'A0000005', '70'), transType: 'Dividend', symbol: 'STCK' }
    const back = { ...deposit('44', 'A0000005', '-30'), transType: 'DepositReturn' }
    await loadActivityLines(books, [deposit('41', 'A0000005', '4000'), journal, dividend, back])
    await closeDay(books, friday)
    const smaOf = async () =>
      (
        await rows<{ sma: number }>(
          books,
          "select sma::float from clearing.margin_ledger where account_number = 'A0000005' order by close_date desc limit 1",
        )
      )[0]?.sma
    // 4,640 less half of 2,000. The deposit met the call of the first purchase.
    const before = (await smaOf()) ?? assert.fail()
    const cancels = ['42', '43', '44'].map((tagNo) => ({
      externalId: `${tagNo}C`,
      acctNo: 'A0000005',
      cancelType: 'C',
      tagNo,
    }))
    const loaded = await loadActivityLines(books, cancels, { now: monday })
    assert.deepEqual(loaded.rejects, [])
    await closeDay(books, monday)
    assert.equal(await smaOf(), before - 600 - 70 + 30)
  })
})

describe('the date of a close', () => {
  it('returns the stored result if the day is already closed', async () => {
    await using books = await openBooks()
    const first = await closeDay(books, friday)
    const again = await closeDay(books, monday, makeBusinessDay(books), '2026-11-20')
    assert.deepEqual(again, first)
    assert.equal((await events(books, 'business_day.closed')).length, 2)
  })

  it('rejects a day that is neither open nor closed', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books)
    for (const date of ['2026-11-19', '2026-11-23', '2026-11-22']) {
      assert.deepEqual(await day.close(closeRequest(books, friday, date)), {
        kind: 'notOpen',
        openDay: '2026-11-20',
      })
    }
  })

  it('begins with the next market day when there is no market today', async () => {
    await using books = await openBooks()
    const sunday = new Date('2026-11-22T15:00:00Z')
    const day = makeBusinessDay(books)
    const outcome = await day.close(closeRequest(books, sunday))
    assert.deepEqual(outcome, { kind: 'notCome', day: '2026-11-23', today: '2026-11-22' })
    assert.equal((await closeDay(books, monday, day)).closeDate, '2026-11-23')
  })

  it('is the close date or a later day, never an earlier one', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books)
    const at = (now: string) =>
      day.close({ ...closeRequest(books, new Date(now)), accepting: testAcceptance })
    assert.equal((await at('2026-11-20T05:01:00Z')).kind, 'closed')
    assert.deepEqual(await at('2026-11-22T23:00:00Z'), {
      kind: 'notCome',
      day: '2026-11-23',
      today: '2026-11-22',
    })
    // In New York it is still Sunday evening.
    assert.equal((await at('2026-11-23T04:59:00Z')).kind, 'notCome')
    for (const day of ['2026-11-23', '2026-11-24', '2026-11-25']) {
      const closed = await at('2026-11-25T15:00:00Z')
      assert.equal(closed.kind === 'closed' && closed.day.closeDate, day)
    }
    const outcome = await at('2026-11-25T15:00:00Z')
    assert.deepEqual(outcome, { kind: 'notCome', day: '2026-11-27', today: '2026-11-25' })
  })
})

describe('an additional deposit of cash', () => {
  it('neither creates a call nor increases one', async () => {
    const pairs = 40
    const number = (pair: number, which: 'P' | 'R') => `${which}${String(pair).padStart(7, '0')}`
    const names = Array.from({ length: pairs }, (_, pair) => [number(pair, 'P'), number(pair, 'R')]).flat()
    await using books = await openTestBooks(names, firmId)
    await addSecurities(books)
    const step = fc.record({
      what: fc.constantFrom('buy', 'sell', 'deposit', 'withdraw'),
      amount: fc.integer({ min: 1, max: 400 }),
      day: fc.integer({ min: 16, max: 20 }),
    })
    const histories = fc.sample(
      fc.record({
        steps: fc.array(step, { minLength: 1, maxLength: 8 }),
        extra: fc.integer({ min: 1, max: 30_000 }),
        at: fc.integer({ min: 16, max: 20 }),
      }),
      { numRuns: pairs, seed: 20_261_120 },
    )
    const loaded = histories.flatMap(({ steps, extra, at }, pair) =>
      (['P', 'R'] as const).flatMap((which) => {
        const acctNo = number(pair, which)
        const own = steps.map(({ what, amount, day }, index) => {
          const id = `${acctNo}-${index}`
          const date = `2026-11-${day}`
          if (what === 'deposit') return deposit(id, acctNo, `${amount * 50}`, date)
          if (what === 'withdraw') {
            return { ...deposit(id, acctNo, `${-amount * 10}`, date), transType: 'Withdrawal' }
          }
          return { ...purchase(id, acctNo, `${amount}`, date), buySell: what === 'buy' ? 'BUY' : 'SEL' }
        })
        return which === 'P' ? own : [...own, deposit(`${acctNo}-more`, acctNo, `${extra}`, `2026-11-${at}`)]
      }),
    )
    assert.deepEqual((await loadActivityLines(books, loaded)).rejects, [])
    const closes = [friday, monday, tuesday]
    for (const [index, price] of ['50', '31', '77'].entries()) {
      await setPrice(books, stock, `2026-11-20T20:${price}:00Z`, price).catch(() => 0)
      await closeDay(books, closes[index] as Date)
      const open = await rows<{ account_number: string; kind: string; outstanding: number }>(
        books,
        `select account_number, kind, sum(outstanding)::float as outstanding from clearing.margin_call
         where met_on is null group by account_number, kind`,
      )
      const called = new Map(open.map((call) => [`${call.account_number} ${call.kind}`, call.outstanding]))
      assert.ok(open.length > 0)
      for (let pair = 0; pair < pairs; pair += 1) {
        for (const kind of ['Fed', 'Maintenance']) {
          const poorer = called.get(`${number(pair, 'P')} ${kind}`) ?? 0
          const richer = called.get(`${number(pair, 'R')} ${kind}`) ?? 0
          assert.ok(
            richer <= poorer,
            `${kind} of pair ${pair}: ${richer} with more cash, ${poorer} without: ${JSON.stringify(histories[pair])}`,
          )
        }
      }
    }
  })
})
