// What spreads of index options hold back from the cash of a cash account (12 CFR 220.2, Covered option transaction),
// with prices of SPX from Cboe, "Margin Requirement Examples for Sample Options-based Positions" (2007-02-23).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import type { AcctTypeCode } from './record.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, valueSample } from './sample-positions.ts'
import { summarizeAccount } from './summarize.ts'

interface Held {
  readonly quantity: string
  readonly secNo: string
  readonly acctTypeCode: AcctTypeCode
  readonly heldAway: boolean
}

/** `-1 call 1460 2007-04-21 SPX`, or units of a money-market fund. */
function held(text: string, acctTypeCode: AcctTypeCode = 1, heldAway = false): Held {
  const [quantity = '', ...terms] = text.split(' ')
  return { quantity, secNo: terms.join(' '), acctTypeCode, heldAway }
}

function securityOf(secNo: string) {
  const [side, strike = '', expiration = '2027-04-16', underlying = 'SPX'] = secNo.split(' ')
  if (side === 'share') return aSecurity({ secNo })
  if (side === 'bill') return aSecurity({ secNo, kind: 'Treasury', priceDivisor: decimal('100') })
  if (side === 'fund') return aSecurity({ secNo, kind: 'Fund', moneyMarket: true })
  const option = { putCall: side === 'put' ? ('Put' as const) : ('Call' as const), strike: decimal(strike) }
  return aSecurity({
    secNo,
    kind: 'IndexOption',
    multiplier: decimal('100'),
    option: { ...option, expiration, underlying },
  })
}

/** `freeCash`, `fundsAvailable` and `buyingPower`. */
function available(cash: string, positions: readonly Held[], maySpread = true): string[] {
  const numbers = [...new Set(positions.map(({ secNo }) => secNo))]
  const settled = decimal(cash)
  const { summary } = summarizeAccount({
    acctNo: '30100001',
    now: SAMPLE_NOW,
    lines: valueSample(
      positions.map(({ quantity, secNo, ...more }) => aLot(secNo, quantity, quantity, more)),
      numbers.map(securityOf),
      Object.fromEntries(numbers.map((secNo) => [secNo, aPrice('1')])),
    ),
    cash: [
      {
        ...{ acctTypeCode: 1, currency: 'USD', tradeDate: settled, settled },
        ...{ pendingDebits: ZERO, pendingSales: ZERO, pendingShortSales: ZERO },
      },
    ],
    fxRates: new Map([['USD', ONE]]),
    margin: null,
    marginInterestAccrued: ZERO,
    maySpread,
  })
  return [summary.freeCash, summary.fundsAvailable, summary.buyingPower].map((one) => renderDecimal(one, 2))
}

function same(amount: string): string[] {
  return [amount, amount, amount]
}

describe('a spread of the cash account holds back its amount at risk', () => {
  const rows: [what: string, cash: string, positions: string[], free: string][] = [
    ['a call spread of 40 points', '6570', ['1 call 1500', '-1 call 1460'], '2570.00'],
    ['a call spread of 3,540 points', '357161', ['1 call 5000', '-1 call 1460'], '3161.00'],
    ['a call spread of 3,540 points beside too little cash', '3161', ['1 call 5000', '-1 call 1460'], '0.00'],
    ['a put spread of 1,360 points', '139250', ['1 put 100', '-1 put 1460'], '3250.00'],
    ['a debit spread', '100', ['1 call 1460', '-1 call 1500'], '100.00'],
    ['an iron condor', '4100', ['1 call 1540', '-1 call 1500', '-1 put 1400', '1 put 1360'], '100.00'],
    ['two spreads', '8100', ['2 call 1500', '-2 call 1460'], '100.00'],
    ['a written put alone', '146100', ['-1 put 1460'], '100.00'],
    ['a put spread and a second written put', '152100', ['1 put 1400', '-2 put 1460'], '100.00'],
    ['a long put that expires a day later', '146100', ['1 put 1400 2027-04-17', '-1 put 1460'], '100.00'],
    ['a long put on another index', '146100', ['1 put 1400 2027-04-16 NDX', '-1 put 1460'], '100.00'],
    [
      'American-style options',
      '146100',
      ['1 put 1400 2027-04-16 OEX', '-1 put 1460 2027-04-16 OEX'],
      '100.00',
    ],
    ['long options alone', '100', ['1 put 1400', '1 call 1500'], '100.00'],
  ]
  for (const [what, cash, positions, free] of rows) {
    test(`${what}: ${free} of ${cash} is free`, () => {
      assert.deepEqual(
        available(
          cash,
          positions.map((text) => held(text)),
        ),
        same(free),
      )
    })
  }

  test('and the whole exercise price of the put where the option level allows no spread', () => {
    const spread = [held('1 put 1400'), held('-1 put 1460')]
    assert.deepEqual(available('146100', spread, false), same('100.00'))
    assert.deepEqual(available('6100', spread), same('100.00'))
  })
  test('and a long put in another account type or custody does not limit the risk', () => {
    assert.deepEqual(available('146100', [held('1 put 1400', 2), held('-1 put 1460')]), same('100.00'))
    assert.deepEqual(available('146100', [held('1 put 1400', 1, true), held('-1 put 1460')]), same('100.00'))
  })
  test('and a security of the United States secures written options, but nothing else', () => {
    // 1 in percent of face.
    assert.deepEqual(available('146100', [held('-1 put 1460'), held('400000 bill')]), same('4100.00'))
    assert.deepEqual(
      available('100', [held('1 call 1500'), held('-1 call 1460'), held('500000 bill')]),
      same('100.00'),
    )
    assert.deepEqual(available('100', [held('-50 share'), held('500000 bill')]), same('50.00'))
    assert.deepEqual(available('146100', [held('-1 put 1460'), held('400000 bill', 1, true)]), same('100.00'))
  })
  test('and money-market funds pay what the cash does not', () => {
    const spread = [held('1 call 1500'), held('-1 call 1460')]
    assert.deepEqual(available('1000', [...spread, held('3100 fund')]), ['0.00', '100.00', '100.00'])
    assert.deepEqual(available('1000', [...spread, held('2900 fund')]), ['0.00', '0.00', '0.00'])
    assert.deepEqual(available('4100', [...spread, held('500 fund')]), ['100.00', '600.00', '600.00'])
  })
})
