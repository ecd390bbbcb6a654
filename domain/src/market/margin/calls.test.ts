/** The amounts that meet a call, to the cent; due dates with the day before and after; and extensions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { type CallKind, callToMeet, extended, latestExtension, refuseExtension } from './calls.ts'
import { marginFigures } from './figures.ts'
import { postMarginEvents } from './ledger.ts'
import { type PositionSales, salesOf } from './sales.ts'
import { shareAt } from './sample-legs.ts'
import { percentOfAmount } from './stock-requirement.ts'

/** A Friday. */
const issuedOn = '2026-11-13'
const dueBy = '2026-11-18'
const stock = [shareAt(decimal('100000'))]
const account = salesOf(stock)

function meets(kind: CallKind, outstanding: string, of: readonly PositionSales[] = account, today = dueBy) {
  const { sellAmount, sellOutOn, overdue } = callToMeet(
    { kind, issuedOn, dueBy, outstanding: decimal(outstanding) },
    of,
    today,
  )
  return [sellAmount === null ? null : renderDecimal(sellAmount, 2), sellOutOn, overdue]
}

describe('a call is met by a sale', () => {
  const sellOut = '2026-11-19'
  test('of twice the amount for Regulation T', () => {
    assert.deepEqual(meets('Fed', '5000'), ['10000.00', sellOut, false])
    assert.deepEqual(meets('Fed', '50000'), ['100000.00', sellOut, false])
    assert.deepEqual(meets('Fed', '50000.01'), [null, sellOut, false])
  })
  test('of four times the amount for maintenance at 25 percent, or the multiple for the rate of the house', () => {
    assert.deepEqual(meets('Maintenance', '5000'), ['20000.00', sellOut, false])
    const at30 = salesOf(stock, { longPercent: decimal('30'), shortPercent: decimal('30') })
    assert.deepEqual(meets('Maintenance', '0.03', at30), ['0.10', sellOut, false])
    assert.deepEqual(meets('Maintenance', '0.04', at30), ['0.13', sellOut, false])
  })
  test('of the unpaid amount in the cash account, whatever the margin account holds', () => {
    assert.deepEqual(meets('Cash', '5000', []), ['5000.00', sellOut, false])
  })
})

describe('the firm liquidates', () => {
  test('on the market day after the due date', () => {
    const late = callToMeet(
      { kind: 'Fed', issuedOn, dueBy: '2026-11-25', outstanding: decimal('1000.01') },
      account,
      dueBy,
    )
    // November 26 is Thanksgiving.
    assert.equal(late.sellOutOn, '2026-11-27')
  })
  test('only for more than 1,000.00, except for a maintenance call', () => {
    for (const kind of ['Fed', 'Cash'] as const) {
      assert.equal(meets(kind, '999.99')[1], null)
      assert.equal(meets(kind, '1000.00')[1], null)
      assert.equal(meets(kind, '1000.01')[1], '2026-11-19')
    }
    assert.equal(meets('Maintenance', '0.01')[1], '2026-11-19')
  })
  test('a call is overdue from the day after its due date', () => {
    assert.equal(meets('Fed', '5000', account, '2026-11-17')[2], false)
    assert.equal(meets('Fed', '5000', account, '2026-11-18')[2], false)
    assert.equal(meets('Fed', '5000', account, '2026-11-19')[2], true)
  })
})

describe('an extension', () => {
  test('ends at most one payment period later, and for a maintenance call at most fifteen business days later', () => {
    assert.equal(latestExtension('Fed', dueBy), '2026-11-23')
    assert.equal(latestExtension('Cash', dueBy), '2026-11-23')
    assert.equal(latestExtension('Maintenance', dueBy), '2026-12-10')
    const refused = (until: string, today = dueBy) => refuseExtension({ kind: 'Fed', dueBy }, until, today)
    assert.match(refused('2026-11-17') ?? '', /from 2026-11-19 on/)
    assert.match(refused(dueBy) ?? '', /ends later/)
    assert.equal(refused('2026-11-19'), undefined)
    assert.equal(refused('2026-11-23'), undefined)
    assert.match(refused('2026-11-24') ?? '', /by 2026-11-23 at the latest/)
  })
  test('can be granted until the due date', () => {
    const on = (today: string) => refuseExtension({ kind: 'Cash', dueBy }, '2026-11-20', today)
    assert.equal(on('2026-11-17'), undefined)
    assert.equal(on(dueBy), undefined)
    assert.match(on('2026-11-19') ?? '', /before that day has passed/)
  })
  test('moves the due date to the latest end of an extension', () => {
    assert.equal(extended(dueBy, []), dueBy)
    assert.equal(extended(dueBy, [{ until: '2026-11-20' }, { until: '2026-11-19' }]), '2026-11-20')
    assert.equal(extended(dueBy, [{ until: '2026-11-17' }]), dueBy)
  })
})

