import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, decimal, renderDecimal, ZERO } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { buyingPowerOf } from './buying-power.ts'
import { type MarginFigures, marginFigures } from './figures.ts'
import {
  closeMarginDay,
  EMPTY_LEDGER,
  type MarginEvent,
  type MarginLedger,
  postMarginEvents,
  requireEquity,
} from './ledger.ts'
import { marginStanding, openCalls } from './standing.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}
const day = '2026-11-02'

function deposit(amount: string, date = day): MarginEvent {
  return {
    kind: 'Deposit',
    date,
    amount: decimal(amount),
  }
}
function withdrawal(amount: string): MarginEvent {
  return {
    kind: 'Withdrawal',
    date: day,
    amount: decimal(amount),
  }
}
/** A marginable purchase, of which half is required. */
function purchase(amount: string, date = day): MarginEvent {
  return {
    kind: 'Purchase',
    date,
    amount: decimal(amount),
    requirement: decimal(amount) / 2n,
  }
}
function shortSale(amount: string): MarginEvent {
  return {
    kind: 'ShortSale',
    date: day,
    amount: decimal(amount),
    requirement: decimal(amount) / 2n,
  }
}
function sale(amount: string, date = day): MarginEvent {
  return {
    kind: 'Release',
    date,
    amount: decimal(amount) / 2n,
  }
}
function dividend(amount: string): MarginEvent {
  return { kind: 'Dividend', date: day, amount: decimal(amount) }
}

function outstanding(ledger: MarginLedger) {
  return ledger.calls.map((call) => money(call.outstanding))
}

describe('SMA and Regulation T calls', () => {
  const table: [string, MarginEvent[], string, string[]][] = [
    ['a deposit raises SMA', [deposit('10000')], '10000.00', []],
    ['a dividend raises SMA', [deposit('10000'), dividend('50')], '10050.00', []],
    ['a purchase uses half of its cost', [deposit('10000'), purchase('12000')], '4000.00', []],
    ['10,000 buy 20,000', [deposit('10000'), purchase('20000')], '0.00', []],
    [
      'the amount that SMA does not cover is called',
      [deposit('10000'), purchase('30000')],
      '0.00',
      ['5000.00'],
    ],
    ['a purchase without SMA is called for half', [purchase('10000')], '0.00', ['5000.00']],
    ['purchases of one day have one call', [purchase('10000'), purchase('4000')], '0.00', ['7000.00']],
    [
      'purchases of two days have two calls',
      [purchase('10000'), purchase('4000', '2026-11-03')],
      '0.00',
      ['5000.00', '2000.00'],
    ],
    ['a deposit meets the call', [purchase('10000'), deposit('5000')], '0.00', []],
    ['a smaller deposit meets a part of the call', [purchase('10000'), deposit('1200')], '0.00', ['3800.00']],
    ['the rest of a deposit raises SMA', [purchase('10000'), deposit('6000')], '1000.00', []],
    [
      'the oldest call is met first',
      [purchase('10000'), purchase('4000', '2026-11-03'), deposit('6000', '2026-11-04')],
      '0.00',
      ['1000.00'],
    ],
    [
      'a late purchase of a day with a call raises that call',
      [purchase('10000'), purchase('4000', '2026-11-03'), purchase('2000')],
      '0.00',
      ['6000.00', '2000.00'],
    ],
    [
      'the call of a late purchase is met before those of later days',
      [purchase('4000', '2026-11-03'), purchase('10000'), deposit('1000', '2026-11-04')],
      '0.00',
      ['4000.00', '2000.00'],
    ],
    ['a sale releases half', [deposit('10000'), purchase('20000'), sale('8000')], '4000.00', []],
    ['a sale meets a call with half of it', [purchase('10000'), sale('4000')], '0.00', ['3000.00']],
    ['a withdrawal lowers SMA', [deposit('10000'), withdrawal('3000')], '7000.00', []],
    ['a withdrawal beyond SMA is called for', [deposit('1000'), withdrawal('3000')], '0.00', ['2000.00']],
    [
      'what is transferred never lowers SMA below zero',
      [deposit('1000'), { kind: 'Decrease', date: day, amount: decimal('3000') }],
      '0.00',
      [],
    ],
  ]
  for (const [why, events, sma, calls] of table) {
    test(`${why}: SMA ${sma}, calls ${calls.join(' and ') || 'none'}`, () => {
      const ledger = postMarginEvents(EMPTY_LEDGER, events)
      assert.equal(money(ledger.sma), sma)
      assert.deepEqual(outstanding(ledger), calls)
    })
  }

  test('SMA rises with the market at the close of a day and does not fall with it', () => {
    const close = (ledger: MarginLedger, excess: string) =>
      closeMarginDay(ledger, day, { regTExcess: decimal(excess), maintenanceCall: ZERO })
    const opened = postMarginEvents(EMPTY_LEDGER, [deposit('10000'), purchase('20000')])
    const risen = close(opened, '2500')
    assert.equal(money(risen.sma), '2500.00')
    assert.equal(money(close(risen, '-4000').sma), '2500.00')
    assert.equal(money(close(risen, '1000').sma), '2500.00')
  })

  test('a maintenance call keeps its day until a close finds it met', () => {
    const close = (ledger: MarginLedger, date: string, call: string) =>
      closeMarginDay(ledger, date, { regTExcess: ZERO, maintenanceCall: decimal(call) })
    let ledger = close(EMPTY_LEDGER, '2026-11-02', '500')
    ledger = close(ledger, '2026-11-03', '700')
    assert.deepEqual(ledger.maintenanceCall, { openedOn: '2026-11-02', amount: decimal('700') })
    ledger = close(ledger, '2026-11-04', '0')
    assert.equal(ledger.maintenanceCall, null)
    ledger = close(ledger, '2026-11-05', '100')
    assert.equal(ledger.maintenanceCall?.openedOn, '2026-11-05')
  })
})

