import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { renderDecimal } from '@clearing/domain/decimal'
import fc from 'fast-check'
import pg from 'pg'
import { pricesLoader } from '../books/loads/quotes.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  type TestBooks,
} from '../books/testing/books-database.ts'
import { parseMarginRates } from '../config/margin-rate.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { gatherMasterKeys, type MasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { closeSteps } from '../store/business-day.ts'
import { readPendingFundInterest } from '../store/margin-ledger.ts'
import {
  addFund,
  addSecurities,
  closeDay,
  closeRequest,
  makeBusinessDay,
  setPrice,
  stock,
  testAcceptance,
  testMasterKeys,
} from './testing.ts'
import { verifySeals } from './verify-seals.ts'

const friday = new Date('2026-11-20T22:00:00Z')
const monday = new Date('2026-11-23T22:00:00Z')
const tuesday = new Date('2026-11-24T22:00:00Z')
const accounts = ['A0000001', 'A0000002', 'A0000003', 'A0000004', 'A0000005']
const firmId = '6a0c2d3e-0000-4000-8000-000000000301'

const deposit = (externalId: string, acctNo: string, netAmount: string, tradeDate = '2026-11-20') => ({
  externalId,
  acctNo,
  acctType: '2',
  transType: 'Deposit',
  netAmount,
  tradeDate,
})
const purchase = (externalId: string, acctNo: string, quantity: string, tradeDate = '2026-11-20') => ({
  externalId,
  acctNo,
  acctType: '2',
  transType: 'Trade',
  buySell: 'BUY',
  symbol: 'STCK',
  quantity,
  price: '50',
  tradeDate,
})

/** The first account has a Regulation T call of 15,000 and a maintenance call of 2,500; the second holds a bond. */
const lines = [
  deposit('1', 'A0000001', '10000'),
  purchase('2', 'A0000001', '1000'),
  {
    ...purchase('3', 'A0000002', '10000', '2026-11-18'),
    acctType: '1',
    symbol: 'BOND',
    price: '98',
  },
  deposit('4', 'A0000004', '5000'),
  purchase('5', 'A0000005', '40'),
]

async function openBooks(): Promise<TestBooks> {
  const books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  const loaded = await loadActivityLines(books, lines)
  assert.equal(loaded.accepted, lines.length)
  return books
}

const rows = <Row = Record<string, unknown>>({ database }: TestBooks, query: string): Promise<Row[]> =>
  inTransaction(database.operations, { firm: null, readOnly: true }, (tx) => tx.rows(unprepared<Row>(query)))

const calls = (books: TestBooks) =>
  rows(
    books,
    `select account_number, kind, issued_on, due_by, amount::float, outstanding::float, age_days, met_on
     from clearing.margin_call order by account_number, kind`,
  )

const events = (books: TestBooks, type: string) =>
  rows(books, `select account_number from clearing.event where type like '${type}' order by position`)

const verify = ({ database }: TestBooks) =>
  inTransaction(database.operations, { firm: null, readOnly: true, isolation: 'repeatable read' }, (tx) =>
    verifySeals(tx, testMasterKeys),
  )