function cents(max: number) {
  return fc.bigInt({ min: 1n, max: BigInt(max) }).map((value) => value * (ONE / 100n))
}

describe('the amounts that meet a call', () => {
  test('of maintenance end the call if deposited or sold, and a deposit of one cent less leaves a call', () => {
    fc.assert(
      fc.property(
        cents(10_000_000),
        cents(10_000_000),
        fc.constantFrom('25', '30', '35', '40'),
        (value, debit, rate) => {
          const rates = { longPercent: decimal(rate), shortPercent: decimal('30') }
          const of = (held: Decimal, cash: Decimal) =>
            marginFigures({ marginCash: cash, positions: [shareAt(held)], rates })
          const figures = of(value, -debit)
          const outstanding = figures.maintenanceCall
          if (outstanding === ZERO) return
          assert.equal(of(value, outstanding - debit).maintenanceCall, ZERO)
          assert.ok(of(value, outstanding - debit - ONE / 100n).maintenanceCall > ZERO)
          const { sellAmount } = callToMeet(
            { kind: 'Maintenance', issuedOn, dueBy, outstanding },
            salesOf([shareAt(value)], rates),
            dueBy,
          )
          if (sellAmount === null) return
          // The rounding of the requirement itself can leave a cent.
          assert.ok(of(value - sellAmount, sellAmount - debit).maintenanceCall <= ONE / 100n)
          assert.ok(sellAmount <= value)
        },
      ),
    )
  })
  test('of maintenance end the call by a sale of stock that is not concentrated, whatever add-on others have', () => {
    const concentration = [{ sharePercent: decimal('60'), addOnPercent: decimal('10') }]
    const rates = { longPercent: decimal('25'), shortPercent: decimal('30'), concentration }
    // Of equity of 2,600.00, the large position has more than 60 percent and requires 35 percent.
    const held = (small: string) => [
      shareAt(decimal('8000')),
      shareAt(decimal(small), { secNo: '2', symbol: 'B' }),
    ]
    const of = (small: string, cash: string) =>
      marginFigures({ marginCash: decimal(cash), positions: held(small), rates })
    const figures = of('1000', '-6400')
    assert.equal(figures.maintenanceCall, decimal('450'))
    const call = { kind: 'Maintenance', issuedOn, dueBy, outstanding: decimal('100') } as const
    const { sellAmount } = callToMeet(call, salesOf(held('1000'), rates), dueBy)
    assert.equal(sellAmount, decimal('400'))
    assert.equal(of('600', '-6000').maintenanceCall, decimal('350'))
  })
  test('of Regulation T end it through the release of the sale', () => {
    fc.assert(
      fc.property(cents(10_000_000), (outstanding) => {
        const ledger = {
          sma: ZERO,
          maintenanceCall: null,
          calls: [{ openedOn: issuedOn, dueOn: dueBy, amount: outstanding, outstanding }],
        }
        const wide = salesOf([shareAt(decimal('1000000'))])
        const { sellAmount } = callToMeet({ kind: 'Fed', issuedOn, dueBy, outstanding }, wide, dueBy)
        const amount = percentOfAmount(sellAmount ?? ZERO, decimal('50'))
        const event = { kind: 'Release', date: dueBy, amount } as const
        assert.deepEqual(postMarginEvents(ledger, [event]).calls, [])
      }),
    )
  })
})
