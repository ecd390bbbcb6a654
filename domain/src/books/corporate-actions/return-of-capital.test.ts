import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed } from '../example-lines.ts'
import { booksOf, date, held, old, shorted } from './test-positions.ts'

describe('returns of capital', () => {
  test('apply to the lots held on the record date, even if they were sold later', () => {
    const { feed, lines } = held()
    const books = booksOf([
      ...lines,
      feed.sell({ date: '2024-05-02', quantity: 101, netAmount: 2000 }),
      feed.buy({ date: '2024-05-03', quantity: 10, netAmount: 100 }),
      feed.line('ReturnOfCapital', { date, asOfDate: '2024-05-01', cashPerShare: 1 }),
    ])
    assert.deepEqual(books.gains, ['Sale L1: 101 for 2000, cost 909, Long'])
    assert.deepEqual(books.lots, [
      'OLD L2: 50 for 550 since 2024-01-03',
      'OLD L4: 10 for 100 since 2024-05-03',
    ])
    assert.deepEqual(books.moved, ['0 cash 151'])
  })

  test('apply to lots bought on the record date, whenever the line arrives', () => {
    const feed = exampleFeed(old)
    const lines = [
      feed.line('ReturnOfCapital', { date, asOfDate: '2024-05-01', cashPerShare: 1 }),
      feed.buy({ date: '2024-05-01', quantity: 10, netAmount: 100 }),
    ]
    assert.deepEqual(booksOf(lines).lots, ['OLD L2: 10 for 90 since 2024-05-01'])
  })

  test('are paid by a short, and beyond its proceeds they are a loss', () => {
    const { feed, lines } = shorted()
    const books = (netAmount: number) =>
      booksOf([...lines, feed.line('ReturnOfCapital', { date, acctType: 3, netAmount, externalId: 'R' })])
    assert.deepEqual(books(50).lots, ['OLD L1: -10 for -150 since 2024-01-03'])
    assert.deepEqual(books(250).gains, ['ReturnOfCapital L1: 0 for -50, cost 0, Short'])
    assert.deepEqual(books(250).moved, ['0 cash -250'])
  })

  test('with a netAmount that differs from the cash per share raise a break, and the netAmount counts', () => {
    const { feed, lines } = held()
    const paid = (netAmount: number) =>
      booksOf([...lines, feed.line('ReturnOfCapital', { date, cashPerShare: 1, netAmount })])
    assert.deepEqual(paid(151).breaks, [])
    assert.deepEqual([paid(150).breaks, paid(150).moved], [['CashDisagrees 0'], ['0 cash 150']])
  })

  test('pay commission and fees out of the cash per share, and a netAmount without them agrees', () => {
    const { feed, lines } = held()
    const fees = { date, cashPerShare: 1, commission: 30, secFee: 8 }
    const paid = (fields: object = {}) =>
      booksOf([...lines, feed.line('ReturnOfCapital', { ...fees, ...fields, externalId: 'R' })])
    // 151 × 1.00 − 38.00 = 113.00, divided by 101 and 50 shares.
    assert.deepEqual(paid().moved, ['0 cash 113'])
    assert.deepEqual(paid().lots, [
      'OLD L1: 101 for 934.42 since 2022-01-03',
      'OLD L2: 50 for 562.58 since 2024-01-03',
    ])
    assert.deepEqual(paid({ netAmount: 113 }), paid())
    assert.deepEqual(paid({ netAmount: 151 }).breaks, ['CashDisagrees 0'])
    assert.deepEqual(paid({ commission: 143 }).moved, [])
    assert.deepEqual(booksOf([feed.line('ReturnOfCapital', fees)]).moved, [])
    const short = shorted()
    const line = short.feed.line('ReturnOfCapital', { ...fees, acctType: 3 })
    assert.deepEqual(booksOf([...short.lines, line]).moved, ['0 cash -48'])
  })

  test('lower an average cost evenly, do not change unknown costs, and are cash with a break on an empty position', () => {
    const { feed, lines } = held()
    const average = booksOf(
      [...lines, feed.line('ReturnOfCapital', { date, cashPerShare: 2, externalId: 'R' })],
      'Average',
    )
    assert.deepEqual(average.lots, [
      'OLD L1: 101 for 874.89 since 2022-01-03',
      'OLD L2: 50 for 433.11 since 2024-01-03',
    ])
    const unknown = exampleFeed(old)
    const nothing = unknown.line('ReturnOfCapital', { date, netAmount: 5 })
    assert.deepEqual(booksOf([nothing]).breaks, ['NothingHeld 0'])
    assert.deepEqual(booksOf([nothing]).moved, ['0 cash 5'])
    const moved = booksOf([
      unknown.line('TransferIn', { date: '2024-01-02', quantity: 10, sequence: 0 }),
      nothing,
    ])
    assert.deepEqual([moved.gains, moved.moved], [[], ['0 cash 5']])
  })
})
