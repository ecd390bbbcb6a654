/** The call for 2,000 of equity after written options and withdrawals (FINRA Rule 4210(b)). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { EMPTY_LEDGER, type MarginEvent, postMarginEvents, requireEquity } from './ledger.ts'

const before = '2026-10-30'
const day = '2026-11-02'

/** Amounts below 0 leave the account. */
function cash(amount: string, date = day): MarginEvent {
  return amount.startsWith('-')
    ? { kind: 'Withdrawal', date, amount: decimal(amount.slice(1)) }
    : { kind: 'Deposit', date, amount: decimal(amount) }
}
function writing(amount: string, date = day): MarginEvent {
  return { kind: 'Writing', date, amount: decimal(amount) }
}
function purchase(amount: string, date = day): MarginEvent {
  return { kind: 'Purchase', date, amount: decimal(amount), requirement: decimal(amount) / 2n }
}

type Standing = readonly [equity: string, debit: string, hasShort: boolean]

function callsOf(events: readonly MarginEvent[], [equity, debit, hasShort]: Standing, sma = '10000') {
  const ledger = { ...EMPTY_LEDGER, sma: decimal(sma) }
  const standing = {
    ...{ equityOn: () => decimal(equity), debit: decimal(debit), hasShort },
    restrictedBy: decimal('0'),
  }
  const { calls } = requireEquity(ledger, events, standing)
  return calls.map(({ openedOn, outstanding }) => `${openedOn} ${renderDecimal(outstanding, 2)}`)
}

describe('written options', () => {
  const table: [string, MarginEvent[], Standing, string[]][] = [
    ['leave 2,000', [writing('500')], ['2000', '0', true], []],
    ['are called for the cent that is lacking', [writing('500')], ['1999.99', '0', true], [`${day} 0.01`]],
    ['are called for more than they require', [writing('500')], ['700', '0', true], [`${day} 1300.00`]],
    [
      'are called for beside a purchase',
      [purchase('10'), writing('1')],
      ['1000', '0', true],
      [`${day} 1000.00`],
    ],
    [
      'that are covered or closed require none',
      [{ ...writing('500'), kind: 'Release' }],
      ['700', '0', true],
      [],
    ],
  ]
  for (const [what, events, standing, calls] of table)
    test(what, () => assert.deepEqual(callsOf(events, standing), calls))

  test('are called for once if the SMA does not cover them', () => {
    assert.deepEqual(callsOf([writing('500')], ['700', '0', true], '100'), [`${day} 1300.00`])
    assert.deepEqual(callsOf([writing('5000')], ['700', '0', true], '100'), [`${day} 4900.00`])
  })
})

describe('a withdrawal', () => {
  const table: [string, MarginEvent[], Standing, string[]][] = [
    ['leaves 2,000 beside a debit', [cash('-1200')], ['2000', '5200', false], []],
    ['is called for the cent that is lacking', [cash('-1200')], ['1999.99', '5200', false], [`${day} 0.01`]],
    ['is called for what is lacking', [cash('-1200')], ['1800', '5200', false], [`${day} 200.00`]],
    ['is called for no more than it took', [cash('-100')], ['500', '5200', false], [`${day} 100.00`]],
    ['is called for no more than the debit', [cash('-1200')], ['1800', '150', false], [`${day} 150.00`]],
    ['of own cash is not called for', [cash('-1200')], ['300', '0', false], []],
    [
      'of own cash is called for beside a short position',
      [cash('-1200')],
      ['1300', '0', true],
      [`${day} 700.00`],
    ],
    [
      'that a deposit of the day pays is not called for',
      [cash('-50'), cash('50')],
      ['500', '5200', false],
      [],
    ],
    [
      'is called for less such a deposit',
      [cash('-90'), cash('50')],
      ['500', '5200', false],
      [`${day} 40.00`],
    ],
    [
      'is called for with a purchase',
      [cash('-90'), purchase('60')],
      ['500', '5200', false],
      [`${day} 150.00`],
    ],
    [
      'is called for on its own day',
      [cash('-90', before), purchase('60')],
      ['500', '5200', false],
      [`${before} 90.00`, `${day} 60.00`],
    ],
    [
      'by the cancel of a line takes nothing out',
      [{ kind: 'Withdrawal', date: day, amount: decimal('90'), isCancel: true }],
      ['500', '5200', false],
      [],
    ],
  ]
  for (const [what, events, standing, calls] of table)
    test(what, () => assert.deepEqual(callsOf(events, standing), calls))

  test('adds to the calls that are open', () => {
    const open = postMarginEvents(EMPTY_LEDGER, [purchase('1000', before)])
    const standing = {
      ...{ equityOn: () => decimal('1200'), debit: decimal('5000'), hasShort: false },
      restrictedBy: decimal('0'),
    }
    const { calls } = requireEquity({ ...open, sma: decimal('9000') }, [cash('-300')], standing)
    assert.deepEqual(
      calls.map(({ openedOn, outstanding }) => `${openedOn} ${renderDecimal(outstanding, 2)}`),
      [`${before} 500.00`, `${day} 300.00`],
    )
  })
})
