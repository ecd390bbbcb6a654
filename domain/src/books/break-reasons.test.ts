/**
 * A line that contradicts the books is booked with a break whose reason describes the contradiction and the remedy.
 * Reading Books 1.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import type { BreakKind } from './effects.ts'
import { type ExampleFeed, exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const stock = exampleSecurity('XYZ')
const other = exampleSecurity('ABC')
const date = '2025-03-03'
const put = exampleSecurity('PUT', { multiplier: '100', option: { putCall: 'Put', strike: decimal('50') } })

type Lines = (feed: ExampleFeed) => readonly ActivityLine[]
function held(feed: ExampleFeed): ActivityLine {
  return feed.buy({ date: '2025-03-01', quantity: 10, price: 10, externalId: 'B' })
}
function correction(fields: object): Lines {
  return (feed) => [held(feed), feed.buy({ date, quantity: 10, price: 10, tagNo: 'B', ...fields })]
}

const cases: readonly (readonly [what: string, kind: BreakKind, lines: Lines])[] = [
  ['a sale of more than is held', 'Oversold', (feed) => [feed.sell({ date, quantity: 1, price: 10 })]],
  [
    'a transfer of more than is held',
    'Oversold',
    (feed) => [feed.line('TransferOut', { date, quantity: 1 })],
  ],
  ['a journal of more than is held', 'Oversold', (feed) => [feed.line('Journal', { date, quantity: -1 })]],
  [
    'an assignment of more options than were written',
    'Oversold',
    (feed) => [
      feed.sellShort({ date, quantity: 1, price: 1, security: put }),
      feed.line('Assignment', { date, quantity: 2, security: put, toSecurity: stock }),
    ],
  ],
  [
    'a sale of an unknown lot',
    'UnknownLot',
    (feed) => [held(feed), feed.sell({ date, quantity: 1, price: 10, lotId: 'none' })],
  ],
  ['a split of an empty position', 'NothingHeld', (feed) => [feed.line('Split', { date, ratio: '2:1' })]],
  [
    'a split into another number of shares',
    'RatioDisagrees',
    (feed) => [held(feed), feed.line('Split', { date, ratio: '2:1', quantity: 9 })],
  ],
  [
    'a spin-off of no share',
    'RatioDisagrees',
    (feed) => [
      held(feed),
      feed.line('Spinoff', { date, ratio: '1:99999999999', costShare: '0.1', toSecurity: other }),
    ],
  ],
  [
    'a return of capital with the sign of a short, on a long position',
    'AmountDisagrees',
    (feed) => [held(feed), feed.line('ReturnOfCapital', { date, netAmount: -5 })],
  ],
  [
    'a merger whose netAmount differs from its cash per share',
    'CashDisagrees',
    (feed) => [held(feed), feed.line('Merger', { date, cashPerShare: 2, netAmount: 21 })],
  ],
  [
    'a dividend whose netAmount is higher than its cash per share',
    'CashDisagrees',
    (feed) => [feed.line('Dividend', { date, quantity: 100, cashPerShare: '0.25', netAmount: 2500 })],
  ],
  ['a cancel of an unknown line', 'UnknownOriginal', correction({ cancels: true, tagNo: 'none' })],
  ['a rebill of an unknown line', 'UnknownOriginal', correction({ rebills: true, tagNo: 'none' })],
  ['a rebill of a line that is not cancelled', 'RebillWithoutCancel', correction({ rebills: true })],
  ['a cancel of another quantity', 'CancelDisagrees', correction({ cancels: true, quantity: 9 })],
  [
    'a second cancel',
    'AlreadyCancelled',
    (feed) => [
      ...correction({ cancels: true })(feed),
      feed.buy({ date, quantity: 10, price: 10, cancels: true, tagNo: 'B' }),
    ],
  ],
  [
    'a cancel of a cancel',
    'CancelOfCancel',
    (feed) => [
      ...correction({ cancels: true, externalId: 'C' })(feed),
      feed.buy({ date, quantity: 10, price: 10, cancels: true, tagNo: 'C' }),
    ],
  ],
]

describe('the reason of a break ends with the remedy', () => {
  for (const [what, kind, lines] of cases) {
    test(`for ${what}`, () => {
      const { breaks } = foldAccount([...lines(exampleFeed(stock))])
      assert.deepEqual(
        breaks.map((found) => found.kind),
        [kind],
      )
      assert.match(breaks[0]?.reason ?? '', /^[A-Z].+[.;] .*\b(cancel|rebill|load|send|correct|ask)\b.*\.$/i)
    })
  }
})
