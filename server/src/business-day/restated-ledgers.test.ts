/** Margin ledgers after lines that change what earlier closes have counted: as if all lines had arrived in time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadActivityLines, openTestBooks, type TestLine } from '../books/testing/books-database.ts'
import { addSecurities, closeDay, setPrice, stock } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, purchase, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const closes = [friday, monday, tuesday]
const [first, second, third] = ['2026-11-20', '2026-11-23', '2026-11-24'] as const

/** What arrives before the close of a day, and the price of the stock on that day. */
interface Arrival {
  readonly lines?: readonly TestLine[]
  readonly price?: string
}

async function ledgerAfter(
  ...arrivals: readonly Arrival[]
): Promise<{ readonly sma: number; readonly called: number }> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  for (const [day, { lines = [], price }] of arrivals.entries()) {
    const now = closes[day] ?? tuesday
    if (price !== undefined)
      await setPrice(books, stock, `${now.toISOString().slice(0, 10)}T21:00:00Z`, price)
    if (lines.length > 0) assert.deepEqual((await loadActivityLines(books, lines, { now })).rejects, [])
    await closeDay(books, now)
  }
  const [ledger] = await rows<{ sma: number; called: number }>(
    books,
    `select sma::float,
       (select coalesce(sum((call->>'outstanding')::numeric), 0) from jsonb_array_elements(reg_t_calls) as call)::float as called
     from clearing.margin_ledger where account_number = '${account}' order by close_date desc limit 1`,
  )
  return ledger ?? assert.fail('the account has no ledger')
}

function paid(amount: string, tradeDate: string = first): TestLine {
  return deposit('D', account, amount, tradeDate)
}
function bought(externalId: string, quantity: string, tradeDate: string = first): TestLine {
  return purchase(externalId, account, quantity, tradeDate)
}
function sold(externalId: string, quantity: string, tradeDate: string): TestLine {
  return { ...bought(externalId, quantity, tradeDate), buySell: 'SEL', secFee: '0' }
}
function cancelOf(line: TestLine): TestLine {
  return { ...line, externalId: `C-${line.externalId}`, cancelType: 'C', tagNo: line.externalId }
}

describe('a line that is cancelled after closes that counted it', () => {
  const wrong = bought('P', '200')

  it('leaves no SMA of a gain that the account never had', async () => {
    const arrivals = [{ lines: [paid('20000'), wrong] }, { price: '100' }]
    assert.equal((await ledgerAfter(...arrivals)).sma, 20_000)
    assert.deepEqual(await ledgerAfter(...arrivals, { lines: [cancelOf(wrong)] }), { sma: 20_000, called: 0 })
    const [before, after] = [{ lines: [paid('10000'), wrong] }, { price: '100' }]
    assert.equal((await ledgerAfter(before, after)).sma, 10_000, 'equity of 20,000 less half of 20,000')
    assert.deepEqual(await ledgerAfter(before, after, { lines: [cancelOf(wrong)] }), {
      sma: 10_000,
      called: 0,
    })
    assert.deepEqual(
      await ledgerAfter({ lines: [paid('10000')] }, after, { lines: [] }),
      { sma: 10_000, called: 0 },
      'the account that never bought',
    )
  })

  it('leaves a call for what was bought with such SMA', async () => {
    const later = bought('Q', '400', second)
    const arrivals = [{ lines: [paid('10000'), wrong], price: '100' }, { lines: [later] }]
    assert.deepEqual((await ledgerAfter(...arrivals)).called, 0)
    const inTime = await ledgerAfter({ lines: [paid('10000')], price: '100' }, { lines: [later] }, {})
    assert.deepEqual(await ledgerAfter(...arrivals, { lines: [cancelOf(wrong)] }), inTime)
  })

  it('gives back what it took, and no more, if SMA did not cover it', async () => {
    const out = {
      ...bought('T', '100', second),
      transType: 'TransferOut',
      price: undefined,
      buySell: undefined,
    }
    const arrivals = [{ lines: [paid('5000'), bought('P', '200')] }, { lines: [out] }]
    const without = await ledgerAfter(arrivals[0] ?? {}, {}, {})
    assert.deepEqual(await ledgerAfter(...arrivals, { lines: [cancelOf(out)] }), without)
  })

  it('takes back what a transfer brought at the price of its day', async () => {
    const received = { ...bought('T', '400'), transType: 'TransferIn', price: undefined, buySell: undefined }
    const arrivals = [{ lines: [received], price: '100' }, { price: '50' }]
    assert.equal((await ledgerAfter(...arrivals)).sma, 20_000)
    assert.deepEqual(await ledgerAfter(...arrivals, { lines: [cancelOf(received), paid('100', third)] }), {
      sma: 100,
      called: 0,
    })
  })
})

describe('a late line that changes what a counted line closed', () => {
  const sale = sold('S', '800', second)
  const late = bought('P', '800')

  it('leaves no call on an account without a debit', async () => {
    const inTime = await ledgerAfter({ lines: [paid('20000'), late] }, { lines: [sale] }, {})
    assert.deepEqual(inTime, { sma: 20_000, called: 0 })
    assert.deepEqual(
      await ledgerAfter({ lines: [paid('20000')] }, { lines: [sale] }, { lines: [late] }),
      inTime,
    )
  })

  it('makes a sale a short sale if the purchase before it is cancelled', async () => {
    const short = await ledgerAfter({ lines: [paid('20000')] }, { lines: [sale] }, {})
    assert.deepEqual(
      await ledgerAfter({ lines: [paid('20000'), late] }, { lines: [sale] }, { lines: [cancelOf(late)] }),
      short,
    )
  })

  it('counts again after a second correction of an earlier day', async () => {
    const wrong = bought('W', '100')
    const inTime = await ledgerAfter({ lines: [paid('20000')], price: '60' }, {}, {})
    assert.deepEqual(
      await ledgerAfter(
        { lines: [paid('20000'), wrong], price: '60' },
        { lines: [cancelOf(wrong)], price: '80' },
        { lines: [bought('X', '1', third), cancelOf(bought('X', '1', third))] },
      ),
      inTime,
    )
  })
})
