/** A cash account that spends its whole buying power gets no call and no freeze, for any history. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, decimal, max, ZERO } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { settlementDate } from '../calendar/settlement.ts'
import { type CashHistory, type CashLine, cashCalls, foldPayments, freezeOn } from './index.ts'

const monday = '2026-11-16'
const unit = decimal('1')

interface Step {
  readonly what: 'Deposit' | 'Withdrawal' | 'Sale' | 'BuyAll' | 'Sweep' | 'Redeem'
  readonly days: number
  readonly amount: bigint
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.constantFrom('Deposit', 'Withdrawal', 'Sale', 'BuyAll', 'Sweep', 'Redeem'),
    days: fc.integer({ min: 0, max: 4 }),
    amount: fc.bigInt({ min: 1n, max: 90_000n }),
  }),
  { maxLength: 14 },
)

function cashOf(lines: readonly CashLine[]): Decimal {
  const cash = lines.map((line) => (line.kind === 'Purchase' ? -line.amount : line.amount))
  return cash.reduce((sum, amount) => sum + amount, ZERO)
}
function isOfFund(line: CashLine): boolean {
  return line.kind !== 'Move' && line.ofFund === true
}
/**
 * Settled cash and money-market funds less payments due and plus expected sales: the `buyingPower` of position-summary.
 */
function buyingPower(lines: readonly CashLine[]): Decimal {
  return max(ZERO, cashOf(lines.filter((line) => !isOfFund(line))))
}

function play(happened: readonly Step[]): { readonly lines: CashLine[]; readonly until: string } {
  const lines: CashLine[] = []
  let date = monday
  for (const { what, days, amount: units } of happened) {
    date = addDays(date, days)
    const sequence = lines.length
    const common = { lineId: `L${sequence}`, sequence, date, settles: date }
    const amount = units * unit
    const power = buyingPower(lines)
    if (what === 'Deposit') lines.push({ ...common, kind: 'Move', amount })
    else if (what === 'Sale') {
      lines.push({ ...common, kind: 'Sale', amount, closes: [], settles: settlementDate(date, 'Equity') })
    } else if (power > ZERO && what === 'BuyAll') {
      lines.push({ ...common, kind: 'Purchase', secNo: '1', amount: power, exempted: false })
    } else if (what === 'Sweep') {
      const purchase = { ...common, kind: 'Purchase', secNo: 'F', exempted: false, ofFund: true } as const
      // Without the proceeds of sales, which may not have settled.
      const cash = cashOf(lines.filter((line) => line.kind !== 'Sale' || isOfFund(line)))
      if (cash > ZERO) lines.push({ ...purchase, amount: amount < cash ? amount : cash })
    } else if (what === 'Redeem') {
      const held = -cashOf(lines.filter(isOfFund))
      const sold = amount < held ? amount : held
      if (sold > ZERO) lines.push({ ...common, kind: 'Sale', amount: sold, closes: [], ofFund: true })
    } else if (what === 'Withdrawal') {
      // Only settled cash can leave: the least possible amount is the balance without sales.
      const settled = lines.filter(({ kind }) => kind !== 'Sale')
      const free = buyingPower(settled)
      if (free > ZERO) lines.push({ ...common, kind: 'Move', amount: -(amount < free ? amount : free) })
    }
  }
  return { lines, until: date }
}

function history(lines: readonly CashLine[], until: string): CashHistory {
  const undecided = () => undefined
  return { opening: ZERO, lines, until, violations: [], extensions: new Map(), decided: undecided }
}

describe('the buying power of a cash account', () => {
  test('can be spent in full without a call on any later day', () => {
    fc.assert(
      fc.property(steps, (happened) => {
        const { lines, until } = play([...happened, { what: 'BuyAll', days: 0, amount: 1n }])
        for (let after = 0; after <= 10; after += 1) {
          const day = addDays(until, after)
          const payments = foldPayments(history(lines, day))
          assert.deepEqual(cashCalls(payments, day), [])
          assert.deepEqual(payments.violations, [])
          assert.equal(freezeOn(payments.violations, day), undefined)
        }
        assert.deepEqual(foldPayments(history(lines, addDays(until, 10))).unpaid, [])
      }),
    )
  })

  test('causes a call if 1,000.01 more is spent', () => {
    fc.assert(
      fc.property(steps, (happened) => {
        const { lines, until } = play([...happened, { what: 'BuyAll', days: 0, amount: 1n }])
        const more = { ...{ lineId: 'M', sequence: lines.length, date: until, settles: until }, secNo: '1' }
        const beyond: CashLine = { ...more, kind: 'Purchase', amount: decimal('1000.01'), exempted: false }
        const day = addDays(until, 10)
        const payments = foldPayments(history([...lines, beyond], day))
        assert.equal(cashCalls(payments, day).length, 1)
      }),
    )
  })
})
