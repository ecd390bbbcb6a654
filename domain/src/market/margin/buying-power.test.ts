/** Buying power by class: spending the full amount creates no call, and spending more creates one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Decimal,
  decimal,
  max,
  multiply,
  multiplyDivide,
  ONE,
  renderDecimal,
  ZERO,
} from '../../decimal.ts'
import { buyingPowerAt, buyingPowerOf, buyingPowers, type ClassBuyingPower } from './buying-power.ts'
import { debtMarginOn } from './debt-margin.ts'
import { type MarginFigures, marginFigures } from './figures.ts'
import { EMPTY_LEDGER, requireEquity } from './ledger.ts'
import type { MarginPosition } from './position.ts'
import { shareAt } from './sample-legs.ts'
import { FULL_PERCENT, percentOfAmount } from './stock-requirement.ts'

const today = '2026-11-20'
const CENT = ONE / 100n

/** A purchase of a class at that cost, as a position. */
function bought({ securityClass }: ClassBuyingPower, cost: Decimal): MarginPosition {
  const other = { secNo: '2', symbol: 'NEW' }
  switch (securityClass) {
    case 'MarginSecurity':
      return shareAt(cost, other)
    case 'NonMargin':
      return shareAt(cost, { ...other, marginable: false })
    case 'MutualFund':
      return shareAt(cost, { ...other, kind: 'Fund', recentUnits: ONE })
    case 'Option': {
      const option = { putCall: 'Call', strike: ONE, expiration: '2026-12-18', underlying: 'XYZ' } as const
      return shareAt(cost, { ...other, kind: 'Option', marginable: false, option })
    }
    default: {
      const row = debtMarginOn(securityClass, undefined, today)
      return shareAt(cost, { ...other, kind: 'Bond', debt: { row, principal: cost } })
    }
  }
}

/** The calls of the account after it has spent an amount on a class. */
function callsAfter(
  { figures, held, sma, rates }: Account,
  power: ClassBuyingPower,
  cost: Decimal,
): { readonly fed: Decimal; readonly maintenance: Decimal } {
  const after = marginFigures({
    marginCash: figures.marginCash - cost,
    positions: [shareAt(held), bought(power, cost)],
    rates,
  })
  const requirement = percentOfAmount(cost, power.initialPercent)
  const standing = {
    equityOn: () => after.equity,
    debit: after.debitBalance,
    restrictedBy: after.restrictedBy,
    hasShort: false,
  }
  const ledger = requireEquity(
    { ...EMPTY_LEDGER, sma },
    [{ kind: 'Purchase', date: today, amount: cost, requirement }],
    standing,
  )
  return { fed: ledger.calls[0]?.outstanding ?? ZERO, maintenance: after.maintenanceCall }
}

interface Account {
  readonly held: Decimal
  readonly sma: Decimal
  readonly figures: MarginFigures
  readonly rates: { readonly longPercent: Decimal; readonly shortPercent: Decimal }
}
function cents(most: number) {
  return fc.bigInt({ min: 0n, max: BigInt(most) }).map((value) => value * CENT)
}
const accounts: fc.Arbitrary<Account> = fc
  .record({
    held: fc.oneof(cents(10_000_000), cents(500_000)),
    cash: fc.oneof(cents(5_000_000), cents(300_000)).chain((amount) => fc.constantFrom(amount, -amount)),
    more: fc.oneof(fc.constant(ZERO), cents(2_000_000)),
    rate: fc.constantFrom('25', '30', '33.3', '50', '100'),
  })
  .map(({ held, cash, more, rate }) => {
    const rates = { longPercent: decimal(rate), shortPercent: decimal('30') }
    const figures = marginFigures({ marginCash: cash, positions: [shareAt(held)], rates })
    return { held, figures, rates, sma: max(ZERO, figures.regTExcess) + more }
  })

describe('buying power by class', () => {
  test('can be spent in full without a call', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        for (const power of buyingPowers(account.sma, account.figures, today)) {
          const before = account.figures.maintenanceCall
          if (power.amount === ZERO) continue
          const { fed, maintenance } = callsAfter(account, power, power.amount)
          assert.equal(before, ZERO)
          assert.equal(renderDecimal(fed), '0', power.securityClass)
          assert.equal(renderDecimal(maintenance), '0', power.securityClass)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('causes a call if a cent more of requirement is spent', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        for (const power of buyingPowers(account.sma, account.figures, today)) {
          // The least cost whose requirement is a cent higher at either percentage.
          const least =
            power.initialPercent < power.maintenancePercent ? power.initialPercent : power.maintenancePercent
          const more = power.amount + multiplyDivide(CENT * 2n, FULL_PERCENT, least, 2)
          const { fed, maintenance } = callsAfter(account, power, more)
          assert.ok(fed + maintenance > ZERO, `${power.securityClass} ${renderDecimal(power.amount)}`)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('has a row for each class with its percentages', () => {
    const figures = marginFigures({
      marginCash: decimal('-10000'),
      positions: [shareAt(decimal('50000'))],
      rates: { longPercent: decimal('30'), shortPercent: decimal('30') },
    })
    // Equity 40,000; Regulation T excess 15,000; maintenance excess 25,000.
    const rows = buyingPowers(decimal('15000'), figures, today).map(
      ({ securityClass, initialPercent, maintenancePercent, amount }) =>
        [
          securityClass,
          ...[initialPercent, maintenancePercent, amount].map((one) => renderDecimal(one)),
        ].join(' '),
    )
    assert.deepEqual(rows, [
      'MarginSecurity 50 30 30000',
      'NonMargin 100 100 15000',
      'MutualFund 100 100 15000',
      'Option 100 100 15000',
      'Treasury 6 6 250000',
      'Agency 6 6 250000',
      'HighlyRatedSovereign 6 6 250000',
      'Municipal 7 7 214285.71',
      'InvestmentGrade 10 10 150000',
      'OtherDebt 20 20 75000',
    ])
    assert.equal(buyingPowerOf(decimal('15000'), figures), decimal('30000'))
  })

  test('is the cash of an account with less than 2,000 of equity', () => {
    const account = (equity: string, ownCash: string) => ({
      equity: decimal(equity),
      ownCash: decimal(ownCash),
      longPercent: decimal('25'),
      maintenanceExcess: decimal('5000'),
    })
    const sma = decimal('4000')
    const at = { initial: decimal('50'), maintenance: decimal('25') }
    assert.equal(buyingPowerAt(sma, account('2000', '500'), at), decimal('8000'))
    assert.equal(buyingPowerAt(sma, account('1999.99', '500'), at), decimal('500'))
    assert.equal(buyingPowerAt(sma, account('1999.99', '-500'), at), ZERO)
    assert.equal(buyingPowerAt(sma, account('1999.99', '9000'), at), multiply(sma, decimal('2'), 2))
  })
})
