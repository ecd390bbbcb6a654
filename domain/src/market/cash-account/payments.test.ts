/**
 * The payment rules of cash accounts in tables: a line is `day what amount`, and every boundary has the day before
 * and the neighboring cent.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, renderDecimal } from '../../decimal.ts'
import { type CashHistory, type CashLine, cashCalls, foldPayments, freezeOn, toLiquidate } from './index.ts'

function common(lineId: string, date: string, settles: string) {
  return { lineId, sequence: 0, date, settles }
}
function buy(lineId: string, date: string, amount: string, exempted = false): CashLine {
  return {
    ...common(lineId, date, date),
    kind: 'Purchase',
    secNo: '1',
    amount: decimal(amount),
    exempted,
  } as CashLine
}
/** Settles on the next day. `closes` is the purchase, the cost and the proceeds of the part. */
function sell(
  lineId: string,
  date: string,
  amount: string,
  ...closes: [string, string, string?][]
): CashLine {
  return {
    ...common(lineId, date, nextDay(date)),
    kind: 'Sale',
    amount: decimal(amount),
    closes: closes.map(([purchaseId, cost, proceeds = amount]) => {
      return { purchaseId, cost: decimal(cost), proceeds: decimal(proceeds) }
    }),
  }
}
function move(date: string, amount: string, settles = date): CashLine {
  return { ...common(`M${date}`, date, settles), kind: 'Move', amount: decimal(amount) }
}
function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}
/** Monday; its payment period ends on Thursday the 19th. */
const monday = '2026-11-16'
const tuesday = '2026-11-17'
const wednesday = '2026-11-18'
const thursday = '2026-11-19'
const friday = '2026-11-20'

function fold(until: string, lines: CashLine[], more: Partial<CashHistory> = {}) {
  const history: CashHistory = {
    ...{
      opening: 0n as Decimal,
      until,
      lines: lines.map((line, at) => ({ ...line, sequence: at })),
      violations: [],
      extensions: new Map(),
    },
    decided: () => undefined,
    ...more,
  }
  return foldPayments(history)
}
function found(until: string, lines: CashLine[], more: Partial<CashHistory> = {}) {
  const payments = fold(until, lines, more)
  return {
    unpaid: payments.unpaid.map(({ lineId, unpaid }) => `${lineId} ${renderDecimal(unpaid, 2)}`),
    calls: cashCalls(payments, until).map(
      ({ issuedOn, dueOn, outstanding }) => `${issuedOn} ${dueOn} ${renderDecimal(outstanding, 2)}`,
    ),
    late: toLiquidate(payments, until).map(({ lineId }) => lineId),
    violations: payments.violations.map(({ kind, purchaseId, saleId, paidOn }) =>
      `${kind} ${purchaseId} ${saleId} ${paidOn ?? ''}`.trim(),
    ),
  }
}
const nothing = { unpaid: [], calls: [], late: [], violations: [] }

