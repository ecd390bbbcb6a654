import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { readMarginLedger } from '../books/margin/read-margin-ledger.ts'
import { readDayTrading } from '../books/positions/day-trading.ts'
import { readHeldNow } from '../books/positions/held.ts'
import { readMarginOn } from '../books/positions/held-margin.ts'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { addSecurities, closeDay, setPrice, stock } from './test-business-day.ts'
import { accounts, calls, deposit, firmId, friday, monday, rows } from './test-closes.ts'

const account = 'A0000001'
const noFigures = { equity: ZERO, debitBalance: ZERO, regTExcess: ZERO, raisesSma: true, requirements: [] }
const insertOption = statement(
  'test-insert-option',
  `insert into clearing.security (symbol, sec_type_name, multiplier, underlying, put_call, strike, expiration, created_at, updated_at)
   values ($1, 'Equity Option', 100, 'STCK', $2, $3, '2026-12-18', '2020-01-01', '2020-01-01')`,
)
const insertIssue = statement(
  'test-insert-issue',
  `insert into clearing.security (symbol, sec_type_name, marginable, created_at, updated_at)
   values ($1, 'Common Stock', $2, '2020-01-01', '2020-01-01')`,
)

/**
 * Books with the stock STCK at 50, calls and puts on it, and stocks without a price: LENT, which has loan value, and
 * CASH, which has none.
 */
async function openBooks(lines: readonly TestLine[], numbers = accounts): Promise<TestBooks> {
  const books = await openTestBooks(numbers, firmId)
  await addSecurities(books)
  await inTransaction(books.database.operations, { firm: null }, async (tx) => {
    tx.later(insertOption, ['CALL40', 'Call', '40'])
    tx.later(insertOption, ['PUT60', 'Put', '60'])
    tx.later(insertIssue, ['LENT', true])
    await tx.run(insertIssue, ['CASH', false])
  })
  await load(books, lines)
  return books
}

async function load(books: TestBooks, lines: readonly TestLine[], now?: Date): Promise<void> {
  const { rejects } = await loadActivityLines(
    books,
    lines.map((line, at) => ({
      externalId: `${now === undefined ? 'F' : 'M'}${at}`,
      acctNo: account,
      acctType: '2',
      tradeDate: '2026-11-20',
      secFee: '0',
      ...line,
    })),
    now === undefined ? {} : { now },
  )
  assert.deepEqual(rejects, [])
}

function trade(buySell: string, symbol: string, quantity: string, price: string): TestLine {
  return { transType: 'Trade', buySell, symbol, quantity, price }
}
function outcome(transType: string, symbol: string, quantity: string): TestLine {
  return { transType, symbol, quantity, toSymbol: 'STCK' }
}
function fund(netAmount: string): TestLine {
  return { ...deposit('', account, netAmount), externalId: 'D' }
}

type Case = readonly [lines: readonly TestLine[], call: number]

/** Checks what Regulation T calls for at the close of Friday. Each case has an account of its own in the same books. */
async function checkCalls(...cases: readonly Case[]): Promise<void> {
  await checkCallsAfter(async () => {}, cases)
}

async function checkCallsAfter(
  prepare: (books: TestBooks) => Promise<void>,
  cases: readonly Case[],
): Promise<void> {
  const numbers = cases.map((_, at) => `C${String(at).padStart(7, '0')}`)
  const lines = cases.flatMap(([ofCase], at) =>
    ofCase.map((line, index) => ({ ...line, acctNo: numbers[at], externalId: `${at} ${index}` })),
  )
  await using books = await openBooks(lines, numbers)
  await prepare(books)
  await closeDay(books, friday)
  const open = new Map<unknown, unknown>()
  for (const { account_number: number, kind, outstanding } of await calls(books))
    if (kind === 'Fed') open.set(number, outstanding)
  assert.deepEqual(
    numbers.map((number) => open.get(number) ?? 0),
    cases.map(([, call]) => call),
  )
}

