/** The SMA and the accrued interest after corrections of lines that an earlier close counted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  loadActivityLines,
  openTestBooks,
  type TestBooks,
  type TestLine,
} from '../books/testing/books-database.ts'
import { parseMarginRates } from '../config/margin-rate.ts'
import { addSecurities, closeDay, makeBusinessDay } from './test-business-day.ts'
import { accounts, deposit, firmId, friday, monday, purchase, rows, tuesday } from './test-closes.ts'

const [account = ''] = accounts
const marginRates = parseMarginRates('36') ?? []

function paid(externalId: string, netAmount: string, tradeDate = '2026-11-20'): TestLine {
  return deposit(externalId, account, netAmount, tradeDate)
}
function drawn(externalId: string, amount: string, tradeDate = '2026-11-20'): TestLine {
  return { ...paid(externalId, `-${amount}`, tradeDate), transType: 'Withdrawal' }
}
function charged(externalId: string, netAmount: string): TestLine {
  return { ...paid(externalId, netAmount, '2026-11-23'), transType: 'Interest' }
}
function cancel(externalId: string, tagNo: string, line: TestLine): TestLine {
  return { ...line, externalId, cancelType: 'C', tagNo }
}

async function closeWith(books: TestBooks, at: Date, lines: readonly TestLine[]): Promise<void> {
  assert.deepEqual((await loadActivityLines(books, lines, { now: at })).rejects, [])
  await closeDay(books, at, makeBusinessDay(books, { marginRates }))
}

interface Ledger {
  readonly sma: number
  readonly accrued: number
  readonly called: number
}

/** The ledger at the last close, after lines that arrived day by day. */
async function ledgerAfter(...arriving: readonly (readonly TestLine[])[]): Promise<Ledger> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  for (const [day, lines] of arriving.entries())
    await closeWith(books, [friday, monday, tuesday][day] ?? tuesday, lines)
  const [ledger] = await rows<Ledger>(
    books,
    `select sma::float, interest_accrued::float as accrued,
       (select coalesce(sum((call->>'outstanding')::numeric), 0) from jsonb_array_elements(reg_t_calls) as call)::float as called
     from clearing.margin_ledger where account_number = '${account}' order by close_date desc limit 1`,
  )
  return ledger ?? assert.fail('the account has no ledger')
}

async function ledgerOf(
  ...arriving: readonly (readonly TestLine[])[]
): Promise<[sma: number, accrued: number]> {
  const { sma, accrued } = await ledgerAfter(...arriving)
  return [sma, accrued]
}

describe('a withdrawal of a closed day that is cancelled', () => {
  const before = [paid('D', '50000'), drawn('W', '10000'), drawn('X', '1000')]
  const first = cancel('C1', 'W', drawn('', '10000'))

  it('is taken back once', async () => {
    assert.deepEqual(await ledgerOf(before), [39_000, 0])
    assert.deepEqual(await ledgerOf(before, [first]), [49_000, 0])
  })

  for (const [what, ...arriving] of [
    ['again on the same day', [first, cancel('C2', 'W', drawn('', '10000'))]],
    ['again on a later day', [first], [cancel('C2', 'W', drawn('', '10000'))]],
    ['and its cancel is cancelled', [first], [cancel('C2', 'C1', drawn('', '10000'))]],
    ['and a line that is unknown is cancelled', [first, cancel('C2', 'U', drawn('', '500'))]],
    [
      'and another is cancelled before it comes',
      [first, cancel('C2', 'L', drawn('', '500'))],
      [drawn('L', '500')],
    ],
    ['by a cancel of a later date', [{ ...first, tradeDate: '2026-11-23' }]],
  ] as const)
    it(`is taken back once if it is cancelled ${what}`, async () => {
      assert.deepEqual(await ledgerOf(before, ...arriving), [49_000, 0])
    })
})

describe('a charge of interest that is cancelled', () => {
  const debit = [drawn('W', '1000')]
  const charge = charged('I', '-3')
  const back = cancel('C1', 'I', charged('', '-3'))

  it('is owed again, once', async () => {
    assert.equal((await ledgerOf(debit, [charge], []))[1], 2)
    const [, owed] = await ledgerOf(debit, [charge], [back])
    assert.equal((await ledgerOf(debit, [charge], [back, cancel('C2', 'I', charged('', '-3'))]))[1], owed)
  })
})

describe('a credit that paid for a purchase and is taken back after the close', () => {
  const bought = purchase('P', account, '800')
  const start = [paid('D', '20000'), bought]
  const sold = {
    ...bought,
    externalId: 'S',
    buySell: 'SEL',
    quantity: '200',
    secFee: '0',
    tradeDate: '2026-11-23',
  }
  const again = purchase('P2', account, '200', '2026-11-23')
  const late = paid('X', '-20000')
  const back = '2026-11-23'

  for (const [what, call, ...arriving] of [
    ['is covered', 0, start, []],
    ['a deposit that is cancelled', 20_000, start, [cancel('C', 'D', paid('', '20000'))]],
    [
      'a deposit that is returned',
      20_000,
      start,
      [{ ...paid('R', '-20000', back), transType: 'DepositReturn' }],
    ],
    ['a deposit that is returned late', 20_000, start, [{ ...late, transType: 'DepositReturn' }]],
    [
      'a deposit that is rebilled as less',
      8_000,
      start,
      [cancel('C', 'D', paid('', '20000')), { ...paid('R', '12000'), rebill: 'Y', tagNo: 'D' }],
    ],
    ['a withdrawal that arrives late', 5_000, start, [drawn('W', '5000')]],
    ['a withdrawal of the same day', 5_000, [...start, drawn('W', '5000')], []],
    ['a sale that is cancelled', 5_000, start, [sold, again], [cancel('C', 'S', sold)]],
    ['a sale that is cancelled on its day', 5_000, start, [sold, again, cancel('C', 'S', sold)]],
  ] as const)
    it(`is called for: ${what}`, async () => {
      assert.equal((await ledgerAfter(...arriving)).called, call)
    })
})
