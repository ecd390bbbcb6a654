/** Margin figures of positions without a price: as if their last trade, otherwise their cost, were their price. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decimal, renderDecimal } from '@clearing/domain/decimal'
import { valueAccount } from '../books/positions/account-positions.ts'
import { loadActivityLines, openTestBooks, type TestLine } from '../books/testing/books-database.ts'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addSecurities, closeDay } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, rows } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday]
const [first, second] = ['2026-11-20', '2026-11-23'] as const

/** `NEWS` is a stock, `NEWP` a put on it, and `PUTS` a put on STCK, which has a price of 50. */
const insertSecurities = `
  insert into clearing.security (symbol, sec_type_name, multiplier, underlying, put_call, strike, expiration, created_at, updated_at)
  values ('NEWS', 'Common Stock', 1, null, null, null, null, '2020-01-01', '2020-01-01'),
    ('NEWP', 'Equity Option', 100, 'NEWS', 'Put', 100, '2027-12-17', '2020-01-01', '2020-01-01'),
    ('PUTS', 'Equity Option', 100, 'STCK', 'Put', 40, '2027-12-17', '2020-01-01', '2020-01-01')`

type Prices = Readonly<Record<string, string>>
interface Figures {
  readonly sma: string
  readonly equity: string
  readonly fed: string
  readonly maintenance: string
  readonly available: string
  readonly buyingPower: string
}

/** The figures of a request after the lines, and after the close of each day, with the SMA of the close. */
async function figuresOf(days: readonly (readonly TestLine[])[], prices: Prices = {}): Promise<unknown[]> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  const at = "'2026-11-01T21:00:00Z', 'LastClose'"
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    await tx.run(unprepared(insertSecurities))
    for (const [symbol, price] of Object.entries(prices))
      await tx.run(
        unprepared(
          `insert into clearing.price (sec_no, priced_at, price_type, price)
           select sec_no, ${at}, ${price} from clearing.security where symbol = '${symbol}'`,
        ),
      )
  })
  const look = (now: Date) =>
    inTransaction(
      books.database.operations,
      { firm: null, readOnly: true, isolation: 'repeatable read' },
      async (tx): Promise<Figures> => {
        const { summary, margin } = (await valueAccount(tx, account, { now })) ?? assert.fail('no account')
        const money = (amount: bigint = 0n) => renderDecimal(amount, 2)
        return {
          sma: money(margin?.standing.ledger.sma),
          equity: money(margin?.figures.equity),
          fed: money(summary.fedCallAmount),
          maintenance: money(summary.maintCallAmount),
          available: money(summary.fundsAvailable),
          buyingPower: money(summary.buyingPower),
        }
      },
    )
  const seen: unknown[] = []
  for (const [day, lines] of days.entries()) {
    const now = closes[day] ?? monday
    assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
    seen.push(await look(now))
    await closeDay(books, now)
    seen.push(await look(new Date(now.getTime() + 1000)))
  }
  const ledgers = await rows<{ sma: number; equity: number }>(
    books,
    `select sma::float, equity::float from clearing.margin_ledger where account_number = '${account}' order by close_date`,
  )
  return [...seen, ...ledgers]
}

let ids = 0
function line(more: TestLine): TestLine {
  ids += 1
  return { externalId: `L${ids}`, acctNo: account, acctType: '2', tradeDate: first, ...more }
}
function trade(
  buySell: string,
  symbol: string,
  quantity: string,
  price: string,
  more: TestLine = {},
): TestLine {
  const acctType = buySell === 'SSL' && symbol === 'NEWS' ? '3' : '2'
  return line({ transType: 'Trade', buySell, symbol, quantity, price, acctType, secFee: '0', ...more })
}
const own = deposit('D', account, '25000')

describe('a position without a price', () => {
  const cases: [what: string, days: TestLine[][], prices: Prices][] = [
    ['a short sale', [[own, trade('SSL', 'NEWS', '1000', '50')], []], { NEWS: '50' }],
    ['a purchase on margin', [[own, trade('BUY', 'NEWS', '1000', '50')], []], { NEWS: '50' }],
    ['a written option', [[own, trade('SSL', 'PUTS', '5', '8')], []], { PUTS: '8' }],
    [
      'the last of several trades',
      [[own, trade('SSL', 'NEWS', '100', '50')], [trade('SSL', 'NEWS', '100', '60', { tradeDate: second })]],
      { NEWS: '60' },
    ],
  ]
  for (const [what, days, prices] of cases)
    it(`has the figures of an account with a price at its last trade: ${what}`, async () => {
      const withPrice = await figuresOf(days, prices)
      const without = await figuresOf(days)
      // On the first day, the second price is not known yet.
      if (what === 'the last of several trades') assert.deepEqual(without.slice(2, 4), withPrice.slice(2, 4))
      else assert.deepEqual(without, withPrice)
    })

  it('counts its cost if it was not traded, or if its units have changed since', async () => {
    const received = line({ transType: 'TransferIn', symbol: 'NEWS', quantity: '100', cost: '4000' })
    assert.deepEqual(await figuresOf([[own, received]]), await figuresOf([[own, received]], { NEWS: '40' }))
    const split = line({ transType: 'Split', symbol: 'NEWS', ratio: '2:1' })
    const days = [[own, trade('BUY', 'NEWS', '100', '50', { tradeDate: '2026-11-19' }), split]]
    assert.deepEqual(await figuresOf(days), await figuresOf(days, { NEWS: '50' }))
  })

  it('does not count a trade that was cancelled', async () => {
    const bought = trade('BUY', 'NEWS', '100', '50')
    const wrong = trade('BUY', 'NEWS', '100', '90')
    const lines = [
      own,
      bought,
      wrong,
      { ...wrong, externalId: 'C', cancelType: 'C', tagNo: wrong.externalId ?? '' },
    ]
    assert.deepEqual(await figuresOf([lines]), await figuresOf([lines], { NEWS: '50' }))
  })

  it('gives no excess if it is short and has no cost either', async () => {
    const received = line({ transType: 'TransferIn', symbol: 'NEWS', quantity: '-100', acctType: '3' })
    const [now, after, ledger] = await figuresOf([[own, received]])
    for (const figures of [now, after]) {
      const { available, buyingPower } = figures as Figures
      assert.deepEqual([available, buyingPower], ['0.00', '0.00'])
    }
    assert.deepEqual(ledger, { sma: 24_750, equity: 25_000 })
  })

  it('counts a written option at its premium beyond the strike, if the underlying has no price either', async () => {
    const [now] = await figuresOf([[own, trade('SSL', 'NEWP', '5', '50')]])
    const { equity, available } = now as Figures
    assert.deepEqual([equity, available], ['25000.00', '20000.00'], '5 × 20 % of 50 × 100 is required')
  })

  it('is still valued at 0', async () => {
    await using books = await openTestBooks(accounts, firmId)
    await addSecurities(books)
    await inTransaction(books.database.operations, { firm: null }, (tx) =>
      tx.run(unprepared(insertSecurities)),
    )
    await loadActivityLines(books, [own, trade('SSL', 'NEWS', '1000', '50')])
    const valued = await inTransaction(books.database.operations, { firm: null, readOnly: true }, (tx) =>
      valueAccount(tx, account, { now: friday }),
    )
    assert.equal(valued?.summary.totalAccountValue, decimal('75000'))
    assert.equal(valued?.message, 'No price for NEWS: valued at 0, left out of gains.')
  })
})