describe('an exercise or assignment in the margin account', () => {
  it('of a call exercised is a purchase that requires half of the exercise price', async () => {
    const exercised = [trade('BUY', 'CALL40', '10', '1'), outcome('Exercise', 'CALL40', '10')]
    // The calls cost 1,000 in full, and the shares 40,000.
    await checkCalls([[fund('21000'), ...exercised], 0], [[fund('20999.99'), ...exercised], 0.01])
  })

  it('of a put assigned is a purchase that requires half of the exercise price', async () => {
    const assigned = [trade('SSL', 'PUT60', '10', '1'), outcome('Assignment', 'PUT60', '10')]
    await checkCalls([[fund('30000'), ...assigned], 0], [[fund('29999'), ...assigned], 1])
  })

  it('of a call assigned releases half of the exercise price, as a sale does', async () => {
    const lines = [fund('20000'), trade('BUY', 'STCK', '1000', '50'), trade('SSL', 'CALL40', '10', '11')]
    // Half of 50,000, and 1,000 less: the premium of 11,000 pays what the calls are in the money.
    await checkCalls(
      [lines, 4_000],
      [[...lines, outcome('Assignment', 'CALL40', '2')], 200],
      [[...lines, outcome('Assignment', 'CALL40', '3')], 0],
    )
  })

  it('of a put exercised in the short account is a short sale that requires half of its proceeds', async () => {
    const exercised = [trade('BUY', 'PUT60', '10', '11'), outcome('Exercise', 'PUT60', '10')].map((line) => ({
      ...line,
      acctType: '3',
    }))
    // The premium of 11,000, which must be paid in full, and 30,000.
    await checkCalls([[fund('41000'), ...exercised], 0], [[fund('40999.99'), ...exercised], 0.01])
  })

  it('settles as a trade of the shares, or of the option if it is settled in cash', async () => {
    const settlement = async (line: TestLine, tradeDate: string) => {
      await using books = await openBooks([
        fund('90000'),
        { ...trade('BUY', 'CALL40', '1', '1'), tradeDate: '2024-05-01' },
      ])
      await load(books, [{ ...line, tradeDate }], monday)
      return await rows(books, "select settle_date from clearing.activity where trans_type = 'Exercise'")
    }
    const inCash = { transType: 'Exercise', symbol: 'CALL40', quantity: '1', netAmount: '1000' }
    const delivered = outcome('Exercise', 'CALL40', '1')
    assert.deepEqual(await settlement(delivered, '2026-11-20'), [{ settle_date: '2026-11-23' }])
    assert.deepEqual(await settlement(delivered, '2024-05-24'), [{ settle_date: '2024-05-29' }])
    assert.deepEqual(await settlement(inCash, '2024-05-24'), [{ settle_date: '2024-05-28' }])
    assert.deepEqual(await settlement({ ...delivered, settleDate: '2026-11-20' }, '2026-11-20'), [
      { settle_date: '2026-11-20' },
    ])
  })

  it('borrows the shares that it sells short from its settlement on, which bears no interest', async () => {
    const bought = { ...trade('BUY', 'PUT60', '10', '10'), tradeDate: '2026-11-18' }
    await using books = await openBooks([fund('40000'), bought, outcome('Exercise', 'PUT60', '10')])
    await closeDay(books, friday)
    await closeDay(books, monday)
    // 30,000 are left, and from Monday on 60,000 more, of which the borrowed shares secure 50,000.
    assert.deepEqual(await rows(books, 'select margin_interest from clearing.day_accrual'), [])
  })

  it('has no effect after its cancel, also if a close counted it', async () => {
    await using books = await openBooks([
      fund('11000'),
      trade('BUY', 'CALL40', '10', '1'),
      { ...outcome('Exercise', 'CALL40', '10'), externalId: 'X' },
    ])
    await closeDay(books, friday)
    const fed = async () => (await calls(books)).find(({ kind }) => kind === 'Fed')
    assert.deepEqual([(await fed())?.outstanding, (await fed())?.due_by], [10_000, '2026-11-25'])
    await load(books, [{ ...outcome('Exercise', 'CALL40', '10'), cancelType: 'C', tagNo: 'X' }], monday)
    const { ledger: present } = await inTransaction(
      books.database.app,
      { firm: firmId, readOnly: true },
      (tx) =>
        readMarginLedger(tx, account, {
          now: monday,
          today: '2026-11-23',
          figures: noFigures,
          held: [],
          atClose: (day) => readMarginOn(tx, account, { day, known: undefined, concentration: [] }),
        }),
    )
    assert.deepEqual(present.calls, [], 'the present ledger has no call')
    await closeDay(books, monday)
    assert.deepEqual([(await fed())?.outstanding, (await fed())?.met_on], [0, '2026-11-23'])
    const [ledger] = await rows(
      books,
      "select sma::float from clearing.margin_ledger where close_date = '2026-11-23'",
    )
    // The release of 20,000 meets the call of 10,000.
    assert.deepEqual(ledger, { sma: 10_000 })
  })
})

