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
import { accounts, deposit, firmId, friday, monday, rows, tuesday } from './test-closes.ts'

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

/** The SMA and the accrued interest at the last close. */
async function ledgerOf(
  ...arriving: readonly (readonly TestLine[])[]
): Promise<[sma: number, accrued: number]> {
  await using books = await openTestBooks(accounts, firmId)
  await addSecurities(books)
  for (const [day, lines] of arriving.entries())
    await closeWith(books, [friday, monday, tuesday][day] ?? tuesday, lines)
  const [ledger] = await rows<{ sma: number; accrued: number }>(
    books,
    `select sma::float, interest_accrued::float as accrued from clearing.margin_ledger
     where account_number = '${account}' order by close_date desc limit 1`,
  )
  assert.ok(ledger)
  return [ledger.sma, ledger.accrued]
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
