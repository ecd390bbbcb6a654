import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  abs,
  type Decimal,
  decimal,
  max,
  multiply,
  ONE,
  renderDecimal,
  roundTo,
  ZERO,
} from '../../decimal.ts'
import type { OptionContract } from '../security-kind.ts'
import { publishedCase } from '../test-published-case.ts'
import { percentOf } from '../valuation/line-value.ts'
import { buyingPowerOf } from './buying-power.ts'
import { dayTradeCall, dayTradingBuyingPower } from './day-trading.ts'
import { type MarginFigures, marginFigures } from './figures.ts'
import { offsetsOf } from './offsets/index.ts'
import oracles from './oracles.json' with { type: 'json' }
import { FINRA_RATES, type MarginPosition } from './position.ts'
import { shortInitial, shortMaintenance } from './stock-requirement.ts'

type Texts = Record<string, string>
const noStock = { initial: ZERO, law: ZERO, house: ZERO }

/** A published number and the computed number, compared at the published places. */
function assertPrinted(ours: Decimal, printed: string | undefined, what: string): void {
  assert.ok(printed !== undefined, what)
  const places = Math.min(2, printed.split('.')[1]?.length ?? 0)
  assert.equal(renderDecimal(roundTo(ours, places)), renderDecimal(roundTo(decimal(printed), places)), what)
}

function stock(quantity: Decimal, price: Decimal): MarginPosition {
  return {
    secNo: '1',
    symbol: 'ABC',
    description: 'ABC CORP',
    kind: 'Equity',
    quantity,
    unitQuantity: quantity,
    price,
    marketValue: multiply(quantity, price, 2),
    multiplier: ONE,
    marginable: true,
  }
}

function percent(fraction: string) {
  return decimal(fraction) * 100n
}
function houseRates(longPercent: Decimal) {
  return { longPercent, shortPercent: FINRA_RATES.shortPercent }
}

/** Stock worth `value` (100 shares of it) against a debit. */
function longAccount(value: Decimal, debit: Decimal, housePercent = FINRA_RATES.longPercent): MarginFigures {
  return marginFigures({
    marginCash: -debit,
    positions: [stock(decimal('100'), value / 100n)],
    rates: houseRates(housePercent),
  })
}

function assertLongAccount(figures: MarginFigures, expected: Texts, id: string): void {
  const excess = max(ZERO, figures.regTExcess)
  const ours: Record<string, Decimal> = {
    equity: figures.equity,
    equityPct: figures.equityPercentage,
    regT: figures.regTRequirement,
    excess,
    buyingPower: buyingPowerOf(excess, figures),
    restrictedBy: figures.restrictedBy,
    maint: figures.maintenanceRequirement,
    maintCall: figures.maintenanceCall,
    DR: figures.debitBalance,
  }
  for (const [name, printed] of Object.entries(expected)) {
    assertPrinted(ours[name] ?? assert.fail(name), printed, `${id} ${name}`)
  }
}