describe('a purchase in account type 2 that covers a short position', () => {
  const called = [fund('20000'), trade('BUY', 'STCK', '1000', '50')]
  const written = [...called, trade('SSL', 'CALL40', '10', '11')]

  it('takes back the margin of options written, and requires the premium for options beyond them', async () => {
    await checkCalls(
      [written, 4_000],
      [[...written, trade('BUY', 'CALL40', '10', '11')], 5_000],
      [[...written, trade('BCV', 'CALL40', '10', '11')], 5_000],
      [[...written, trade('BUY', 'CALL40', '12', '11')], 7_200],
    )
  })

  it('releases what the short sale of stock required', async () => {
    const sold = [...called, trade('SSL', 'LENT', '100', '10')]
    await checkCalls(
      [sold, 5_500],
      [[...sold, trade('BUY', 'LENT', '100', '10')], 5_000],
      [[...sold, trade('BUY', 'LENT', '40', '10')], 5_300],
    )
  })

  it('is taken back when it is cancelled after a close', async () => {
    const bought = trade('BUY', 'CALL40', '12', '11')
    await using books = await openBooks([...written, { ...bought, externalId: 'X' }])
    await closeDay(books, friday)
    await load(books, [{ ...bought, cancelType: 'C', tagNo: 'X' }], monday)
    await closeDay(books, monday)
    const [fed] = (await calls(books)).filter(({ kind }) => kind === 'Fed')
    // The 2,200 of the two contracts that opened a position, and 1,000 for the calls that are written again.
    assert.deepEqual([fed?.amount, fed?.outstanding], [7_200, 4_000])
  })
})

describe('a sale in account type 2 of what is not held', () => {
  it('of options requires the margin of written ones', async () => {
    const written = trade('SEL', 'CALL40', '10', '11')
    const covered = [written, trade('BUY', 'STCK', '800', '50')]
    await checkCalls(
      // 20 percent of 50,000. The premium is the market value.
      [[fund('10000'), written], 0],
      [[fund('9999.99'), written], 0.01],
      // Stock covers eight calls, which are 8,000 in the money for a premium of 8,800; two require 2,000.
      [[fund('21200'), ...covered], 0],
      [[fund('21199'), ...covered.toReversed()], 1],
    )
  })

  it('of stock requires the margin of a short sale, for the part that is not held', async () => {
    const held = [fund('10000'), trade('BUY', 'STCK', '100', '50')]
    await checkCalls(
      [[...held, trade('SEL', 'STCK', '500', '50')], 0],
      [[...held, trade('SEL', 'STCK', '501', '50')], 25],
      [[...held, outcome('Assignment', 'CALL40', '5')], 0],
      [[...held, outcome('Assignment', 'CALL40', '7')], 2_500],
    )
  })
})