describe('the first 2,000', () => {
  const before = '2026-10-30'
  const table: [why: string, MarginEvent[], standing: [equity: string, debit: string], calls: string[]][] = [
    ['a purchase of up to 2,000 is paid in full', [purchase('1400')], ['0', '1400'], ['1400.00']],
    ['a purchase of 3,000 requires 2,000', [purchase('3000')], ['0', '3000'], ['2000.00']],
    ['a purchase of 4,000 requires half', [purchase('4000')], ['0', '4000'], ['2000.00']],
    ['a purchase of 10,000 requires half', [purchase('10000')], ['0', '10000'], ['5000.00']],
    [
      'an account with 1,500 requires 500 more',
      [deposit('1500'), purchase('3000')],
      ['1500', '1500'],
      ['500.00'],
    ],
    [
      'an account with 500 requires the rest of 1,400',
      [deposit('500'), purchase('1400')],
      ['500', '900'],
      ['900.00'],
    ],
    ['an account with enough cash requires nothing', [deposit('500'), purchase('400')], ['500', '0'], []],
    ['a purchase never requires more than its cost', [purchase('100')], ['1500', '1600'], ['100.00']],
    ['a short sale always requires 2,000', [shortSale('1400')], ['0', '0'], ['2000.00']],
    ['a larger short sale requires half', [shortSale('5000')], ['0', '0'], ['2500.00']],
    [
      'all purchases of the day are paid in full',
      [deposit('200'), purchase('600'), purchase('600')],
      ['200', '1000'],
      ['1000.00'],
    ],
    [
      'a small purchase after a larger one takes nothing from the call',
      [deposit('750'), purchase('1500'), purchase('10')],
      ['750', '760'],
      ['760.00'],
    ],
    [
      'nor does a purchase after a short sale',
      [deposit('1000'), shortSale('100'), purchase('10')],
      ['1000', '0'],
      ['1000.00'],
    ],
    [
      'a deposit after the trade meets the call once',
      [deposit('1000'), purchase('1600'), deposit('50')],
      ['1050', '550'],
      ['550.00'],
    ],
    [
      'a withdrawal after the purchase counts as one before it',
      [deposit('5000'), purchase('10000'), withdrawal('300')],
      ['4700', '5300'],
      ['300.00'],
    ],
    [
      'a deposit after a withdrawal that exceeds the SMA counts as one before it',
      [withdrawal('300'), deposit('5000'), purchase('10000')],
      ['4700', '5300'],
      ['300.00'],
    ],
    [
      'an open call of another day covers its part',
      [purchase('1000', before), purchase('600')],
      ['0', '1600'],
      ['500.00', '600.00'],
    ],
  ]
  for (const [why, events, [equity, debit], calls] of table) {
    test(`${why}: ${calls.join(' and ') || 'no call'}`, () => {
      const hasShort = events.some(({ kind }) => kind === 'ShortSale')
      const standing = {
        ...{ equityOn: () => decimal(equity), debit: decimal(debit), hasShort },
        restrictedBy: decimal('10000'),
      }
      assert.deepEqual(outstanding(requireEquity(EMPTY_LEDGER, events, standing)), calls)
    })
  }

  for (const [restrictedBy, calls] of [
    ['0', []],
    ['0.01', ['0.01']],
    ['1999.99', ['1999.99']],
    ['2000', ['2000.00']],
    ['5000', ['2000.00']],
  ] as const)
    test(`a withdrawal beyond SMA is called for up to the deficiency of ${restrictedBy}`, () => {
      const standing = {
        equityOn: () => decimal('9000'),
        debit: ZERO,
        restrictedBy: decimal(restrictedBy),
        hasShort: true,
      }
      const events = [deposit('1000'), withdrawal('3000')]
      assert.deepEqual(outstanding(requireEquity(EMPTY_LEDGER, events, standing)), calls)
    })

  test('the call of a purchase is no part of the limit of withdrawals', () => {
    const standing = {
      equityOn: () => decimal('9000'),
      debit: ZERO,
      restrictedBy: decimal('400'),
      hasShort: true,
    }
    const events = [purchase('1000', before), withdrawal('700')]
    assert.deepEqual(outstanding(requireEquity(EMPTY_LEDGER, events, standing)), ['500.00', '400.00'])
  })

  test('a call of the day that a close has kept is not made again', () => {
    const standingWith = (debit: string) => {
      return { equityOn: () => ZERO, debit: decimal(debit), restrictedBy: ZERO, hasShort: false }
    }
    const kept = requireEquity(EMPTY_LEDGER, [purchase('600')], standingWith('600'))
    const later = requireEquity(kept, [purchase('300')], standingWith('900'))
    assert.deepEqual(outstanding(later), ['900.00'])
  })

  for (const [debit, hasShort, calls] of [
    ['3000', false, ['500.00', '1600.00']],
    ['2100', false, ['500.00', '1600.00']],
    ['2099.99', false, ['500.00', '1599.99']],
    ['500', false, ['500.00']],
    ['499.99', false, ['499.99']],
    ['0', false, []],
    ['0', true, ['500.00', '1600.00']],
  ] as const)
    test(`calls are at most a debit of ${debit}${hasShort ? ', unless something is sold short' : ''}`, () => {
      const standing = {
        equityOn: () => decimal('9000'),
        debit: decimal(debit),
        restrictedBy: ZERO,
        hasShort,
      }
      const ledger = postMarginEvents(EMPTY_LEDGER, [purchase('1000', before), purchase('3200')])
      assert.deepEqual(outstanding(requireEquity(ledger, [], standing)), calls)
    })

  const open = postMarginEvents(EMPTY_LEDGER, [purchase('10000', before)])
  const short = {
    equityOn: () => decimal('9000'),
    debit: decimal('9000'),
    restrictedBy: decimal('5000'),
    hasShort: true,
  }
  for (const [what, events, calls] of [
    ['a sale and a purchase of the same amount', [sale('4000'), purchase('4000')], [[before, '5000.00']]],
    [
      'a purchase and a smaller sale',
      [purchase('4000'), sale('3000')],
      [
        [before, '5000.00'],
        [day, '500.00'],
      ],
    ],
    ['a sale and a smaller purchase', [purchase('3000'), sale('4000')], [[before, '4500.00']]],
    ['a deposit that is withdrawn', [deposit('5000'), withdrawal('5000')], [[before, '5000.00']]],
    ['a deposit beside a purchase', [purchase('10000'), deposit('5000')], [[day, '5000.00']]],
  ] as const)
    test(`the call of an earlier day is not renewed by a day with ${what}`, () => {
      const { calls: left } = requireEquity(open, events, short)
      assert.deepEqual(
        left.map(({ openedOn, outstanding: amount }) => [openedOn, money(amount)]),
        calls,
      )
    })
})