describe('the payment period', () => {
  const purchase = [buy('P', monday, '5000')]
  const call = (outstanding: string, ended = thursday, due = ended) => [`${ended} ${due} ${outstanding}`]

  test('ends two business days after settlement: no call before, a call on that day, liquidation after it', () => {
    const unpaid = ['P 5000.00']
    assert.deepEqual(found(wednesday, purchase), { ...nothing, unpaid })
    assert.deepEqual(found(thursday, purchase), { ...nothing, unpaid, calls: call('5000.00') })
    assert.deepEqual(found(friday, purchase), { ...nothing, unpaid, calls: call('5000.00'), late: ['P'] })
  })

  test('ends without a call for a sum of at most 1,000', () => {
    const owed = (amount: string) => found(friday, [buy('P', monday, amount)])
    assert.deepEqual(owed('999.99'), nothing)
    assert.deepEqual(owed('1000.00'), nothing)
    assert.deepEqual(owed('1000.01').calls, call('1000.01'))
    // The whole sum must be paid before the end of the period.
    assert.deepEqual(found(wednesday, [buy('P', monday, '1000.00')]).unpaid, ['P 1000.00'])
  })

  test('is met by a deposit until its last day, even if at most 1,000 remains unpaid', () => {
    for (const day of [monday, wednesday, thursday]) {
      assert.deepEqual(found(friday, [...purchase, move(day, '5000')]), nothing)
      assert.deepEqual(found(friday, [...purchase, move(day, '4000')]), nothing)
      assert.deepEqual(found(friday, [...purchase, move(day, '3999.99')]).calls, call('1000.01'))
    }
    assert.deepEqual(found(friday, [...purchase, move(friday, '5000')]), nothing)
    assert.deepEqual(found(thursday, [...purchase, move(friday, '5000')]).calls, call('5000.00'))
    assert.deepEqual(found(friday, [...purchase, move(friday, '3000')]).calls, call('2000.00'))
  })

  test('counts a deposit on the day of the purchase whichever came first, and other cash when it has settled', () => {
    const sold = sell('S', monday, '4000', ['P', '5000'])
    assert.deepEqual(found(monday, [...purchase, sold, move(monday, '5000')]), nothing)
    assert.deepEqual(found(wednesday, [...purchase, move(monday, '5000', thursday)]).unpaid, ['P 5000.00'])
    assert.deepEqual(found(thursday, [...purchase, move(monday, '5000', thursday)]), nothing)
    // A purchase that settled before its trade date counts from the trade date.
    assert.deepEqual(found(monday, [...purchase, move(tuesday, '5000', monday)]).unpaid, ['P 5000.00'])
  })

  test('applies money to earlier debts first, then to the oldest purchase', () => {
    const two = [...purchase, buy('Q', tuesday, '3000')]
    assert.deepEqual(found(tuesday, [...two, move(tuesday, '6000')]).unpaid, ['Q 2000.00'])
    assert.deepEqual(found(tuesday, [...two, move(tuesday, '6000')], { opening: decimal('-500') }).unpaid, [
      'Q 2500.00',
    ])
    assert.deepEqual(found(monday, purchase, { opening: decimal('1200') }).unpaid, ['P 3800.00'])
    assert.deepEqual(found(monday, purchase, { opening: decimal('5000') }).unpaid, [])
  })

  test('is met by sales of other securities when they settle', () => {
    const lines = [...purchase, sell('S', tuesday, '5000')]
    assert.deepEqual(found(tuesday, lines).unpaid, ['P 5000.00'])
    assert.deepEqual(found(wednesday, lines), nothing)
  })

  test('has one call for the purchases whose period ends on one day, due with the last extension', () => {
    const two = [...purchase, buy('Q', monday, '2000')]
    assert.deepEqual(found(thursday, two).calls, call('7000.00'))
    const extensions = new Map([[thursday, '2026-11-24']])
    const at = (day: string) => found(day, two, { extensions })
    assert.deepEqual(at(wednesday).calls, [])
    assert.deepEqual(at(thursday).calls, call('7000.00', thursday, '2026-11-24'))
    assert.deepEqual(at('2026-11-24').late, [])
    assert.deepEqual(at('2026-11-25').late, ['P', 'Q'])
    const both = [buy('P', friday, '2000'), buy('Q', '2026-11-21', '2000')]
    const ofSaturday = new Map([['2026-11-25', '2026-12-01']])
    assert.deepEqual(
      found('2026-11-30', both, { extensions: ofSaturday }).calls,
      call('4000.00', '2026-11-25', '2026-12-01'),
    )
    assert.deepEqual(found('2026-11-30', [...both, buy('R', '2026-11-23', '3000')]).calls, [
      ...call('4000.00', '2026-11-25'),
      ...call('3000.00', '2026-11-27'),
    ])
  })

  test('has no call for exempted securities, whose cost is still owed', () => {
    assert.deepEqual(found(friday, [buy('P', monday, '5000', true)]), nothing)
    const sold = sell('S', tuesday, '5000', ['P', '5000'])
    assert.deepEqual(found(friday, [buy('P', monday, '5000', true), sold]), nothing)
    const next = [buy('P', monday, '5000', true), move(tuesday, '5500'), buy('Q', tuesday, '1000')]
    assert.deepEqual(found(tuesday, next).unpaid, ['Q 500.00'])
  })

  test('depends on the days and numbers of lines, not on the order in which they are given', () => {
    const lines = [
      move(monday, '-5000'),
      buy('P', monday, '3000'),
      buy('Q', monday, '3000'),
      move(tuesday, '4000'),
    ].map((line, sequence) => ({ ...line, sequence }))
    const unpaidOf = (given: readonly CashLine[]) => {
      const common = { opening: decimal('5000'), until: tuesday, violations: [], extensions: new Map() }
      return foldPayments({ ...common, lines: given, decided: () => undefined }).unpaid.map(
        ({ lineId, unpaid }) => `${lineId} ${renderDecimal(unpaid, 2)}`,
      )
    }
    for (const order of [lines, lines.toReversed(), [3, 1, 0, 2].flatMap((at) => lines[at] ?? [])]) {
      assert.deepEqual(unpaidOf(order), ['Q 2000.00'])
    }
    // Only incoming cash counts before the purchases of its day.
    const later = [buy('P', monday, '5000'), move(monday, '-5000')]
    assert.deepEqual(found(monday, later, { opening: decimal('5000') }).unpaid, [])
  })

  test('is met by sales in the order of their settlement', () => {
    const slow = { ...sell('S', monday, '1000'), settles: friday }
    const lines = [slow, sell('T', monday, '3000'), buy('P', tuesday, '3000')]
    assert.deepEqual(found(tuesday, lines), nothing)
    assert.deepEqual(found(thursday, [...lines, buy('Q', thursday, '2000')]).unpaid, ['Q 2000.00'])
    assert.deepEqual(found(friday, [...lines, buy('Q', thursday, '2000')]).unpaid, ['Q 1000.00'])
  })

  test('applies a payment to a debt only once, and fees beyond the proceeds of a sale only once', () => {
    const opening = decimal('-500')
    const paid = [move(monday, '500'), move(tuesday, '1000'), buy('P', tuesday, '1000')]
    assert.deepEqual(found(tuesday, paid, { opening }).unpaid, [])
    const fees = [sell('T', monday, '-5'), buy('P', wednesday, '96')]
    assert.deepEqual(found(wednesday, fees, { opening: decimal('100') }).unpaid, ['P 1.00'])
  })

  test('leaves a disregarded sum to be paid before later purchases', () => {
    const lines = [buy('P', monday, '1000'), move('2026-11-23', '1500'), buy('Q', '2026-11-23', '1500')]
    assert.deepEqual(found('2026-11-23', lines).unpaid, ['Q 1000.00'])
  })

  test('lists calls by the day on which the period ended, and no call for at most 1,000 in an extension', () => {
    const decided = (day: string) => (day === tuesday ? true : undefined)
    const frozen = [buy('P', monday, '5000'), buy('Q', tuesday, '2000')]
    assert.deepEqual(found(thursday, frozen, { decided }).calls, [
      ...call('2000.00', tuesday),
      ...call('5000.00', thursday),
    ])
    const extensions = new Map([[thursday, '2026-11-24']])
    const rest = (amount: string) => found(friday, [...purchase, move(friday, amount)], { extensions }).calls
    assert.deepEqual(rest('3999.99'), call('1000.01', thursday, '2026-11-24'))
    assert.deepEqual(rest('4000.00'), [])
    assert.deepEqual(rest('4000.01'), [])
  })

  test('is met if less than half a cent of a conversion is unpaid, and amounts are rounded to cents', () => {
    const left = (amount: string) => [move(monday, '100'), buy('P', monday, amount)]
    assert.deepEqual(found(monday, left('100.0049999999')).unpaid, [])
    assert.deepEqual(found(monday, left('100.005')).unpaid, ['P 0.01'])
    assert.equal(fold(monday, left('100.006')).unpaid[0]?.amount, decimal('100.01'))
    const later = (amount: string) => [buy('P', monday, amount), move(tuesday, '100')]
    assert.deepEqual(found(tuesday, later('100.0049999999')).unpaid, [])
    assert.deepEqual(found(tuesday, later('100.005')).unpaid, ['P 0.01'])
    const covered = (amount: string) => [
      sell('X', monday, '100'),
      buy('P', monday, amount),
      sell('S', monday, '100', ['P', '100']),
    ]
    assert.deepEqual(found(monday, covered('100.0049999999')).violations, ['GoodFaith P S'])
    assert.deepEqual(found(monday, covered('100.005')).violations, ['FreeRiding P S'])
  })

  test('disregards lines after the day', () => {
    assert.deepEqual(found(monday, [buy('P', tuesday, '5000')]), nothing)
  })

  test('deducts withdrawals from the cash, and the rest is owed', () => {
    const opening = decimal('6000')
    const gone = move(monday, '-2000')
    assert.deepEqual(found(monday, [gone, ...purchase], { opening }).unpaid, ['P 1000.00'])
    assert.deepEqual(found(monday, [move(monday, '-7000'), move(tuesday, '1000')], { opening }), nothing)
    const owed = [move(monday, '-7000'), buy('P', tuesday, '2000'), move(wednesday, '1500')]
    assert.deepEqual(found(wednesday, owed, { opening }).unpaid, ['P 1500.00'])
  })
})