describe('a short sale of stock below 10.00', () => {
  const sold = (price: string) => [fund('10000'), trade('SSL', 'LENT', '2000', price)]
  const covered = (price: string) => trade('BCV', 'LENT', '2000', price)

  it('requires 5.00 a share, which its cover releases', async () => {
    await checkCalls(
      [sold('5'), 0],
      [[...sold('5'), covered('5'), trade('BUY', 'STCK', '400', '50')], 0],
      [[...sold('5'), covered('5'), trade('BUY', 'STCK', '401', '50')], 25],
      [[...sold('4.99'), covered('4.99'), trade('BUY', 'STCK', '401', '50')], 25],
    )
  })

  it('has the price of its amount if the line states none', async () => {
    const sale = { ...trade('SSL', 'LENT', '400', ''), price: undefined, netAmount: '20000' }
    await checkCalls([[fund('10000'), sale], 0], [[fund('9999.99'), sale], 0.01])
  })

  it('that is transferred takes its requirement with it', async () => {
    const transferredWith = (netAmount: string) => [
      { transType: 'TransferIn', netAmount },
      { transType: 'TransferIn', symbol: 'LENT', quantity: '-2000', cost: '8000', acctType: '3' },
    ]
    const transferred = transferredWith('16000')
    const setLow = async (books: TestBooks) => {
      const [{ sec_no = '' } = {}] = await rows<{ sec_no: string }>(
        books,
        "select sec_no::text from clearing.security where symbol = 'LENT'",
      )
      await setPrice(books, sec_no, '2026-11-20T20:00:00Z', '4')
    }
    const lacking = transferredWith('15000')
    await checkCallsAfter(setLow, [
      // 16,000 less the value of 8,000 and 4.00 a share leave nothing.
      [transferred, 0],
      [[...transferred, fund('1000'), trade('BUY', 'STCK', '40', '50')], 0],
      [[...transferred, fund('1000'), trade('BUY', 'STCK', '41', '50')], 25],
      // What a transfer lacks is combined with the other transactions of its day.
      [lacking, 0],
      [[...lacking, fund('1000'), trade('BUY', 'STCK', '40', '50')], 1_000],
    ])
  })
})

describe('an exercise or assignment in the cash account', () => {
  const inCash = (line: TestLine): TestLine => ({ ...line, acctType: '1' })
  const closeUntil = async (books: TestBooks, days: readonly string[]) => {
    for (const at of days) await closeDay(books, new Date(`${at}T22:00:00Z`))
  }

  it('of a call exercised is paid within the payment period of a purchase', async () => {
    const exercised = [trade('BUY', 'CALL40', '10', '1'), outcome('Exercise', 'CALL40', '10')]
    await using books = await openBooks([fund('5000'), ...exercised].map(inCash))
    await closeUntil(books, ['2026-11-20', '2026-11-23', '2026-11-24'])
    assert.deepEqual(await calls(books), [])
    await closeUntil(books, ['2026-11-25'])
    const [call] = await calls(books)
    // The calls cost 1,000, and the shares 40,000.
    assert.deepEqual([call?.kind, call?.issued_on, call?.outstanding], ['Cash', '2026-11-25', 36_000])
  })

  it('of shares that are sold before they are paid is free riding', async () => {
    const assigned = [trade('SSL', 'PUT60', '1', '1'), outcome('Assignment', 'PUT60', '1')]
    await using books = await openBooks([...assigned, trade('SEL', 'STCK', '100', '50')].map(inCash))
    await closeUntil(books, ['2026-11-20'])
    assert.deepEqual(await rows(books, 'select code from clearing.restriction'), [{ code: 'NinetyDayCash' }])
  })

  it('of a call assigned is a sale, and free riding if its shares were not paid', async () => {
    const assigned = [
      trade('BUY', 'STCK', '100', '50'),
      trade('SSL', 'CALL40', '1', '11'),
      outcome('Assignment', 'CALL40', '1'),
    ]
    const restrictionsAfter = async (netAmount: string) => {
      await using books = await openBooks([fund(netAmount), ...assigned].map(inCash))
      await closeUntil(books, ['2026-11-20'])
      return await rows(books, 'select code from clearing.restriction')
    }
    assert.deepEqual(await restrictionsAfter('1000'), [{ code: 'NinetyDayCash' }])
    assert.deepEqual(await restrictionsAfter('5000'), [])
  })
})