function figuresOf(changes: Partial<MarginFigures>): MarginFigures {
  return {
    ...marginFigures({ marginCash: ZERO, positions: [] }),
    ...changes,
  }
}

describe('the standing of an account', () => {
  test('cash available is the smaller of SMA and maintenance excess, and at least zero', () => {
    const ledger: MarginLedger = { ...EMPTY_LEDGER, sma: decimal('3000') }
    const available = (maintenanceExcess: string, regTExcess = '0') =>
      money(
        marginStanding(
          figuresOf({
            equity: decimal('9000'),
            maintenanceExcess: decimal(maintenanceExcess),
            regTExcess: decimal(regTExcess),
          }),
          ledger,
        ).marginCashAvailable,
      )
    assert.equal(available('5000'), '3000.00')
    assert.equal(available('1000'), '1000.00')
    assert.equal(available('-1'), '0.00')
    assert.equal(available('5000', '4000'), '3000.00', 'the excess counts from the close on')
  })

  test('and leaves 2,000 of equity beside a debit or a short position', () => {
    const ledger: MarginLedger = { ...EMPTY_LEDGER, sma: decimal('3000') }
    const available = (equity: string, ownCash: string, ...quantities: string[]) => {
      const amounts = {
        equity: decimal(equity),
        ownCash: decimal(ownCash),
        maintenanceExcess: decimal('3000'),
      }
      const rows = quantities.map((quantity) => ({ quantity: decimal(quantity) }))
      const requirements = rows as unknown as MarginFigures['requirements']
      return money(marginStanding(figuresOf({ ...amounts, requirements }), ledger).marginCashAvailable)
    }
    assert.equal(available('4000', '-1'), '2000.00')
    assert.equal(available('1500', '-1'), '0.00')
    assert.equal(available('1500', '1200'), '1200.00')
    assert.equal(available('1500', '1200', '100', '0'), '1200.00')
    assert.equal(available('1500', '1200', '100', '-100'), '0.00')
    assert.equal(available('4500', '2600', '-100'), '2500.00')
  })

  const powers: [why: string, sma: string, excess: string, longPercent: string, power: string][] = [
    ['twice the SMA', '2500', '2000', '25', '5000.00'],
    ['four times the excess if that is less', '5000', '1000', '25', '4000.00'],
    ['the excess at the rate of the house', '5000', '1000', '30', '3333.33'],
    ['the excess at a rate of 100 percent', '5000', '1000', '100', '1000.00'],
    ['cents, half away from zero', '5000', '100.01', '32', '312.53'],
    ['zero without excess', '5000', '0', '25', '0.00'],
    ['zero in a maintenance call of 5,500', '5000', '-5500', '25', '0.00'],
    ['zero in a call of one cent', '5000', '-0.01', '25', '0.00'],
    ['zero without SMA', '0', '9000', '25', '0.00'],
    ['at least zero', '-2500', '9000', '25', '0.00'],
  ]
  for (const [why, sma, maintenanceExcess, longPercent, power] of powers) {
    test(`buying power is ${why}`, () => {
      const figures = {
        equity: decimal('9000'),
        ownCash: ZERO,
        maintenanceExcess: decimal(maintenanceExcess),
        longPercent: decimal(longPercent),
      }
      assert.equal(money(buyingPowerOf(decimal(sma), figures)), power)
    })
  }

  test('the federal call is that of the latest day with a call, and all days together are accumulated', () => {
    const ledger = postMarginEvents(EMPTY_LEDGER, [
      purchase('10000', '2026-10-30'),
      purchase('2000'),
      purchase('1000'),
    ])
    const standing = marginStanding(figuresOf({}), ledger)
    assert.equal(money(standing.fedCallAmount), '1500.00')
    assert.equal(money(standing.accumFedAmount), '6500.00')
    assert.equal(money(marginStanding(figuresOf({}), EMPTY_LEDGER).fedCallAmount), '0.00')
  })

  test('calls have their age in business days, their due date, and whether they are overdue', () => {
    const ledger: MarginLedger = {
      ...postMarginEvents(EMPTY_LEDGER, [purchase('10000', '2026-11-24')]),
      maintenanceCall: { openedOn: '2026-11-23', amount: decimal('300') },
    }
    const figures = figuresOf({ maintenanceCall: decimal('250') })
    assert.deepEqual(
      openCalls(figures, ledger, '2026-12-01').map((call) => [
        call.kind,
        call.openedOn,
        call.dueOn,
        call.ageDays,
        money(call.outstanding),
        call.overdue,
      ]),
      [
        ['Maintenance', '2026-11-23', '2026-12-15', 5, '250.00', false],
        ['Fed', '2026-11-24', '2026-11-30', 4, '5000.00', true],
      ],
    )
    assert.deepEqual(
      openCalls(figures, EMPTY_LEDGER, '2026-12-01').map((call) => [call.openedOn, call.ageDays]),
      [['2026-12-01', 0]],
    )
  })
})