describe('a sale before the purchase was paid', () => {
  const purchase = buy('P', monday, '5000')
  const sale = sell('S', tuesday, '5200', ['P', '5000'])

  test('is free riding if no other money pays, because its own proceeds arrive after the period', () => {
    assert.deepEqual(found(tuesday, [purchase, sale]), {
      ...nothing,
      unpaid: ['P 5000.00'],
      violations: ['FreeRiding P S'],
    })
    assert.deepEqual(found(thursday, [purchase, sale]), { ...nothing, violations: ['FreeRiding P S'] })
  })

  test('is cured by payment in full until the last day of the period', () => {
    for (const [day, amount, violation] of [
      [tuesday, '5000', undefined],
      [wednesday, '4999.99', 'FreeRiding P S'],
      [wednesday, '5000', `FreeRiding P S ${wednesday}`],
      [thursday, '5000', `FreeRiding P S ${thursday}`],
      [friday, '5000', 'FreeRiding P S'],
    ] as const) {
      const { violations } = found('2026-11-30', [purchase, sale, move(day, amount)])
      assert.deepEqual(violations, violation === undefined ? [] : [violation], `${day} ${amount}`)
    }
  })

  test('releases its proceeds when other money has paid', () => {
    const lines = [purchase, sale, move(wednesday, '5000'), buy('Q', thursday, '5300')]
    assert.deepEqual(found(thursday, lines).unpaid, ['Q 100.00'])
    const before = [purchase, sell('S', wednesday, '5200', ['P', '5000']), move(wednesday, '4000')]
    const late = [...before, move(wednesday, '1000.00'), buy('Q', wednesday, '100')]
    // The purchase is paid on the day of the sale: no violation, and the proceeds are available on the next day.
    assert.deepEqual(found(wednesday, late), { ...nothing, unpaid: ['Q 100.00'] })
    assert.deepEqual(found(thursday, late), nothing)
  })

  test('is good faith if earlier sales pay within the period, and older purchases are paid first', () => {
    const earlier = (amount: string) => sell('E', monday, amount)
    const violationsOf = (...lines: CashLine[]) => found(tuesday, lines).violations
    const today = sell('S', monday, '5200', ['P', '5000'])
    assert.deepEqual(violationsOf(earlier('5000'), purchase, today), ['GoodFaith P S'])
    assert.deepEqual(violationsOf(earlier('4999.99'), purchase, today), ['FreeRiding P S'])
    const older = buy('O', monday, '1000')
    assert.deepEqual(violationsOf(earlier('6000'), older, purchase, today), ['GoodFaith P S'])
    assert.deepEqual(violationsOf(earlier('5999.99'), older, purchase, today), ['FreeRiding P S'])
    const younger = buy('Y', monday, '1000')
    assert.deepEqual(violationsOf(earlier('5000'), purchase, younger, today), ['GoodFaith P S'])
    const slow = (settles: string) => ({ ...earlier('5000'), settles })
    assert.deepEqual(violationsOf(slow(thursday), purchase, today), ['GoodFaith P S'])
    assert.deepEqual(violationsOf(slow(friday), purchase, today), ['FreeRiding P S'])
    const owed = [move(monday, '-1'), earlier('5000'), purchase, today]
    assert.deepEqual(violationsOf(...owed), ['FreeRiding P S'])
    // The purchase is paid when the earlier sale has settled.
    assert.deepEqual(found('2026-11-30', [earlier('5000'), purchase, sale]), nothing)
  })

  test('can pay for the next purchase, which is good faith if the first purchase was paid with cash', () => {
    const round = (at: number, settles = tuesday) => [
      buy(`P${at}`, monday, '5000'),
      { ...sell(`S${at}`, monday, '5000', [`P${at}`, '5000']), settles },
    ]
    const opening = decimal('5000')
    const three = found(monday, [...round(1), ...round(2), ...round(3)], { opening })
    assert.deepEqual(three.violations, ['GoodFaith P2 S2', 'GoodFaith P3 S3'])
    assert.deepEqual(found(tuesday, [...round(1), ...round(2), ...round(3)], { opening }).unpaid, [])
    const short = found(monday, [...round(1), ...round(2), ...round(3)], { opening: decimal('4999.99') })
    assert.deepEqual(short.violations, ['FreeRiding P1 S1', 'FreeRiding P2 S2', 'FreeRiding P3 S3'])
    // Sales that settle after the period do not pay within it.
    for (const [settles, kind] of [
      [thursday, 'GoodFaith'],
      [friday, 'FreeRiding'],
    ] as const) {
      const { violations } = found(monday, [...round(1), ...round(2, settles), ...round(3)], { opening })
      assert.deepEqual(violations, ['GoodFaith P2 S2', `${kind} P3 S3`])
    }
  })

  test('is free riding if an older purchase is also unpaid, whatever its own proceeds', () => {
    const lines = [
      ...[buy('O', monday, '1000'), sell('R', monday, '1200', ['O', '1000'])],
      ...[buy('Q', monday, '100'), sell('S', monday, '100', ['Q', '100'])],
    ]
    assert.deepEqual(found(monday, lines).violations, ['FreeRiding O R', 'FreeRiding Q S'])
  })

  test('is not cured by cash that settles after the period, even without a line in between', () => {
    const late = { ...sell('E', monday, '6000'), settles: friday }
    assert.deepEqual(found('2026-11-30', [late, purchase, sale]).violations, ['FreeRiding P S'])
  })

  test('has its proceeds held until the last of them have settled, and they pay once', () => {
    const half = (id: string, settles: string) => ({ ...sell(id, tuesday, '2600', ['P', '2500']), settles })
    const lines = [purchase, half('S', friday), half('T', wednesday), move(wednesday, '5000')]
    assert.deepEqual(found(thursday, [...lines, buy('Q', thursday, '5200')]).unpaid, ['Q 5200.00'])
    assert.deepEqual(found(friday, [...lines, buy('Q', thursday, '5200')]).unpaid, [])
    assert.deepEqual(found(friday, [purchase, sale, buy('Q', friday, '5300')]).unpaid, ['Q 5100.00'])
  })

  test('counts its purchase as paid on the day on which the payment of an older purchase releases the proceeds', () => {
    const lines = [
      ...[purchase, sell('S', monday, '5200', ['P', '5000'])],
      ...[buy('Q', monday, '5100'), sell('T', monday, '5100', ['Q', '5100'])],
      move(thursday, '5000'),
    ]
    assert.deepEqual(found(thursday, lines).violations, [
      `FreeRiding P S ${thursday}`,
      `FreeRiding Q T ${thursday}`,
    ])
  })

  test('of a part is no violation while the paid amount covers the sold part', () => {
    const half = (id: string) => sell(id, tuesday, '2600', ['P', '2500'])
    const paid = (amount: string) =>
      found(tuesday, [purchase, move(tuesday, amount), half('S'), half('T')]).violations
    assert.deepEqual(paid('5000'), [])
    // The proceeds of the paid half pay the other half when they settle.
    assert.deepEqual(paid('2500'), ['GoodFaith P T'])
    assert.deepEqual(paid('2499.99'), ['FreeRiding P S', 'FreeRiding P T'])
  })

  test('of a bond is no violation only if the accrued interest of the purchase is paid too', () => {
    const bond = { ...buy('P', monday, '5200'), interest: decimal('200') } as CashLine
    // 5,100.00 with accrued interest of 100.00. All of it waits until the period has ended.
    const whole = {
      ...sell('S', tuesday, '5100', ['P', '5000', '5000']),
      interest: decimal('100'),
    } as CashLine
    const half = sell('S', tuesday, '2600', ['P', '2500'])
    const after = (amount: string, one: CashLine) =>
      found(tuesday, [bond, move(tuesday, amount), one]).violations
    assert.deepEqual(after('5199.99', whole), ['FreeRiding P S'])
    assert.deepEqual(after('5200', whole), [])
    assert.deepEqual(after('2599.99', half), ['FreeRiding P S'])
    assert.deepEqual(after('2600', half), [])
    assert.deepEqual(found(wednesday, [bond, whole, buy('Q', wednesday, '2000')]).unpaid, [
      'P 5200.00',
      'Q 2000.00',
    ])
    assert.deepEqual(found(friday, [bond, whole]).unpaid, [])
  })

  test('for nothing, or for less than its fees, is a violation too', () => {
    for (const amount of ['0', '-5'])
      assert.deepEqual(found(tuesday, [purchase, sell('S', tuesday, amount, ['P', '5000'])]).violations, [
        'FreeRiding P S',
      ])
  })

  test('after the period meets the call on its day and is free riding', () => {
    const late = sell('S', friday, '4500', ['P', '5000'])
    assert.deepEqual(found(friday, [purchase, late]), { ...nothing, violations: ['FreeRiding P S'] })
    const little = sell('S', friday, '3999.99', ['P', '5000'])
    assert.deepEqual(found(friday, [purchase, little]).calls, [`${thursday} ${thursday} 1000.01`])
    // A sale of more than the purchase settles like other sales.
    const gain = [purchase, sell('S', friday, '5200', ['P', '5000']), buy('Q', friday, '200')]
    assert.deepEqual(found(friday, gain).unpaid, ['Q 200.00'])
    assert.deepEqual(found('2026-11-21', gain).unpaid, [])
  })

  test('after the period pays its purchase first, so that earlier sales pay another one that it closes', () => {
    const lines = [
      buy('P', monday, '5000'),
      sell('X', friday, '3000'),
      buy('Q', friday, '3000'),
      sell('S', friday, '8000', ['P', '5000', '5000'], ['Q', '3000', '3000']),
    ]
    assert.deepEqual(found(friday, lines).violations, ['FreeRiding P S', 'GoodFaith Q S'])
  })

  test('of shares older than the lines is no violation, and its fees can be owed', () => {
    assert.deepEqual(
      found(friday, [sell('S', monday, '500', ['X', '500']), sell('T', monday, '-5')]),
      nothing,
    )
    assert.deepEqual(found(monday, [sell('T', monday, '-5'), buy('P', monday, '10')]).unpaid, ['P 10.00'])
    const settledAtOnce = { ...sell('S', monday, '500'), settles: monday }
    assert.deepEqual(found(monday, [settledAtOnce, buy('P', monday, '500')]), nothing)
  })

  test('of two parts of one line is two violations, each with its own proceeds', () => {
    const both = [buy('P', monday, '1000'), buy('Q', monday, '2000')]
    const { violations, unpaid } = found(tuesday, [
      ...both,
      sell('S', tuesday, '3300', ['P', '1000', '1100'], ['Q', '2000', '2200']),
    ])
    assert.deepEqual(violations, ['FreeRiding P S', 'FreeRiding Q S'])
    assert.deepEqual(unpaid, ['P 1000.00', 'Q 2000.00'])
    assert.deepEqual(
      found(friday, [...both, sell('S', tuesday, '2000', ['P', '1000', '800'], ['Q', '2000', '1200'])]),
      {
        ...nothing,
        violations: ['FreeRiding P S', 'FreeRiding Q S'],
      },
    )
  })

  test('keeps earlier violations', () => {
    const { violations } = fold(friday, [purchase, sale])
    assert.deepEqual(fold(friday, [], { violations }).violations, violations)
  })

  test('is found for purchases from the first followed day on', () => {
    const kinds = (followedFrom: string) => found(friday, [purchase, sale], { followedFrom }).violations
    assert.deepEqual(['2026-11-15', monday, tuesday].map(kinds), [['FreeRiding P S'], ['FreeRiding P S'], []])
  })
})

