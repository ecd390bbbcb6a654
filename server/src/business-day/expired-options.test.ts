/** Options that are held after their expiration: what they count until their line arrives, and the ledger after it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decimal } from '@clearing/domain/decimal'
import { valueAccount } from '../books/positions/account-positions.ts'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addSecurities, closeDay, setPrice, stock } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday, tuesday]
const [first, second] = ['2026-11-20', '2026-11-23'] as const
const wednesday = new Date('2026-11-25T15:00:00Z')

const insertOptions = statement(
  'test-insert-expiring-options',
  `insert into clearing.security (symbol, sec_type_name, multiplier, underlying, put_call, strike, expiration, created_at, updated_at)
   select symbol, 'Equity Option', 100, underlying, put_call, strike, expiration::date, '2020-01-01', '2020-01-01'
   from (values ('PUT100', 'STCK', 'Put', 100, '2026-11-20'), ('CALL20', 'STCK', 'Call', 20, '2026-11-20'),
     ('PUT40', 'STCK', 'Put', 40, '2026-11-20'), ('NEXT100', 'STCK', 'Put', 100, '2026-11-23'),
     ('LOST100', 'NONE', 'Put', 100, '2026-11-20')) as option (symbol, underlying, put_call, strike, expiration)`,
)
const insertPrices = statement(
  'test-insert-prices-of-expiring-options',
  `insert into clearing.price (sec_no, priced_at, price_type, price)
   select sec_no, '2026-11-19T21:00:00Z', 'LastClose', case symbol when 'PUT40' then 1 when 'NEXT100' then 35 else 40 end
   from clearing.security where put_call is not null`,
)

/** What arrives before the close of a day. */
interface Arrival {
  readonly lines?: readonly TestLine[]
  readonly prices?: readonly (readonly [at: string, price: string])[]
}

interface After {
  readonly sma: number
  readonly equity: number
  readonly called: number
}

/** The ledger after each close. `look`: what a request reads after the last one. */
async function closesOf(
  arrivals: readonly Arrival[],
  look: (books: TestBooks) => Promise<void> = async () => {},
): Promise<After[]> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    await tx.run(insertOptions)
    await tx.run(insertPrices)
  })
  for (const [day, { lines = [], prices = [] }] of arrivals.entries()) {
    const now = closes[day] ?? tuesday
    for (const [at, price] of prices) await setPrice(books, stock, at, price)
    assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
    await closeDay(books, now)
  }
  await look(books)
  const ledgers = await rows<After>(
    books,
    `select sma::float, equity::float,
       (select coalesce(sum((call->>'outstanding')::numeric), 0) from jsonb_array_elements(reg_t_calls) as call)::float as called
     from clearing.margin_ledger where account_number = '${account}' order by close_date`,
  )
  return ledgers
}

function written(symbol: string, price: string): TestLine {
  return option(symbol, { transType: 'Trade', buySell: 'SSL', price, secFee: '0' })
}
function bought(symbol: string, price: string): TestLine {
  return option(symbol, { transType: 'Trade', buySell: 'BUY', price })
}
function option(symbol: string, more: TestLine): TestLine {
  const line = { externalId: `O-${more.transType}`, acctNo: account, acctType: '2', tradeDate: first }
  return { ...line, symbol, quantity: '10', ...more }
}
const assigned = option('PUT100', { transType: 'Assignment', price: '100', toSymbol: 'STCK' })
const exercised = option('CALL20', { transType: 'Exercise', price: '20', toSymbol: 'STCK' })
const own = deposit('D', account, '30000')
const at60: Arrival['prices'] = [['2026-11-19T21:00:00Z', '60']]

function summaryIn(books: TestBooks) {
  return inTransaction(
    books.database.operations,
    { firm: null, readOnly: true, isolation: 'repeatable read' },
    async (tx) => (await valueAccount(tx, account, { now: wednesday })) ?? assert.fail('no account'),
  )
}

