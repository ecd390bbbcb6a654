/** Money-market funds that pay for purchases of a cash account, and what is unpaid at the end of Tuesday. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { type CashLine, foldPayments } from './index.ts'

const monday = '2026-11-16'
const tuesday = '2026-11-17'
const friday = '2026-11-20'

function common(lineId: string, date: string) {
  return { lineId, sequence: 0, date, settles: date }
}
function buy(lineId: string, date: string, amount: string, more = {}): CashLine {
  const of = { kind: 'Purchase', secNo: lineId, exempted: false } as const
  return { ...common(lineId, date), ...of, amount: decimal(amount), ...more }
}
/** Sells all of one purchase on a day. It settles on the next day. */
function sell(purchaseId: string, date: string, amount: string): CashLine {
  const part = { purchaseId, cost: decimal(amount), proceeds: decimal(amount) }
  const settles = addDays(date, 1)
  return { ...common(`S${purchaseId}`, date), settles, kind: 'Sale', amount: decimal(amount), closes: [part] }
}
function invest(date: string, amount: string, more = {}): CashLine {
  return buy('F', date, amount, { ofFund: true, ...more })
}
function redeem(date: string, amount: string, closes: 'F' | '' = ''): CashLine {
  const parts = closes === '' ? [] : [{ purchaseId: 'F', cost: decimal(amount), proceeds: decimal(amount) }]
  return { ...common('R', date), kind: 'Sale', amount: decimal(amount), closes: parts, ofFund: true }
}
function move(date: string, amount: string): CashLine {
  return { ...common(`M${date}${amount}`, date), kind: 'Move', amount: decimal(amount) }
}

interface Before {
  readonly cash?: string
  readonly funds?: string
}
function found(lines: readonly CashLine[], { cash = '0', funds = '0' }: Before = {}) {
  const { unpaid, violations } = foldPayments({
    opening: decimal(cash),
    openingFunds: decimal(funds),
    lines: lines.map((line, sequence) => ({ ...line, sequence })),
    until: tuesday,
    violations: [],
    extensions: new Map(),
    decided: () => undefined,
  })
  return [
    ...unpaid.map(({ lineId, unpaid: left }) => `${lineId} ${renderDecimal(left, 2)}`),
    ...violations.map(({ kind, purchaseId }) => `${kind} ${purchaseId}`),
  ]
}

describe('a money-market fund of a cash account', () => {
  const held = { funds: '5000' }
  const rows: [why: string, lines: CashLine[], before: Before, due: string[]][] = [
    ['pays a purchase', [buy('P', monday, '5000')], held, []],
    ['pays up to its value', [buy('P', monday, '5001')], held, ['P 1.00']],
    ['pays after cash', [buy('P', monday, '5001')], { ...held, cash: '1' }, []],
    ['pays a debt first', [buy('P', monday, '5000')], { ...held, cash: '-1' }, ['P 1.00']],
    ['pays each amount once', [buy('P', monday, '3000'), buy('Q', monday, '3000')], held, ['Q 1000.00']],
    [
      'pays no more than cash leaves unpaid',
      [buy('P', monday, '2000'), buy('Q', monday, '4001')],
      { ...held, cash: '1000' },
      ['Q 1.00'],
    ],
    ['lets a day trade be paid', [buy('P', monday, '5000'), sell('P', monday, '5000')], held, []],
    [
      'does not pay again when its redemption is reported',
      [buy('P', monday, '5000'), redeem(monday, '5000'), buy('Q', tuesday, '1')],
      held,
      ['Q 1.00'],
    ],
    [
      'does not pay again when a part of its redemption is reported',
      [buy('P', monday, '5000'), redeem(monday, '2000'), buy('Q', tuesday, '1')],
      held,
      ['Q 1.00'],
    ],
    [
      'pays with a redemption when it has settled',
      [
        buy('P', monday, '2000'),
        redeem(monday, '2000'),
        { ...redeem(tuesday, '3000'), settles: addDays(tuesday, 1) },
        buy('Q', tuesday, '3000'),
      ],
      held,
      ['Q 3000.00'],
    ],
    ['does not pay for more of the fund', [invest(monday, '5000'), move(tuesday, '1')], held, ['F 4999.00']],
    [
      'pays with the rest of a larger redemption',
      [buy('P', monday, '3000'), redeem(monday, '4000'), buy('Q', tuesday, '2000'), buy('O', tuesday, '1')],
      held,
      ['O 1.00'],
    ],
    [
      'pays once for each of two redemptions',
      [buy('P', monday, '2000'), redeem(monday, '2000'), redeem(tuesday, '3000'), buy('Q', tuesday, '3000')],
      held,
      [],
    ],
    ['pays a withdrawal', [move(monday, '-5000'), buy('P', monday, '1')], held, ['P 1.00']],
    [
      'and a withdrawal after its redemption',
      [redeem(monday, '5000'), move(tuesday, '-5000'), buy('P', tuesday, '1')],
      held,
      ['P 1.00'],
    ],
    [
      'holds the cash that it was bought with',
      [invest(monday, '5000'), buy('P', monday, '5000')],
      { cash: '5000' },
      [],
    ],
    [
      'without money is itself unpaid, and pays nothing',
      [invest(monday, '5000'), buy('P', monday, '1')],
      {},
      ['F 5000.00', 'P 1.00'],
    ],
    [
      'pays what is due as soon as it has been paid',
      [invest(monday, '5000'), buy('P', monday, '1'), move(tuesday, '5000')],
      {},
      [],
    ],
    [
      'that was sold before it was paid does not pay',
      [invest(monday, '5000'), redeem(monday, '5000', 'F'), move(tuesday, '5000'), buy('P', tuesday, '5001')],
      {},
      ['P 1.00', 'FreeRiding F'],
    ],
    ['that income buys has no payment period', [invest(monday, '5', { exempted: true })], {}, []],
  ]
  for (const [why, lines, before, due] of rows) {
    test(why, () => assert.deepEqual(found(lines, before), due))
  }

  test('is not counted without a value before the lines', () => {
    const history = { opening: decimal('0'), until: friday, violations: [], extensions: new Map() }
    const { unpaid } = foldPayments({
      ...history,
      lines: [buy('P', monday, '5000')],
      decided: () => undefined,
    })
    assert.equal(unpaid.length, 1)
  })
})