describe('the intraday margin deficit', () => {
  it('counts the maintenance of the shares that an exercise buys, not their cost', async () => {
    const deficitAfter = async (netAmount: string) => {
      await using books = await openBooks([fund(netAmount), trade('BUY', 'CALL40', '10', '1')])
      await closeDay(books, friday)
      await load(books, [{ ...outcome('Exercise', 'CALL40', '10'), tradeDate: '2026-11-23' }], monday)
      return await inTransaction(books.database.app, { firm: firmId, readOnly: true }, async (tx) => {
        const held = await readHeldNow(tx, account, monday)
        assert.ok(held)
        const moment = {
          now: monday,
          today: held.today,
          figures: noFigures,
          held: [],
          atClose: async () => null,
        }
        const { previousClose } = await readMarginLedger(tx, account, moment)
        assert.ok(previousClose)
        const positions = [{ secNo: stock, acctType: 2 as const, quantity: decimal('1000') }]
        const { intradayDeficit } = await readDayTrading(tx, held, {
          previousClose,
          held: positions,
          known: undefined,
          concentration: [],
        })
        return renderDecimal(intradayDeficit)
      })
    }
    // The excess of Friday is the deposit without the 1,000 for the calls. A quarter of 40,000 is required.
    assert.equal(await deficitAfter('11000'), '0')
    assert.equal(await deficitAfter('10999'), '1')
  })
})

describe('cash for a position in the margin account', () => {
  const called = [fund('10000'), trade('BUY', 'STCK', '1000', '50')]
  const repaid = (symbol: string, line: TestLine) => [
    trade('BUY', symbol, '100', '10'),
    ...called,
    { symbol, ...line },
  ]

  it('releases half of a security with loan value, and all of another', async () => {
    // The deposit and the requirement of 25,000 for STCK and of 500 for LENT, or 1,000 for CASH.
    await checkCalls(
      [repaid('LENT', { transType: 'Dividend', netAmount: '200' }), 15_300],
      [repaid('LENT', { transType: 'ReturnOfCapital', netAmount: '200' }), 15_400],
      [repaid('LENT', { transType: 'Merger', cashPerShare: '12' }), 14_900],
      [repaid('LENT', { transType: 'Redemption', price: '12' }), 14_900],
      [repaid('CASH', { transType: 'ReturnOfCapital', netAmount: '200' }), 15_800],
      [repaid('CASH', { transType: 'Merger', cashPerShare: '12' }), 14_800],
    )
  })
})

describe('a written option that is not traded', () => {
  const short = { symbol: 'PUT60', quantity: '-2', cost: '2000', acctType: '3' }

  it('causes no call when it is transferred in, nor when its stock is split', async () => {
    const covered = [fund('20000'), trade('BUY', 'STCK', '1000', '50'), trade('SSL', 'CALL40', '10', '11')]
    const split = { transType: 'Split', symbol: 'STCK', ratio: '2:1' }
    await checkCalls([[{ ...short, transType: 'TransferIn' }], 0], [covered, 4_000])
    // In books of their own: the split halves the price of all holders.
    await checkCalls([[...covered, split], 4_000])
  })

  it('has its value in the money on the day after its expiration, when it is assigned', async () => {
    const covered = [fund('25000'), trade('BUY', 'STCK', '1000', '50'), trade('SSL', 'CALL40', '10', '11')]
    const sma = async (day: string) => {
      await using books = await openBooks(covered)
      await closeDay(books, friday)
      await load(books, [{ ...outcome('Assignment', 'CALL40', '10'), tradeDate: day }], monday)
      await closeDay(books, monday)
      const [ledger] = await rows<{ sma: number }>(
        books,
        "select sma::float from clearing.margin_ledger where close_date = '2026-11-23'",
      )
      return ledger?.sma
    }
    // 25,000 and the premium of 11,000 less 50,000, and 40,000 of the sale, are cash.
    assert.equal(await sma('2026-11-23'), 26_000)
  })
})