const amounts = fc.bigInt({ min: 1n, max: 10n ** 8n }).map((cents) => cents * 10n ** 8n)
const events: fc.Arbitrary<MarginEvent[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom('Deposit', 'Dividend', 'Withdrawal', 'Purchase', 'ShortSale', 'Release'),
      amounts,
      fc.nat(20),
    )
    .map(([kind, amount, days]): MarginEvent => {
      const date = addDays('2026-01-05', days)
      switch (kind) {
        case 'Purchase':
        case 'ShortSale':
          return { kind, date, amount, requirement: amount / 2n }
        default:
          return { kind: kind as 'Deposit', date, amount }
      }
    }),
  { maxLength: 30 },
)
function inOrder(list: MarginEvent[]) {
  return [...list].sort((a, b) => (a.date < b.date ? -1 : 1))
}
function owed(ledger: MarginLedger) {
  return ledger.calls.reduce((sum, call) => sum + call.outstanding, ZERO)
}

describe('the ledger in general', () => {
  test('posting in two parts equals posting at once', () => {
    fc.assert(
      fc.property(events, fc.nat(30), (list, cut) => {
        const ordered = inOrder(list)
        const parts = postMarginEvents(
          postMarginEvents(EMPTY_LEDGER, ordered.slice(0, cut)),
          ordered.slice(cut),
        )
        assert.deepEqual(parts, postMarginEvents(EMPTY_LEDGER, ordered))
      }),
    )
  })

  test('SMA and calls are never negative, and SMA is used before there is a call', () => {
    fc.assert(
      fc.property(events, (list) => {
        let ledger = EMPTY_LEDGER
        for (const event of inOrder(list)) {
          const before = ledger
          ledger = postMarginEvents(ledger, [event])
          assert.ok(ledger.sma >= ZERO)
          assert.ok(ledger.calls.every((call) => call.outstanding > ZERO && call.outstanding <= call.amount))
          if (owed(ledger) > owed(before)) assert.equal(ledger.sma, ZERO)
        }
      }),
    )
  })

  test('more cash at the start never creates or increases a call', () => {
    fc.assert(
      fc.property(events, amounts, (list, amount) => {
        const ordered = inOrder(list)
        const richer = postMarginEvents(EMPTY_LEDGER, [
          { kind: 'Deposit', date: '2026-01-04', amount },
          ...ordered,
        ])
        const poorer = postMarginEvents(EMPTY_LEDGER, ordered)
        assert.ok(owed(richer) <= owed(poorer))
        assert.ok(richer.sma >= poorer.sma)
      }),
    )
  })
})
