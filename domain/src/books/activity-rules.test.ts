// The fields that a line of each kind requires, and the values that are rejected: one less, equal, one more.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../decimal.ts'
import type { TransType } from './activity.ts'
import { impossibleValues, missingFields } from './activity-rules.ts'
import type { ActivityDraft } from './complete-activity.ts'

const stock = { key: 'A', currency: 'USD', priceDivisor: decimal('1') }
const other = { ...stock, key: 'B' }
function draft(transType: TransType, fields: object = {}) {
  return { transType, currency: 'USD', tradeDate: '2026-01-05', ...fields } as ActivityDraft
}

/** The fields that an empty line of each kind requires. Of fields joined by `|`, one is enough. */
const required: Readonly<Record<TransType, string>> = {
  Trade: 'security buySell quantity price|netAmount',
  Reinvest: 'security quantity price|netAmount',
  Deposit: 'netAmount',
  DepositReturn: 'netAmount',
  Withdrawal: 'netAmount',
  WithdrawalReturn: 'netAmount',
  Dividend: 'netAmount|cashPerShare',
  Interest: 'netAmount|cashPerShare',
  CapitalGain: 'netAmount|cashPerShare',
  Fee: 'netAmount',
  FeeRefund: 'netAmount',
  Tax: 'netAmount',
  TaxRefund: 'netAmount',
  Journal: 'security|netAmount',
  TransferIn: 'security|netAmount',
  TransferOut: 'security|netAmount',
  Split: 'security ratio|quantity',
  StockDividend: 'security ratio|quantity',
  Merger: 'security ratio|cashPerShare|netAmount',
  Spinoff: 'security toSecurity ratio|quantity costShare|taxable',
  ReturnOfCapital: 'security netAmount|cashPerShare',
  Maturity: 'security',
  Redemption: 'security',
  Exercise: 'security quantity toSecurity|netAmount',
  Assignment: 'security quantity toSecurity|netAmount',
  Expiration: 'security',
  FactorChange: 'security ratio',
  NameChange: 'security toSecurity',
}

describe('an empty line', () => {
  for (const [transType, fields] of Object.entries(required)) {
    test(`of the kind ${transType} requires ${fields}`, () => {
      const reasons = missingFields(draft(transType as TransType)).map(
        ({ code, reason }) => `${code} ${reason}`,
      )
      const expected = fields
        .split(' ')
        .map((one) => `ERR.1000 ${transType} requires ${one.split('|').join(' or ')}.`)
      assert.deepEqual(reasons, expected)
    })
  }
})

type Row = readonly [what: string, transType: TransType, fields: object, ...codes: string[]]
const rows: readonly Row[] = [
  ['shares without a quantity', 'TransferIn', { security: stock }, 'ERR.1000 quantity'],
  ['only cash', 'TransferOut', { netAmount: decimal('-1') }],
  ['shares without a quantity', 'Journal', { security: stock }, 'ERR.1000 quantity'],
  ...(['Dividend', 'Interest', 'CapitalGain'] as const).flatMap((kind): Row[] => [
    ['an amount per share without a quantity', kind, { cashPerShare: decimal('1') }, 'ERR.1000 quantity'],
    ['an amount per share', kind, { cashPerShare: decimal('1'), quantity: decimal('1') }],
    ['an amount per share and the amount', kind, { cashPerShare: decimal('1'), netAmount: decimal('1') }],
    ['an amount', kind, { netAmount: decimal('1') }],
  ]),
  ['an amount per share', 'ReturnOfCapital', { security: stock, cashPerShare: decimal('1') }],
  [
    'no shares',
    'Exercise',
    { security: { ...stock, option: {} }, quantity: 0n, toSecurity: other },
    'ERR.1015 quantity',
  ],
  ['a quantity of zero', 'Split', { security: stock, quantity: 0n }],
  ['cash and a quantity of zero', 'TransferIn', { netAmount: decimal('1'), quantity: 0n }],
  [
    'a quantity of -1',
    'Reinvest',
    { security: stock, quantity: decimal('-1'), price: decimal('1') },
    'ERR.1015 quantity',
  ],
  ['a quantity of one', 'Reinvest', { security: stock, quantity: decimal('1'), price: decimal('1') }],
  [
    'a quantity of zero, reported once,',
    'Reinvest',
    { security: stock, quantity: 0n, price: decimal('1') },
    'ERR.1015 quantity',
  ],
  [
    'a ratio of zero to one',
    'Split',
    { security: stock, ratio: { received: 0n, held: decimal('1') } },
    'ERR.1015 ratio',
  ],
  [
    'a ratio of one to zero',
    'Split',
    { security: stock, ratio: { received: decimal('1'), held: 0n } },
    'ERR.1015 ratio',
  ],
  [
    'a ratio of -1 to one',
    'FactorChange',
    { security: stock, ratio: { received: decimal('-1'), held: decimal('1') } },
    'ERR.1015 ratio',
  ],
  ['a factor of zero', 'FactorChange', { security: stock, ratio: { received: 0n, held: decimal('1') } }],
  [
    'a ratio without a security received',
    'Merger',
    { security: stock, ratio: { received: decimal('2'), held: decimal('1') } },
    'ERR.1015 toSecurity',
  ],
  [
    'a ratio and cash per share',
    'Merger',
    { security: stock, ratio: { received: decimal('2'), held: decimal('1') }, cashPerShare: decimal('1') },
  ],
  [
    'a security that is not an option',
    'Exercise',
    { security: stock, quantity: decimal('1'), toSecurity: other },
    'ERR.1015 security',
  ],
  [
    'a security that is not an option',
    'Assignment',
    { security: stock, quantity: decimal('1'), toSecurity: other },
    'ERR.1015 security',
  ],
]
describe('a line of the kind', () => {
  for (const [what, transType, fields, ...codes] of rows) {
    test(`${transType} with ${what} ${codes.length === 0 ? 'is accepted' : `is rejected with ${codes.join(', ')}`}`, () => {
      const line = draft(transType, fields)
      const found = [...missingFields(line), ...impossibleValues(line)].map(
        ({ code, field }) => `${code} ${field}`,
      )
      assert.deepEqual(found, codes)
    })
  }
})
