/** Which holdings a line touches, when lines are added one after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { HoldingsInOrder } from './fold.ts'

test('each line names the holdings that it touches itself, once', () => {
  const feed = exampleFeed(exampleSecurity('OLD'))
  const toSecurity = exampleSecurity('NEW')
  const holdings = new HoldingsInOrder(() => undefined, 'FIFO')
  const lines = [
    feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 100 }),
    feed.sell({ date: '2024-02-01', quantity: 4, netAmount: 60 }),
    feed.line('Merger', { date: '2024-03-01', toSecurity, ratio: '1:1' }),
    feed.buy({ date: '2024-04-01', quantity: 1, netAmount: 10, security: toSecurity }),
    feed.line('Deposit', { date: '2024-05-01', netAmount: 10 }),
  ]
  assert.deepEqual(
    lines.map((line) => holdings.add(line).touched.toSorted().join()),
    ['OLD', 'OLD', 'NEW,OLD', 'NEW', ''],
  )
})
