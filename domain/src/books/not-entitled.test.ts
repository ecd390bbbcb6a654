// Which accounts may borrow, go short and trade options, line by line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityLine } from './activity.ts'
import { type Entitled, whyNotEntitled } from './not-entitled.ts'

const cash: Entitled = { registration: 'Individual', mayBorrow: true, margin: false, optionLevel: 0 }
const margin = { ...cash, margin: true }
const ira = { ...cash, registration: 'IraRoth', mayBorrow: false }
function level(optionLevel: number, of = cash): Entitled {
  return { ...of, optionLevel }
}

function line(given: object): ActivityLine {
  return { cancels: false, transType: 'Trade', buySell: 'BUY', acctType: 1, ...given } as ActivityLine
}
const option = { security: { option: {} } }

const rows: [what: string, given: object, entitled: Entitled, expected: RegExp | undefined][] = [
  ['a purchase that is paid for', {}, cash, undefined],
  [
    'a purchase on margin without a margin agreement',
    { acctType: 2 },
    cash,
    /account type 2, and the account has no margin.*agreement/,
  ],
  ['a purchase on margin', { acctType: 2 }, margin, undefined],
  ['a sale in account type 2', { acctType: 2, buySell: 'SEL' }, cash, undefined],
  ['the cover of a short', { acctType: 3, buySell: 'BCV' }, cash, undefined],
  [
    'a dividend in account type 2',
    { acctType: 2, transType: 'Dividend', buySell: undefined },
    cash,
    undefined,
  ],
  [
    'a short sale without a margin agreement',
    { acctType: 3, buySell: 'SSL' },
    cash,
    /^A short sale, and the account has no margin/,
  ],
  ['a short sale in account type 1', { buySell: 'SSL' }, cash, /^A short sale/],
  ['a short sale on margin', { acctType: 3, buySell: 'SSL' }, margin, undefined],
  ['a purchase on margin in an IRA', { acctType: 2 }, ira, /IraRoth never borrows/],
  [
    'an option that is bought without an agreement',
    option,
    cash,
    /^An option was bought, which needs option level 2, and the account has no option level\. .*or have a level given, which needs an approved option agreement\.$/,
  ],
  ['an option that is bought on level 1', option, level(1), /the account has level 1/],
  ['an option that is bought on level 2', option, level(2), undefined],
  [
    'an option that is written without an agreement',
    { ...option, buySell: 'SSL' },
    cash,
    /^An option was written, which needs option level 1/,
  ],
  ['a covered call on level 1, in cash', { ...option, buySell: 'SSL' }, level(1), undefined],
  ['a covered call in an IRA', { ...option, buySell: 'SSL' }, level(1, ira), undefined],
  [
    'an option that is bought on margin without a margin agreement',
    { ...option, acctType: 2 },
    level(2),
    /account type 2/,
  ],
  ['an option that is sold', { ...option, buySell: 'SEL' }, cash, undefined],
  ['a reinvestment in account type 2', { acctType: 2, transType: 'Reinvest' }, cash, undefined],
  ['a cancel', { cancels: true, acctType: 2 }, cash, undefined],
]

describe('the check of entitlements', () => {
  for (const [what, given, entitled, expected] of rows) {
    test(`${expected === undefined ? 'permits' : 'reports'} ${what}`, () => {
      const why = whyNotEntitled(line(given), entitled)
      if (expected === undefined) assert.equal(why, undefined)
      else assert.match(why ?? '', expected)
    })
  }
})
