// The fields that a line of each kind requires, and the values that are refused: one less, equal, one more.
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

/** The fields that an empty line of each kind is asked for. Of fields joined by `|`, one is enough. */
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
  Spinoff: 'security toSecurity ratio|quantity costShare',
  ReturnOfCapital: 'security netAmount|cashPerShare',
  Maturity: 'security',
  Redemption: 'security',
  Exercise: 'security quantity toSecurity|netAmount',
  Assignment: 'security quantity toSecurity|netAmount',
  Expiration: 'security',
  FactorChange: 'security ratio',
  NameChange: 'security toSecurity',
}

describe('a line that says nothing', () => {
  for (const [transType, fields] of Object.entries(required)) {
    test(`of the kind ${transType} is asked for ${fields}`, () => {
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
  ['a transfer of shares without a quantity', 'TransferIn', { security: stock }, 'ERR.1000 quantity'],
  ['a transfer of cash', 'TransferOut', { netAmount: decimal('-1') }],
  ['a journal of shares without a quantity', 'Journal', { security: stock }, 'ERR.1000 quantity'],
  ...(['Dividend', 'Interest', 'CapitalGain'] as const).flatMap((kind): Row[] => [
    ['so much a share, of no shares', kind, { cashPerShare: decimal('1') }, 'ERR.1000 quantity'],
    ['so much a share', kind, { cashPerShare: decimal('1'), quantity: decimal('1') }],
    ['so much a share, with the amount', kind, { cashPerShare: decimal('1'), netAmount: decimal('1') }],
    ['an amount', kind, { netAmount: decimal('1') }],
  ]),
  [
    'a return of capital of so much a share',
    'ReturnOfCapital',
    { security: stock, cashPerShare: decimal('1') },
  ],
  [
    'no shares',
    'Exercise',
    { security: { ...stock, option: {} }, quantity: 0n, toSecurity: other },
    'ERR.1015 quantity',
  ],
  ['no shares of a split', 'Split', { security: stock, quantity: 0n }],
  ['no shares of a transfer of cash', 'TransferIn', { netAmount: decimal('1'), quantity: 0n }],
  [
    'one share less than none reinvested',
    'Reinvest',
    { security: stock, quantity: decimal('-1'), price: decimal('1') },
    'ERR.1015 quantity',
  ],
  ['one share reinvested', 'Reinvest', { security: stock, quantity: decimal('1'), price: decimal('1') }],
  [
    'none reinvested, reported once',
    'Reinvest',
    { security: stock, quantity: 0n, price: decimal('1') },
    'ERR.1015 quantity',
  ],
  [
    'a ratio of none to one',
    'Split',
    { security: stock, ratio: { received: 0n, held: decimal('1') } },
    'ERR.1015 ratio',
  ],
  [
    'a ratio of one to none',
    'Split',
    { security: stock, ratio: { received: decimal('1'), held: 0n } },
    'ERR.1015 ratio',
  ],
  [
    'a ratio below none to one',
    'FactorChange',
    { security: stock, ratio: { received: decimal('-1'), held: decimal('1') } },
    'ERR.1015 ratio',
  ],
  [
    'a factor that falls to none',
    'FactorChange',
    { security: stock, ratio: { received: 0n, held: decimal('1') } },
  ],
  [
    'a ratio of a merger into nothing',
    'Merger',
    { security: stock, ratio: { received: decimal('2'), held: decimal('1') } },
    'ERR.1015 toSecurity',
  ],
  [
    'a ratio of a merger for cash',
    'Merger',
    { security: stock, ratio: { received: decimal('2'), held: decimal('1') }, cashPerShare: decimal('1') },
  ],
  [
    'an exercise of what is no option',
    'Exercise',
    { security: stock, quantity: decimal('1'), toSecurity: other },
    'ERR.1015 security',
  ],
  [
    'an assignment of what is no option',
    'Assignment',
    { security: stock, quantity: decimal('1'), toSecurity: other },
    'ERR.1015 security',
  ],
]
describe('a line with', () => {
  for (const [what, transType, fields, ...codes] of rows) {
    test(`${what}, of the kind ${transType}: ${codes.join(', ') || 'accepted'}`, () => {
      const line = draft(transType, fields)
      const found = [...missingFields(line), ...impossibleValues(line)].map(
        ({ code, field }) => `${code} ${field}`,
      )
      assert.deepEqual(found, codes)
    })
  }
})
