/** Which announcements are refused, with the field and the reason. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../../decimal.ts'
import type { ActionOption, Announcement } from './announcement.ts'
import { checkAnnouncement } from './check-announcement.ts'

const ratio = { received: decimal('2'), held: decimal('1') }
const one = decimal('1')
const toSecurity = '2'

function refused(options: readonly Partial<ActionOption>[], changes: Partial<Announcement> = {}): string[] {
  const announcement: Announcement = {
    externalId: 'CA1',
    type: 'Dividend',
    security: '1',
    recordDate: undefined,
    exDate: '2026-02-13',
    payDate: '2026-02-27',
    options: options.map((option) => ({ option: 'A', type: 'Dividend', ...option })),
    defaultOption: 'A',
    deadline: undefined,
    ...changes,
  }
  return checkAnnouncement(announcement).map(({ code, field, reason }) => `${code} ${field}: ${reason}`)
}
function required(field: string, reason: string): string[] {
  return [`ERR.1000 ${field}: ${reason}`]
}
function wrong(field: string, reason: string): string[] {
  return [`ERR.1015 ${field}: ${reason}`]
}

const unvalued = 'taxable requires price, the value of a share received.'

describe('the terms of each type', () => {
  const whole: [Partial<ActionOption>, string[]][] = [
    [{ type: 'Dividend', cashPerShare: one }, []],
    [{ type: 'Dividend' }, required('cashPerShare', 'Dividend requires cashPerShare.')],
    [{ type: 'CapitalGain', cashPerShare: one }, []],
    [{ type: 'CapitalGain' }, required('cashPerShare', 'CapitalGain requires cashPerShare.')],
    [{ type: 'Interest', cashPerShare: one }, []],
    [{ type: 'Interest' }, required('cashPerShare', 'Interest requires cashPerShare.')],
    [{ type: 'ReturnOfCapital', cashPerShare: one }, []],
    [{ type: 'ReturnOfCapital' }, required('cashPerShare', 'ReturnOfCapital requires cashPerShare.')],
    [{ type: 'StockDividend', ratio, cashInLieuPrice: one }, []],
    [{ type: 'StockDividend' }, required('ratio', 'StockDividend requires ratio.')],
    [{ type: 'StockDividend', ratio, toSecurity }, wrong('toCusip', 'StockDividend has no toCusip.')],
    [{ type: 'Split', ratio, cashInLieuPrice: one, toSecurity }, []],
    [{ type: 'Split' }, required('ratio', 'Split requires ratio.')],
    [{ type: 'Spinoff', toSecurity, ratio, costShare: one, cashInLieuPrice: one }, []],
    [{ type: 'Spinoff', ratio, costShare: one }, required('toCusip', 'Spinoff requires toCusip.')],
    [{ type: 'Spinoff', toSecurity, costShare: one }, required('ratio', 'Spinoff requires ratio.')],
    [{ type: 'Spinoff', toSecurity, ratio }, required('costShare', 'Spinoff requires costShare or taxable.')],
    [{ type: 'Spinoff', toSecurity, ratio, taxable: true, price: one, cashInLieuPrice: one }, []],
    [{ type: 'Spinoff', toSecurity, ratio, taxable: true }, required('price', unvalued)],
    [
      { type: 'Spinoff', toSecurity, ratio, costShare: one, price: one },
      wrong('price', 'Only a taxable Spinoff has price.'),
    ],
    [
      { type: 'Spinoff', toSecurity, ratio, costShare: one, taxable: true, price: one },
      wrong('costShare', 'A taxable action moves no cost.'),
    ],
    [{ type: 'Merger', toSecurity, ratio, cashPerShare: one, taxable: true, price: one }, []],
    [{ type: 'Merger', toSecurity, ratio, taxable: true }, required('price', unvalued)],
    [
      { type: 'Merger', cashPerShare: one, taxable: true, price: one },
      wrong('taxable', 'taxable requires the security received.'),
    ],
    [{ type: 'Dividend', cashPerShare: one, taxable: true }, wrong('taxable', 'Dividend has no taxable.')],
    [{ type: 'Merger', cashPerShare: one }, []],
    [
      {
        type: 'Merger',
        toSecurity,
        ratio,
        cashPerShare: one,
        costShare: one,
        price: one,
        cashInLieuPrice: one,
      },
      [],
    ],
    [{ type: 'Merger' }, required('ratio', 'Merger requires ratio or cashPerShare.')],
    [
      { type: 'Merger', ratio },
      wrong('ratio', 'A merger into shares requires both ratio and the security received.'),
    ],
    [
      { type: 'Merger', toSecurity, cashPerShare: one },
      wrong('ratio', 'A merger into shares requires both ratio and the security received.'),
    ],
    [{ type: 'NameChange', toSecurity }, []],
    [{ type: 'NameChange', toSecurity, ratio, cashInLieuPrice: one }, []],
    [{ type: 'NameChange' }, required('toCusip', 'NameChange requires toCusip.')],
    [{ type: 'Redemption', price: one }, []],
    [{ type: 'Redemption' }, required('price', 'Redemption requires price.')],
    [{ type: 'Maturity' }, []],
    [{ type: 'Maturity', price: one }, []],
    [{ type: 'Maturity', cashPerShare: one }, wrong('cashPerShare', 'Maturity has no cashPerShare.')],
    [{ type: 'None' }, []],
    [{ type: 'None', price: one }, wrong('price', 'None has no price.')],
    [
      { type: 'Dividend', cashPerShare: one, costShare: one },
      wrong('costShare', 'Dividend has no costShare.'),
    ],
    [
      { type: 'Dividend', cashPerShare: one, cashInLieuPrice: one },
      wrong('cashInLieuPrice', 'Dividend has no cashInLieuPrice.'),
    ],
    [{ type: 'Dividend', cashPerShare: one, ratio }, wrong('ratio', 'Dividend has no ratio.')],
  ]
  for (const [option, expected] of whole)
    test(`${option.type} with ${Object.keys(option).slice(1).join(', ') || 'none'}`, () =>
      assert.deepEqual(refused([option]), expected))
})

describe('the values of terms', () => {
  const spinoff = { type: 'Spinoff', toSecurity, ratio, costShare: one } as const
  const rows: [Partial<ActionOption>, string[]][] = [
    [{ cashPerShare: decimal('0') }, wrong('cashPerShare', 'cashPerShare must be above zero.')],
    [{ cashPerShare: decimal('0.00000001') }, []],
    [{ type: 'Redemption', price: decimal('0') }, wrong('price', 'price must be above zero.')],
    [
      { ...spinoff, cashInLieuPrice: decimal('0') },
      wrong('cashInLieuPrice', 'cashInLieuPrice must be above zero.'),
    ],
    [
      { ...spinoff, costShare: decimal('1.0000000001') },
      wrong('costShare', 'costShare must be from 0 to 1.'),
    ],
    [{ ...spinoff, costShare: decimal('0') }, []],
    [
      { ...spinoff, ratio: { received: decimal('0'), held: one } },
      wrong('ratio', 'ratio must be new:old, both above zero.'),
    ],
    [
      { ...spinoff, ratio: { received: one, held: decimal('0') } },
      wrong('ratio', 'ratio must be new:old, both above zero.'),
    ],
    [{ ...spinoff, ratio: { received: decimal('0.0000000001'), held: decimal('0.0000000001') } }, []],
    [{ ...spinoff, toSecurity: '1' }, wrong('toCusip', 'The security received must be another one.')],
  ]
  for (const [option, expected] of rows)
    test(
      JSON.stringify(option, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      () => assert.deepEqual(refused([option]), expected),
    )
})

describe('dates and options', () => {
  const cash = { option: 'A', cashPerShare: one }
  const nothing = { option: 'B', type: 'None' } as const
  const deadline = '2026-02-26'
  const rows: [what: string, Partial<ActionOption>[], Partial<Announcement>, string[]][] = [
    ['a record date on the pay date', [cash], { recordDate: '2026-02-27' }, []],
    [
      'a record date after it',
      [cash],
      { recordDate: '2026-02-28' },
      ['ERR.1024 payDate: payDate must not be before recordDate.'],
    ],
    ['a deadline the day before the pay date', [cash, nothing], { deadline }, []],
    [
      'a deadline on the pay date',
      [cash, nothing],
      { deadline: '2026-02-27' },
      [
        'ERR.1024 deadline: deadline must be before the day on which the lines are booked: exDate and payDate.',
      ],
    ],
    [
      'a deadline before an ex-date after it',
      [cash, nothing],
      { deadline: '2026-02-27', exDate: '2026-02-28' },
      [],
    ],
    [
      'another default',
      [cash, nothing],
      { deadline, defaultOption: 'C' },
      wrong('defaultOption', 'defaultOption must be one of A, B.'),
    ],
    [
      'one name twice',
      [cash, { ...nothing, option: 'A' }],
      { deadline },
      ['ERR.1014 options: Two options have the same name.'],
    ],
    [
      'a choice of a return of capital',
      [{ ...cash, type: 'ReturnOfCapital' }, nothing],
      { deadline },
      wrong(
        'options',
        'A holder cannot choose ReturnOfCapital: a choice is between Dividend, CapitalGain, StockDividend, Merger, Redemption, None.',
      ),
    ],
    ['one option of any type', [{ ...cash, type: 'ReturnOfCapital' }], { deadline }, []],
    [
      'a choice of everything that can be chosen',
      [
        { option: 'A', type: 'Dividend', cashPerShare: one },
        { option: 'B', type: 'CapitalGain', cashPerShare: one },
        { option: 'C', type: 'StockDividend', ratio },
        { option: 'D', type: 'Merger', cashPerShare: one },
        { option: 'E', type: 'Redemption', price: one },
        { option: 'F', type: 'None' },
      ],
      { deadline },
      [],
    ],
    ['without a deadline, options are not compared', [cash], { defaultOption: 'C' }, []],
  ]
  for (const [what, options, changes, expected] of rows)
    test(what, () => assert.deepEqual(refused(options, changes), expected))
})