describe('long margin accounts', () => {
  const fromBalances = [
    ...['MGN-OEP-LONG-20000', 'MGN-OEP-LONG-24000', 'MGN-OEP-LONG-16000', 'MGN-CRACKSIE-221'],
    ...['MGN-EXAMPASS', 'MGN-ACE'],
  ]
  for (const id of fromBalances) {
    const { topic, given, expected } = publishedCase<{ LMV: string; DR: string }, Texts>(oracles, id)
    test(`${topic}: stock of ${given.LMV}, debit of ${given.DR} (${id})`, () => {
      assertLongAccount(longAccount(decimal(given.LMV), decimal(given.DR)), expected, id)
    })
  }

  for (const id of ['MGN-TAMER', 'MGN-DUMMIES-DUD', 'MGN-FREEDICT']) {
    const { topic, given, expected } = publishedCase<Texts, Texts>(oracles, id)
    test(`${topic}: ${given.qty} bought at ${given.buy} on 50%, now at ${given.now} (${id})`, () => {
      const quantity = decimal(given.qty ?? '')
      const debit = multiply(quantity, decimal(given.buy ?? ''), 2) / 2n
      const figures = longAccount(
        multiply(quantity, decimal(given.now ?? ''), 2),
        debit,
        given.house === undefined ? undefined : percent(given.house),
      )
      assertLongAccount(figures, expected, id)
      if (id === 'MGN-FREEDICT') assert.equal(renderDecimal(figures.maintenanceCall), '100')
    })
  }

  test('the house may require more than 25%: 40% of 12,000 causes a call of 800 (MGN-SEC-BULLETIN)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-SEC-BULLETIN')
    const value = decimal(given.LMV ?? '')
    const debit = decimal(given.DR ?? '')
    const at40 = longAccount(value, debit, decimal('40'))
    assertPrinted(at40.equity, expected.equity, 'equity')
    assertPrinted(at40.maintenanceCall, expected.call40, 'call at 40%')
    assertPrinted(at40.maintenanceRequirement, expected.req40, 'requirement at 40%')
    assertPrinted(at40.finraRequirement, expected.req25, 'FINRA requirement')
    assertPrinted(longAccount(value, debit).maintenanceRequirement, expected.req25, 'requirement at 25%')
  })

  test('a broker with a house rate of 30% reports the whole account (MGN-ALPACA-NOW, to the cent)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-ALPACA-NOW')
    const cents = (text: string | undefined) =>
      roundTo(decimal((text ?? '').replace(/(\.\d{10})\d+$/, '$1')), 2)
    const figures = marginFigures({
      marginCash: decimal(given.cash ?? ''),
      positions: [stock(ONE, cents(given.longMarketValue))],
      rates: houseRates(decimal('30')),
    })
    assert.equal(figures.equity, cents(expected.equity))
    assert.equal(figures.regTRequirement, cents(expected.initialMargin))
    assert.equal(figures.maintenanceRequirement, cents(expected.maintenanceMargin))
    assert.equal(buyingPowerOf(figures.regTExcess, figures), cents(expected.regtBuyingPower))
  })

  test('borrowing doubles the return: 5,000 of cash and 5,000 borrowed, sold for 11,000 (MGN-FIDELITY-LEVERAGE)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-FIDELITY-LEVERAGE')
    const own = decimal(given.cash ?? '')
    const sold = decimal(given.sold ?? '')
    const gain = longAccount(sold, decimal(given.borrowed ?? '')).equity - own
    assertPrinted(gain, expected.gain, 'gain')
    assertPrinted(percentOf(gain, own), expected.returnMargin, 'with margin')
    assertPrinted(percentOf(sold - 2n * own, 2n * own), expected.returnCash, 'with cash')
  })

  for (const id of ['MGN-OEP-TRIGGER', 'MGN-STUDYSTACK-LONG']) {
    test(`a debit has a 25% call below the published market value (${id})`, () => {
      const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
      const debit = decimal(given.DR ?? '')
      const value = decimal(expected.triggerLMV ?? '')
      const { equity, maintenanceCall } = longAccount(value + ONE, debit)
      assert.equal(maintenanceCall, ZERO)
      assert.ok(longAccount(value - ONE, debit).maintenanceCall > ZERO)
      if (expected.equityAtTrigger) assertPrinted(equity - ONE, expected.equityAtTrigger, 'equity')
    })
  }
})