describe('a dividend due on stock sold short', () => {
  it('causes no call', async () => {
    await using books = await openBooks([fund('5000'), trade('SSL', 'LENT', '500', '20')])
    await closeDay(books, friday)
    const due = { transType: 'Dividend', symbol: 'LENT', netAmount: '-3000', acctType: '3' }
    await load(books, [{ ...due, tradeDate: '2026-11-23' }], monday)
    await closeDay(books, monday)
    const federal = (await calls(books)).filter(({ kind }) => kind === 'Fed')
    assert.deepEqual(federal, [])
  })
})

describe('a transfer or a journal', () => {
  const called = [fund('10000'), trade('BUY', 'STCK', '1000', '50')]
  const shares = (transType: string, quantity: string, of: TestLine = {}) => {
    return { transType, symbol: 'STCK', quantity, ...of }
  }

  it('of cash meets a call as a deposit does', async () => {
    await checkCalls([[...called, { transType: 'TransferIn', netAmount: '4000' }], 11_000])
  })

  it('of shares from or to the cash account moves their loan value, and between types 2 and 3 nothing', async () => {
    const cashAccount = { acctType: '1' }
    const bought = { ...trade('BUY', 'STCK', '100', '50'), ...cashAccount }
    const journal = (type: string) => [
      shares('Journal', '-100', { acctType: type }),
      shares('Journal', '100', { acctType: type === '2' ? '3' : '2' }),
    ]
    await checkCalls([[bought, ...called, ...journal('1')], 12_500], [[...called, ...journal('2')], 15_000])
  })

  it('of an account with a loan adds the loan value of the shares less the loan', async () => {
    const transferred = [
      { transType: 'TransferOut', netAmount: '-20000' },
      shares('TransferIn', '1000', { cost: '1' }),
    ]
    // 25,000 of loan value less the loan of 20,000 supports a purchase of 10,000.
    await checkCalls(
      [[...transferred, trade('BUY', 'STCK', '200', '50')], 0],
      [[...transferred, trade('BUY', 'STCK', '201', '50')], 25],
    )
  })

  it('of a short position adds its credit less its value and requirement', async () => {
    const transferred = [
      fund('10000'),
      { transType: 'TransferIn', netAmount: '5000' },
      shares('TransferIn', '-100', { acctType: '3', cost: '5000' }),
    ]
    // The short position of 5,000 requires 2,500 on top of its credit, which the first 100 shares bought release. The
    // 10,000 support 20,000 of further shares.
    await checkCalls(
      [[...transferred, trade('BUY', 'STCK', '500', '50')], 0],
      [[...transferred, trade('BUY', 'STCK', '501', '50')], 25],
    )
  })
})

describe('a reinvestment', () => {
  it('takes its requirement from the SMA, to which its dividend was added', async () => {
    const reinvested = [
      trade('BUY', 'LENT', '100', '10'),
      fund('10000'),
      { transType: 'Dividend', symbol: 'LENT', netAmount: '2000' },
      { transType: 'Reinvest', symbol: 'LENT', quantity: '100', netAmount: '-2000' },
    ]
    // 10,000 and 2,000 less 500 called and half of the reinvestment.
    await checkCalls(
      [[...reinvested, trade('BUY', 'STCK', '420', '50')], 0],
      [[...reinvested, trade('BUY', 'STCK', '421', '50')], 25],
    )
  })
})