describe('closing the business day', () => {
  it('settles, accrues, marks, calls and moves the date', async () => {
    await using books = await openBooks()
    const first = await closeDay(books, friday)
    assert.equal(first.closeDate, '2026-11-20')
    assert.equal(first.nextDate, '2026-11-23')
    assert.equal(first.accounts, 4)
    assert.equal(first.positions, 3)
    assert.match(first.seal, /^[0-9a-f]{64}$/)
    assert.deepEqual(await calls(books), [
      ...[
        // Deposit 10,000 carries 20,000 of the purchase of 50,000: half of the rest is called.
        ['A0000001', 'Fed', '2026-11-25', 15_000],
        // A quarter of 50,000 less equity of 10,000.
        ['A0000001', 'Maintenance', '2026-12-14', 2_500],
        // 2,000 of stock without a deposit is paid in full, since an account must hold 2,000 of equity.
        ['A0000005', 'Fed', '2026-11-25', 2_000],
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
    assert.equal((await events(books, 'call.issued')).length, 4)
    // Nothing had settled, so no interest; the bond accrues until its settlement on Monday: 10,000 × 6% × 3/360.
    assert.deepEqual(
      await rows(
        books,
        'select account_number, margin_accrued::float, bond_interest::float from clearing.day_accrual',
      ),
      [{ account_number: 'A0000002', margin_accrued: 0, bond_interest: 5 }],
    )
    const second = await closeDay(books, monday)
    assert.equal(second.closeDate, '2026-11-23')
    assert.deepEqual(await rows(books, 'select * from clearing.unsettled'), [])
    // 40,000 owed for one night at 8.5% over 360 days, and 2,000.
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

  it('turns what the street owes to the bank and the depository when it is due', async () => {
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

  it('ages calls until a deposit meets them', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await loadActivityLines(books, [deposit('10', 'A0000001', '14000', '2026-11-23')], { now: monday })
    const second = await closeDay(books, monday)
    assert.equal(second.callsIssued, 0)
    assert.equal(second.callsMet, 1)
    const [fed, maintenance] = await calls(books)
    assert.deepEqual([fed?.outstanding, fed?.age_days, fed?.met_on], [1_000, 1, null])
    assert.deepEqual([maintenance?.outstanding, maintenance?.met_on], [0, '2026-11-23'])
    await loadActivityLines(books, [deposit('11', 'A0000001', '1000', '2026-11-24')], { now: monday })
    const third = await closeDay(books, tuesday)
    assert.equal(third.callsMet, 1)
    assert.equal((await calls(books))[0]?.met_on, '2026-11-24')
    assert.deepEqual(await events(books, 'call.met'), [
      { account_number: 'A0000001' },
      { account_number: 'A0000001' },
    ])
  })

  it('opens a maintenance call when the market falls, and does not take SMA back', async () => {
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
    // Worth 100 without a debit: all that is owed of it is there.
    assert.deepEqual(await smaOf(), [{ sma: 2_500, called: null }])
    const [called] = await rows<{ called: string }>(
      books,
      `select maintenance_call ->> 'amount' as called from clearing.margin_ledger
       where account_number = 'A0000001' and close_date = '2026-11-23'`,
    )
    assert.equal(called?.called, '39250')
  })

  it('lets an interest line charge what was accrued', async () => {
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
    // 0.44 are left of 9.44, and a night on 40,009 comes to them.
    assert.equal(row?.accrued, 9.89)
    // The charge is taken back: 9.00 are owed again, and a night on 40,000 comes to them.
    const cancel = { externalId: '31', acctNo: 'A0000001', cancelType: 'C', tagNo: '30' }
    assert.deepEqual((await loadActivityLines(books, [cancel], { now: monday })).rejects, [])
    await closeDay(books, new Date('2026-11-25T23:00:00Z'))
    const [again] = await rows<{ accrued: number }>(
      books,
      `select interest_accrued::float as accrued from clearing.margin_ledger
       where account_number = 'A0000001' order by close_date desc limit 1`,
    )
    // The night after the 25th is that of Thanksgiving too.
    assert.equal(again?.accrued.toFixed(2), (9.89 + 9 + 2 * 9.44).toFixed(2))
  })

  it('takes back what a cancelled line of a closed day did to SMA', async () => {
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
    // 4,640 less half of 2,000; the call of the purchase that came first was met by the deposit.
    const before = (await smaOf()) ?? assert.fail()
    const cancels = ['42', '43', '44'].map((tagNo) => ({
      ...{ externalId: `${tagNo}C`, acctNo: 'A0000005', cancelType: 'C', tagNo },
    }))
    const loaded = await loadActivityLines(books, cancels, { now: monday })
    assert.deepEqual(loaded.rejects, [])
    await closeDay(books, monday)
    assert.equal(await smaOf(), before - 600 - 70 + 30)
  })
})

describe('the rate on margin debits', () => {
  it('is that of the day on which each night begins', async () => {
    await using books = await openTestBooks(accounts, firmId)
    const loaded = await loadActivityLines(books, [
      { ...deposit('1', 'A0000001', '-36000'), transType: 'Withdrawal' },
    ])
    assert.deepEqual(loaded.rejects, [])
    const marginRates = parseMarginRates('8.5,2026-11-21=9,2026-11-22=10')
    assert.ok(marginRates)
    await closeDay(books, friday, makeBusinessDay(books, { marginRates }))
    // 36,000 for three nights: 8.50, 9.00 and 10.00.
    assert.deepEqual(
      await rows(books, 'select margin_interest::float as interest from clearing.day_accrual'),
      [{ interest: 27.5 }],
    )
  })

  it('is read from a text of days in order, the first of them without one', () => {
    for (const wrong of [
      '',
      '8,5',
      '2026-07-01=8',
      '8.5,2026-07-01',
      '8.5,2026-07-01=9,2026-06-01=8',
      '-1',
      '8.5%',
    ])
      assert.equal(parseMarginRates(wrong), undefined, wrong)
    assert.deepEqual(
      parseMarginRates('8.5, 2026-07-01=8.25')?.map(({ from }) => from),
      ['1900-01-01', '2026-07-01'],
    )
  })
})

describe('interest of a money-market fund', () => {
  it('is pending from the close of each day until the fund pays, and again when the payment is cancelled', async () => {
    await using books = await openTestBooks(accounts, firmId)
    await addFund(books)
    const price = (priceDate: string, told: string) => ({
      symbol: 'FUND',
      price: '1',
      priceType: 'LastClose',
      priceDate,
      yield: told,
    })
    const loaded = await runTestLoad(
      books,
      'load-prices',
      pricesLoader,
      bodyOf(ndjsonOf([price('2026-11-20T21:00:00Z', '5.11'), price('2026-11-23T21:00:00Z', '3.65')])),
    )
    assert.deepEqual(loaded.rejects, [])
    const shares = { ...purchase('1', 'A0000003', '100000', '2026-11-19'), acctType: '1', symbol: 'FUND' }
    await loadActivityLines(books, [{ ...shares, price: '1' }])
    const pending = (asOf: string | null = null) =>
      inTransaction(books.database.app, { firm: firmId, readOnly: true }, async (tx) =>
        renderDecimal(await readPendingFundInterest(tx, 'A0000003', asOf)),
      )
    assert.equal(await pending(), '0')
    await closeDay(books, friday)
    // 100,000 × 5.11 % ÷ 365 are 14 a night, until Monday three of them; Monday's night is at 3.65 %.
    assert.equal(await pending(), '42')
    await closeDay(books, monday)
    assert.equal(await pending(), '52')
    const payment = {
      externalId: '2',
      acctNo: 'A0000003',
      transType: 'Dividend',
      symbol: 'FUND',
      netAmount: '52',
      tradeDate: '2026-11-24',
    }
    await loadActivityLines(books, [payment], { now: monday })
    assert.equal(await pending(), '0')
    assert.equal(await pending('2026-11-20'), '42')
    await closeDay(books, new Date('2026-11-24T22:00:00Z'))
    assert.equal(await pending(), '10', 'the night after the payment is earned anew')
    const cancel = { ...payment, externalId: '3', cancelType: 'C', tagNo: '2', netAmount: undefined }
    assert.deepEqual((await loadActivityLines(books, [cancel], { now: monday })).rejects, [])
    assert.equal(await pending(), '62')
    const other = await inTransaction(books.database.app, { firm: books.otherFirmId, readOnly: true }, (tx) =>
      readPendingFundInterest(tx, 'A0000003', null),
    )
    assert.equal(other, 0n, 'another firm sees nothing of it')
  })
})

describe('the date of a close', () => {
  it('answers a day that is closed with what came of it', async () => {
    await using books = await openBooks()
    const first = await closeDay(books, friday)
    const again = await closeDay(books, monday, makeBusinessDay(books), '2026-11-20')
    assert.deepEqual(again, first)
    assert.equal((await events(books, 'business_day.closed')).length, 2)
  })

  it('refuses a day that is neither open nor closed', async () => {
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

  it('is its own day, or a later one, and never one before', async () => {
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
    // In New York it is still the evening of Sunday.
    assert.equal((await at('2026-11-23T04:59:00Z')).kind, 'notCome')
    for (const day of ['2026-11-23', '2026-11-24', '2026-11-25']) {
      const closed = await at('2026-11-25T15:00:00Z')
      assert.equal(closed.kind === 'closed' && closed.day.closeDate, day)
    }
    const outcome = await at('2026-11-25T15:00:00Z')
    assert.deepEqual(outcome, { kind: 'notCome', day: '2026-11-27', today: '2026-11-25' })
  })
})

describe('a close that is stopped', () => {
  it('comes to the same seal at whatever portion it was stopped', async () => {
    let expected: string | undefined
    let places = 1
    for (let stopAt = -1; stopAt < places; stopAt += 3) {
      await using books = await openBooks()
      let seen = 0
      const day = makeBusinessDay(books, {
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
      assert.equal((await events(books, 'call.issued')).length, 4)
      assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
    }
  })

  it('stops at every portion in turn and still ends', async () => {
    await using books = await openBooks()
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
    assert.equal((await events(books, 'call.issued')).length, 4)
  })

  it('is ended by the next without naming the day', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books, {
      beforePortion({ step }) {
        if (step === 'Seal') throw new Error('stopped')
      },
    })
    await assert.rejects(closeDay(books, friday, day), /stopped/)
    assert.equal((await closeDay(books, monday)).closeDate, '2026-11-20')
  })

  it('is stopped between portions when the service stops', async () => {
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

  it('survives the loss of its connections in the middle', async () => {
    await using books = await openBooks()
    const day = makeBusinessDay(books, {
      async beforePortion() {
        await asSuperuser(books, [
          `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
        ])
      },
    })
    const closed = await closeDay(books, friday, day)
    assert.equal(closed.callsIssued, 4)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })
})

describe('closers at the same time', () => {
  it('come to one result, whether of one process or of several', async () => {
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
      closed.map(() => [4, 3]),
    )
    assert.equal((await events(books, 'call.issued')).length, 4)
    assert.equal((await events(books, 'business_day.closed')).length, 2)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })
})

describe('lines that come while a day is being closed', () => {
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
      assert.equal(closed.callsIssued, 4)
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
      // Of 2,000 called for what was sold half is released.
      assert.equal(next.callsMet, 3)
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

async function asSuperuser({ database }: TestBooks, queries: readonly string[]): Promise<void> {
  const session = new pg.Client({ connectionString: database.urls.superuser })
  await session.connect()
  try {
    for (const query of queries) await session.query(query)
  } finally {
    await session.end()
  }
}

describe('a seal', () => {
  const tampered: [string, string, RegExp][] = [
    [
      'an entry that was changed',
      "update clearing.activity set amount = array[5001, -5001] where account_number = 'A0000004'",
      /Entries of 2026-11-20/,
    ],
    [
      'an entry that was removed',
      "delete from clearing.activity where account_number = 'A0000004'",
      /Entries of 2026-11-20/,
    ],
    [
      'an entry that was added afterwards',
      `insert into clearing.entry select account_number, firm_id, entry_date, entry_no + 10, of_line, caused_by, kind, acct_type,
         ledger, asset, amount from clearing.journal where account_number = 'A0000004'`,
      /Entries of 2026-11-20/,
    ],
    [
      'a lot whose cost was changed',
      "update clearing.holding set lots = jsonb_set(lots::jsonb, '{0,cost}', '\"1\"') where account_number = 'A0000001'",
      /1 is not as sealed/,
    ],
    [
      'a lot that was removed',
      "update clearing.holding set lots = null where account_number = 'A0000001'",
      /1 is not as sealed/,
    ],
    [
      'cash that was changed',
      "update clearing.cash_balance set amount = amount + 1 where account_number = 'A0000001'",
      /USD is not as sealed/,
    ],
    [
      'a position as sealed that was changed',
      "update clearing.sealed_balance set quantity = 1001 where account_number = 'A0000001' and asset = '1'",
      /Sealed positions and cash/,
    ],
    [
      'a digest that was put in the place of another',
      "update clearing.day_seal_portion set entries_digest = sha256('x') where portion = 0",
      /digests of 2026-11-20 are not/,
    ],
    [
      'a digest of its own that was changed',
      "update clearing.day_seal set digest = sha256('x') where close_date = '2026-11-20'",
      /signature|does not continue/,
    ],
    ['another key in its place', "update clearing.seal_key set public_key = public_key || 'x'", /signature/],
    ['a seal that was removed', "delete from clearing.day_seal where close_date = '2026-11-20'", /missing/],
  ]
  it('shows every later change', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    assert.deepEqual((await verify(books)).breaks, [])
    for (const [what, change, reason] of tampered) {
      const reasons = await verifyAfter(books, change)
      assert.ok(
        reasons.some((told) => reason.test(told)),
        `${what}: ${reasons.join(' ') || 'nothing was found'}`,
      )
    }
    assert.deepEqual((await verify(books)).breaks, [])
  })

  it('is the same where postings are entries of their own, as a release before left them', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await asSuperuser(books, [
      `insert into clearing.entry select * from clearing.journal where kind = 'P'`,
      'update clearing.activity set entry_no = null, ledger = null, asset = null, amount = null',
    ])
    const [posted] = await rows<{ count: bigint }>(
      books,
      "select count(*) from clearing.entry where kind = 'P'",
    )
    assert.ok((posted?.count ?? 0n) > 0n)
    await closeDay(books, monday)
    assert.deepEqual((await verify(books)).breaks, [])
  })

  it('is verified a day at a time where the time is up, with the same breaks as at once', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const part = (after: string) =>
      inTransaction(
        books.database.operations,
        { firm: null, readOnly: true, isolation: 'repeatable read' },
        (tx) => verifySeals(tx, testMasterKeys, { after, untilMs: 0 }),
      )
    await asSuperuser(books, [
      "update clearing.day_seal set signature = decode(repeat('00', 64), 'hex')",
      "update clearing.cash_balance set amount = amount + 1 where account_number = 'A0000001'",
    ])
    const first = await part('')
    const second = await part(first.next)
    assert.deepEqual([first.next, second.next], ['2026-11-20', ''])
    assert.deepEqual([...first.breaks, ...second.breaks], (await verify(books)).breaks)
    assert.equal(first.breaks.length, 1)
    assert.equal(second.breaks.length, 2)
  })

  it('signed anew with a key of somebody else is found, though its signature is right', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    const [seal] = await rows<{ digest: Buffer }>(books, 'select digest from clearing.day_seal')
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const bytes = publicKey.export({ format: 'der', type: 'spki' })
    const keyId = createHash('sha256').update(bytes).digest('base64url')
    const message = JSON.stringify(['business day seal', '2026-11-20', seal?.digest.toString('hex')])
    const signature = sign(null, Buffer.from(message), privateKey).toString('hex')
    const reasons = await verifyAfter(
      books,
      `insert into clearing.seal_key
       select '${keyId}', '\\x${bytes.toString('hex')}', wrapped, master_key_id, created_at from clearing.seal_key;
       update clearing.day_seal set key_id = '${keyId}', signature = '\\x${signature}'`,
    )
    assert.equal(reasons.length, 1)
    assert.match(reasons[0] ?? '', /may be anybody's/)
  })

  it('is proved after its key was wrapped under the next master key, and the one before is gone', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    const next = () => masterKeyFromBytes(Buffer.alloc(32, 8))
    const both = gatherMasterKeys(next(), masterKeyFromBytes(Buffer.alloc(32, 7)))
    await closeDay(books, monday, makeBusinessDay(books, { masterKeys: both }))
    const proved = (masterKeys: MasterKeys) =>
      inTransaction(
        books.database.operations,
        { firm: null, readOnly: true, isolation: 'repeatable read' },
        (tx) => verifySeals(tx, masterKeys),
      )
    assert.deepEqual(await proved(gatherMasterKeys(next())), { seals: 2, breaks: [], next: '' })
    assert.equal((await proved(testMasterKeys)).breaks.length, 2)
    assert.deepEqual(await rows(books, 'select count(*)::int from clearing.seal_key'), [{ count: 1 }])
  })

  it('has a key whose private half is only there wrapped', async () => {
    await using books = await openBooks()
    await closeDay(books, friday)
    await closeDay(books, monday)
    const keys = await rows<{ wrapped: Buffer; key_id: string }>(
      books,
      'select key_id, wrapped from clearing.seal_key',
    )
    assert.equal(keys.length, 1)
    // PKCS #8 of Ed25519 would show its object identifier.
    assert.equal(keys[0]?.wrapped.includes(Buffer.from('06032b6570', 'hex')), false)
  })
})

/** What is found after a superuser's change, which is taken back. */
async function verifyAfter(books: TestBooks, change: string): Promise<string[]> {
  const tables = [
    'activity',
    'entry',
    'holding',
    'cash_balance',
    'sealed_balance',
    'day_seal_portion',
    'day_seal',
    'seal_key',
  ]
  await asSuperuser(books, [
    ...tables.map((table) => `create table kept_${table} as table clearing.${table}`),
    'begin',
    "set local session_replication_role = 'replica'",
    change,
    'commit',
  ])
  const { breaks } = await verify(books)
  await asSuperuser(books, [
    'begin',
    "set local session_replication_role = 'replica'",
    ...tables.map((table) => `delete from clearing.${table}`),
    ...tables.map((table) => `insert into clearing.${table} table kept_${table}`),
    'commit',
    ...tables.map((table) => `drop table kept_${table}`),
  ])
  return breaks.map(({ reason }) => reason)
}

describe('more cash', () => {
  it('never creates a call, nor raises one', async () => {
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