describe('short margin accounts', () => {
  test('a short sale of 5,000 requires 2,500 (MGN-DUMMIES-SHORT)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-DUMMIES-SHORT')
    const value = decimal(given.shortValue ?? '')
    assertPrinted(
      shortInitial({ unitQuantity: decimal('100'), price: value / 100n, marketValue: value }),
      expected.deposit,
      'deposit',
    )
  })

  test('the credit after a short sale is 150% of it (MGN-PASSTHE7, MGN-INVESTOPEDIA-SHORT)', () => {
    const { given, expected } = publishedCase<{ shorts: [string, string][] }, { credits: string[] }>(
      oracles,
      'MGN-PASSTHE7',
    )
    given.shorts.forEach(([quantity, price], index) => {
      const proceeds = multiply(decimal(quantity), decimal(price), 2)
      const deposit = shortInitial({
        unitQuantity: decimal(quantity),
        price: decimal(price),
        marketValue: proceeds,
      })
      assertPrinted(proceeds + deposit, expected.credits[index], `${quantity} at ${price}`)
    })
    const other = publishedCase<Texts, Texts>(oracles, 'MGN-INVESTOPEDIA-SHORT')
    const quantity = decimal(other.given.qty ?? '')
    const price = decimal(other.given.price ?? '')
    const proceeds = multiply(quantity, price, 2)
    const deposit = shortInitial({ unitQuantity: quantity, price, marketValue: proceeds })
    assertPrinted(proceeds, other.expected.proceeds, 'proceeds')
    assertPrinted(deposit, other.expected.deposit, 'deposit')
    assertPrinted(proceeds + deposit, other.expected.credit, 'credit')
  })

  test('equity of 15,000 with a credit of 28,000 is a short of 13,000, which requires 3,900 (MGN-S7CLASS-2)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-S7CLASS-2')
    const value = decimal(expected.SMV ?? '')
    const figures = marginFigures({
      marginCash: decimal(given.CR ?? ''),
      positions: [stock(decimal('-100'), value / 100n)],
    })
    assertPrinted(figures.equity, given.equity, 'equity')
    assertPrinted(-figures.shortMarketValue, expected.SMV, 'short market value')
    assertPrinted(figures.maintenanceRequirement, expected.maint, 'maintenance')
  })

  /** The maintenance call of a short of 100 shares at a price against a credit. */
  const shortCall = (credit: Decimal, price: Decimal, shortPercent: Decimal) =>
    marginFigures({
      marginCash: credit,
      positions: [stock(decimal('-100'), price)],
      rates: { longPercent: FINRA_RATES.longPercent, shortPercent },
    }).maintenanceCall

  test('a credit has a 30% call above the published market value (MGN-FSR-TRIGGER)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-FSR-TRIGGER')
    const credit = decimal(given.CR ?? '')
    const price = decimal(expected.triggerSMV ?? '') / 100n
    assert.equal(shortCall(credit, price, decimal('30')), ZERO)
    assert.ok(shortCall(credit, price + decimal('0.01'), decimal('30')) > ZERO)
  })

  for (const id of ['MGN-ANALYST-SHORT1', 'MGN-ANALYST-SHORT2']) {
    test(`a stock sold short has a call at the published price (${id})`, () => {
      const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
      const credit = multiply(decimal(given.price ?? ''), ONE + decimal(given.initial ?? ''), 2) * 100n
      const price = decimal(expected.trigger ?? '')
      const cent = decimal('0.01')
      assert.equal(shortCall(credit, price - cent, percent(given.maint ?? '')), ZERO)
      assert.ok(shortCall(credit, price + cent, percent(given.maint ?? '')) > ZERO)
    })
  }

  for (const id of ['MGN-4210-SHORT-MAINT-1', 'MGN-4210-SHORT-MAINT-2']) {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
    test(`${given.qty} at ${given.price} require ${expected.maint} of maintenance (${id})`, () => {
      const quantity = decimal(given.qty ?? '')
      const price = decimal(given.price ?? '')
      const needed = shortMaintenance(stock(quantity, price), FINRA_RATES.shortPercent)
      assertPrinted(needed, expected.maint, 'maintenance')
    })
  }

  for (const id of ['MGN-4210-SHORT-INIT-1', 'MGN-4210-SHORT-INIT-2']) {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, id)
    test(`${given.qty} sold short at ${given.price} require an initial ${expected.deposit} (${id})`, () => {
      const quantity = decimal(given.qty ?? '')
      const price = decimal(given.price ?? '')
      const position = stock(quantity, price)
      const deposit = shortInitial({ unitQuantity: quantity, price, marketValue: position.marketValue })
      assertPrinted(deposit, expected.deposit, 'deposit')
      assertPrinted(abs(position.marketValue), expected.proceeds, 'proceeds')
      const figures = marginFigures({
        marginCash: abs(position.marketValue) + deposit,
        positions: [position],
      })
      assertPrinted(figures.equity, expected.equity, 'equity')
      assert.equal(figures.regTExcess, ZERO)
    })
  }
})

describe('day trading', () => {
  test('buying power is twice the maintenance excess in January 2001, and four times later (MGN-SI-DTBP, by date)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-SI-DTBP')
    const value = decimal(given.LMV ?? '')
    const debit = decimal(given.DR ?? '')
    const power = (date: string, maintenancePercent: Decimal) => {
      const figures = longAccount(value, debit, maintenancePercent)
      const { maintenanceExcess, equity } = figures
      return dayTradingBuyingPower({
        date,
        maintenanceExcess,
        equity,
        maintenancePercent,
        patternDayTrader: true,
        ownFunds: ZERO,
      })
    }
    const at25 = longAccount(value, debit)
    assertPrinted(at25.equity, expected.equity, 'equity')
    assertPrinted(at25.maintenanceRequirement, expected.maint25, 'maintenance')
    assertPrinted(at25.maintenanceExcess, expected.maintExcess, 'excess')
    assertPrinted(longAccount(value, debit, decimal('30')).maintenanceExcess, expected.maintExcess30, '30%')
    assertPrinted(power('2001-01-11', decimal('25')), expected.dtbp2x, 'twice')
    assertPrinted(power('2001-01-11', decimal('30')), expected.dtbp2x30, 'twice at 30%')
    assertPrinted(power('2001-09-28', decimal('25')), '100000', 'four times')
    assertPrinted(power('2026-06-03', decimal('25')), '100000', 'the last day of the rule')
    assertPrinted(
      power('2026-06-04', decimal('25')),
      '100000',
      'the purchases that the margin level carries at 25%',
    )
  })

  test('day trades of 7,500 with 3,000 at the start have a call of 4,500 (MGN-OPTIONSHOUSE-DTCALL)', () => {
    const { given, expected } = publishedCase<Texts, Texts>(oracles, 'MGN-OPTIONSHOUSE-DTCALL')
    const call = dayTradeCall(decimal(given.startDTBP ?? ''), decimal(given.dayTradeCost ?? ''))
    assertPrinted(call, expected.call, 'call')
  })
})

