/** A spin-off of which only the security received has a price: the old price of the other one contains it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { valueAccount } from '../books/positions/account-positions.ts'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { countStalePrices } from '../store/open-items.ts'
import { closeDay } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday, tuesday]
const [first, second] = ['2026-11-20', '2026-11-23'] as const

type Price = readonly [symbol: 'PARE' | 'CHIL', at: string, price: string]
interface Arrival {
  readonly lines?: readonly TestLine[]
  readonly prices?: readonly Price[]
}

const insertSecurities = `
  insert into clearing.security (symbol, sec_type_name, created_at, updated_at)
  select symbol, 'Common Stock', '2020-01-01', '2020-01-01' from unnest(array['PARE', 'CHIL']) as symbol`

function insertPrice([symbol, at, price]: Price): string {
  return `insert into clearing.price (sec_no, priced_at, price_type, price)
    select sec_no, '${at}', 'LastClose', ${price} from clearing.security where symbol = '${symbol}'`
}

/** The SMA after each close. `look` reads before the last close. */
async function smaAfter(
  arrivals: readonly Arrival[],
  look: (books: TestBooks, now: Date) => Promise<void> = async () => {},
): Promise<number[]> {
  await using books = await openTestBooks(accounts, firmId)
  const run = (...queries: string[]) =>
    inTransaction(books.database.operations, { firm: null }, async (tx) => {
      for (const query of queries) await tx.run(unprepared(query))
    })
  await run(insertSecurities, insertPrice(['PARE', '2026-11-19T21:00:00Z', '100']))
  for (const [day, { lines = [], prices = [] }] of arrivals.entries()) {
    const now = closes[day] ?? tuesday
    await run(...prices.map(insertPrice))
    assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
    if (day === arrivals.length - 1) await look(books, now)
    await closeDay(books, now)
  }
  const ledgers = await rows<{ sma: number }>(
    books,
    `select sma::float from clearing.margin_ledger where account_number = '${account}' order by close_date`,
  )
  return ledgers.map(({ sma }) => sma)
}

function line(externalId: string, more: TestLine): TestLine {
  return { externalId, acctNo: account, acctType: '2', tradeDate: first, symbol: 'PARE', ...more }
}
const own = [
  deposit('D', account, '10000'),
  line('B', { transType: 'Trade', buySell: 'BUY', quantity: '200', price: '100' }),
]
const spinoff = line('S', {
  transType: 'Spinoff',
  tradeDate: second,
  ratio: '1:1',
  toSymbol: 'CHIL',
  costShare: '0.4',
})
const child: Price = ['CHIL', '2026-11-23T21:00:00Z', '40']

function seenBy(expected: string, stale: readonly string[]) {
  return async ({ database }: TestBooks, now: Date) => {
    await inTransaction(database.operations, { firm: null, readOnly: true }, async (tx) => {
      const valued = await valueAccount(tx, account, { now })
      assert.equal(valued?.message, expected)
      const items = await countStalePrices(tx, now, { oldest: '2026-11-01', day: second })
      assert.deepEqual(items.stale_names, stale)
    })
  }
}

describe('the old price of a security that paid a spin-off', () => {
  it('raises no SMA, and is named until a price of the ex-date arrives', async () => {
    const start = [{ lines: own }, { lines: [spinoff], prices: [child] }]
    const named = 'No price for PARE since a spin-off: the last price before it counts in full.'
    assert.deepEqual(await smaAfter(start, seenBy(named, ['PARE'])), [0, 0])
    const late: Price = ['PARE', '2026-11-23T21:00:00Z', '60']
    assert.deepEqual(await smaAfter([...start, { prices: [late] }], seenBy('', [])), [0, 0, 0])
  })

  it('ends with the first moment of the ex-date in New York', async () => {
    const withParent = (at: string, price: string) => [
      { lines: own },
      { lines: [spinoff], prices: [child, ['PARE', at, price]] } as Arrival,
    ]
    assert.deepEqual(await smaAfter(withParent('2026-11-23T04:59:59Z', '100')), [0, 0])
    assert.deepEqual(await smaAfter(withParent('2026-11-23T05:00:00Z', '62')), [0, 200])
  })

  it('does not concern an account that no longer holds it, nor a spin-off that was cancelled', async () => {
    const sold = line('X', {
      transType: 'Trade',
      buySell: 'SEL',
      quantity: '200',
      price: '60',
      secFee: '0',
      tradeDate: second,
    })
    assert.deepEqual(
      await smaAfter([{ lines: own }, { lines: [spinoff, sold], prices: [child] }]),
      [0, 6_000],
    )
    const cancel = { ...spinoff, externalId: 'C', cancelType: 'C', tagNo: 'S' }
    const gain: Price = ['PARE', '2026-11-22T21:00:00Z', '104']
    assert.deepEqual(await smaAfter([{ lines: own }, { lines: [spinoff, cancel], prices: [gain] }]), [0, 400])
  })
})