describe('the privilege of delaying payment', () => {
  const { violations } = fold(thursday, [buy('P', monday, '5000'), sell('S', tuesday, '5200', ['P', '5000'])])
  const next = (date: string, more: Partial<CashHistory> = {}) =>
    fold(date, [buy('N', date, '2000')], { violations, ...more }).unpaid[0]?.period

  test('is withdrawn from the day after the sale for 90 calendar days', () => {
    assert.equal(next(tuesday), friday)
    assert.equal(next(wednesday), wednesday)
    // 2027-02-15 is the 90th day and Presidents’ Day.
    assert.equal(next('2027-02-15'), '2027-02-15')
    assert.equal(next('2027-02-16'), '2027-02-19')
    assert.equal(freezeOn(violations, tuesday), undefined)
    assert.deepEqual(freezeOn(violations, wednesday), {
      from: tuesday,
      until: '2027-02-15',
      cause: 'FreeRiding',
    })
    assert.equal(freezeOn(violations, '2027-02-15')?.from, tuesday)
    assert.equal(freezeOn(violations, '2027-02-16'), undefined)
  })

  test('follows a decision of a person on that day', () => {
    assert.equal(next(wednesday, { decided: () => false }), '2026-11-23')
    assert.equal(next(wednesday, { violations: [], decided: (day) => day === wednesday }), wednesday)
  })

  test('is restored by payment in time', () => {
    const lines = [
      ...[buy('P', monday, '5000'), sell('S', tuesday, '5200', ['P', '5000'])],
      ...[move(thursday, '5000'), buy('N', wednesday, '2000'), buy('M', thursday, '20000')],
    ]
    assert.deepEqual(
      fold(thursday, lines).unpaid.map(({ lineId, period }) => [lineId, period]),
      [['M', '2026-11-24']],
    )
  })
})