function option(
  [right, strike, price]: readonly [right: string, strike: string, price: string],
  underlying: string | undefined,
  contracts: string,
  index = false,
): MarginPosition {
  const contract: OptionContract = {
    putCall: right === 'C' ? 'Call' : 'Put',
    strike: decimal(strike),
    expiration: '2026-12-18',
    underlying: 'XYZ',
  }
  const quantity = decimal(contracts)
  const unitQuantity = quantity * 100n
  return {
    secNo: `${right}${strike}`,
    symbol: `XYZ ${right}${strike}`,
    description: '',
    kind: index ? 'IndexOption' : 'Option',
    quantity,
    unitQuantity,
    price: decimal(price),
    marketValue: multiply(unitQuantity, decimal(price), 2),
    multiplier: decimal('100'),
    marginable: false,
    option: contract,
    underlyingPrice: underlying === undefined ? undefined : decimal(underlying),
  }
}

interface WrittenOption {
  right: string
  strike: string
  optionPrice: string
  underlying: string
  contracts: string
  index?: boolean
}

/** The numbers of the cases with a live value of a broker. */
const BROKER_VALUES = [1, 2, 4, 5, 6, 7, 9, 10]

describe('written options', () => {
  for (const id of ['MGN-OPT-CBOE-2', 'MGN-OPT-CBOE-3', 'MGN-OPT-CBOE-5', 'MGN-OPT-EDELTA-PUT']) {
    const { given, expected } = publishedCase<WrittenOption, Texts>(oracles, id)
    test(`${given.contracts} ${given.right}${given.strike} at ${given.optionPrice}, uncovered (${id})`, () => {
      const position = option(
        [given.right, given.strike, given.optionPrice],
        given.underlying,
        given.contracts,
      )
      const result = offsetsOf([position], () => noStock).house.options.get(position) ?? assert.fail()
      assertPrinted(result.requirement, expected.maint ?? expected.requirement, 'requirement')
      if (expected.proceeds === undefined) return
      assertPrinted(-position.marketValue, expected.proceeds, 'proceeds')
      assertPrinted(result.requirement + position.marketValue, expected.call, 'call')
      const figures = marginFigures({ marginCash: -position.marketValue, positions: [position] })
      assertPrinted(figures.maintenanceCall, expected.call, 'call of an account with the proceeds alone')
    })
  }

  for (const number of BROKER_VALUES) {
    const id = `MGN-OPT-IB-${number}`
    const { given, expected } = publishedCase<WrittenOption, Texts>(oracles, id)
    test(`${given.right}${given.strike} at ${given.optionPrice} is within 1.5% of the live value of a broker (${id})`, () => {
      const position = option(
        [given.right, given.strike, given.optionPrice],
        given.underlying,
        given.contracts,
        given.index === true,
      )
      const { requirement } =
        offsetsOf([position], () => noStock).house.options.get(position) ?? assert.fail()
      const live = decimal(expected.maint ?? '')
      assert.ok(abs(requirement - live) * 1000n <= live * 15n, renderDecimal(requirement))
    })
  }

  test('a credit put spread requires its width and the long option in full (MGN-OPT-EDELTA-SPREAD)', () => {
    const { given, expected } = publishedCase<Record<'short' | 'long', [string, string, string]>, Texts>(
      oracles,
      'MGN-OPT-EDELTA-SPREAD',
    )
    const short = option(given.short, '122', '-1')
    const long = option(given.long, '122', '1')
    const proceeds = -short.marketValue
    const figures = marginFigures({ marginCash: proceeds - long.marketValue, positions: [short, long] })
    const required = figures.requirements.reduce((total, line) => total + line.houseRequirement, ZERO)
    assertPrinted(required, expected.requirement, 'requirement')
    assertPrinted(proceeds, expected.proceeds, 'proceeds')
    assertPrinted(figures.maintenanceCall, expected.call, 'call')
  })
})

test('every published margin case of the file has a row above', async () => {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL(import.meta.url), 'utf8')
  const written = (id: string) =>
    text.includes(id) || BROKER_VALUES.some((number) => id === `MGN-OPT-IB-${number}`)
  assert.deepEqual(
    oracles.cases.map(({ id }) => id).filter((id) => !written(id)),
    [],
  )
})