describe('an option that is held after its expiration', () => {
  it('counts what it is in the money if it is written', async () => {
    const start = { lines: [own, written('PUT100', '40')], prices: at60 }
    const [atExpiration, next] = await closesOf([start, {}], async (books) => {
      const { summary, message, lines } = await summaryIn(books)
      assert.equal(summary.totalShortMarket, decimal('-40000'))
      assert.equal(summary.totalAccountValue, decimal('30000'))
      assert.match(message, /^Expired and still held: PUT100. Valued at the amount in the money/)
      assert.equal(lines[0]?.position.priceDate, '2026-11-19T21:00:00.000000Z')
      assert.equal(summary.marginCashAvailable, decimal('18000'))
    })
    assert.deepEqual(atExpiration, { sma: 18_000, equity: 30_000, called: 0 })
    assert.deepEqual(next, { sma: 18_000, equity: 30_000, called: 0 })
  })

  it('counts the last price of the underlying until the end of its day, and no later one', async () => {
    const equities = async (...prices: (readonly [string, string])[]) => {
      const start = { lines: [own, written('PUT100', '40')], prices: [...(at60 ?? []), ...prices] }
      return (await closesOf([start, {}])).map(({ equity }) => equity)[1]
    }
    assert.equal(await equities(['2026-11-21T04:59:59Z', '70']), 40_000, 'the last moment in New York')
    assert.equal(await equities(['2026-11-21T05:00:00Z', '70']), 30_000, 'the beginning of the next day')
  })

  it('counts its own price on the day of its expiration', async () => {
    const start = { lines: [own, written('NEXT100', '40')], prices: at60 }
    const equities = (await closesOf([start, {}, {}])).map(({ equity }) => equity)
    assert.deepEqual(equities, [35_000, 35_000, 30_000])
  })

  it('counts nothing out of the money', async () => {
    const out = await closesOf([{ lines: [own, written('PUT40', '1')], prices: at60 }, {}])
    assert.deepEqual(
      out.map(({ equity }) => equity),
      [30_000, 31_000],
    )
  })

  it('keeps its value if it is long', async () => {
    const start = { lines: [deposit('D', account, '60000'), bought('CALL20', '40')], prices: at60 }
    const closed = await closesOf([start, {}])
    assert.deepEqual(closed[1], { sma: 20_000, equity: 60_000, called: 0 })
  })

  it('has no value without a price of the underlying', async () => {
    await closesOf([{ lines: [own, written('LOST100', '40')] }, {}], async (books) => {
      const { summary, message } = await summaryIn(books)
      assert.equal(summary.totalShortMarket, 0n)
      assert.match(message, /^Expired and still held without a price of the underlying: LOST100. Valued at 0/)
    })
  })
})

describe('the line of an expired option that arrives after closes', () => {
  const cases = [
    ['an assignment', [own, written('PUT100', '40')], assigned, '30'],
    ['an exercise', [deposit('D', account, '60000'), bought('CALL20', '40')], exercised, '100'],
    ['an expiration', [own, written('PUT40', '1')], option('PUT40', { transType: 'Expiration' }), '30'],
  ] as const
  for (const [what, lines, end, moved] of cases)
    it(`leaves the ledger as if it had come in time: ${what}`, async () => {
      const next = { prices: [['2026-11-23T21:00:00Z', moved]] } as const
      const inTime = await closesOf([{ lines: [...lines, end], prices: at60 }, next, {}])
      const late = await closesOf([{ lines, prices: at60 }, next, { lines: [end] }])
      assert.deepEqual(late[2], inTime[2])
      assert.notDeepEqual(late[1], inTime[1])
    })

  it('counts on its own day if its trade date is the day that is closed next', async () => {
    const start = { lines: [own, written('NEXT100', '40')], prices: at60 }
    const end = { ...assigned, symbol: 'NEXT100', tradeDate: second }
    const inTime = await closesOf([start, { lines: [end] }, {}])
    assert.deepEqual(await closesOf([start, {}, { lines: [end] }]).then((all) => all[2]), inTime[2])
    assert.equal(inTime[0]?.sma, 23_000)
  })
})
