import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal } from '../../decimal.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { booksOf, date } from './test-positions.ts'

describe('options', () => {
  const call = exampleSecurity('CALL', {
    multiplier: '100',
    option: { putCall: 'Call', strike: decimal('50') },
  })
  const put = exampleSecurity('PUT', { multiplier: '100', option: { putCall: 'Put', strike: decimal('50') } })
  const shares = exampleSecurity('XYZ')
  const feed = () => exampleFeed(shares)

  test('the exercise of a call buys at the strike plus its premium, held from the day of exercise', () => {
    const { buy, line } = feed()
    const books = booksOf([
      buy({ date: '2023-01-03', quantity: 2, price: 3, commission: 1, security: call }),
      line('Exercise', { date, quantity: 1, security: call, toSecurity: shares, commission: 5 }),
    ])
    assert.deepEqual(books, {
      lots: ['CALL L1: 1 for 300.5 since 2023-01-03', `XYZ L2: 100 for 5305.5 since ${date}`],
      gains: ['Exercise L1: 1 for 300.5, cost 300.5, Long'],
      moved: ['CALL -1 cash 0', 'XYZ 100 cash -5005'],
      breaks: [],
    })
  })

  test('the exercise of a put sells at the strike less its premium', () => {
    const { buy, line } = feed()
    const books = booksOf([
      buy({ date: '2022-01-03', quantity: 100, price: 40 }),
      buy({ date: '2023-01-03', quantity: 1, price: 3, security: put }),
      line('Exercise', {
        date,
        quantity: 1,
        security: put,
        toSecurity: shares,
        netAmount: 4999.99,
        secFee: '0.01',
      }),
    ])
    assert.deepEqual(books.gains, [
      'Exercise L2: 1 for 300, cost 300, Long',
      'Sale L1: 100 for 4699.99, cost 4000, Long',
    ])
    assert.deepEqual(books.moved, ['PUT -1 cash 0', 'XYZ -100 cash 4999.99'])
  })

  test('the assignment of a call sells at the strike plus the premium received', () => {
    const { buy, sellShort, line } = feed()
    const books = booksOf([
      buy({ date: '2022-01-03', quantity: 100, price: 40 }),
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Assignment', { date, quantity: 1, security: call, toSecurity: shares }),
    ])
    assert.deepEqual(books.gains, [
      'Assignment L2: -1 for -300, cost -300, Short',
      'Sale L1: 100 for 5300, cost 4000, Long',
    ])
    assert.deepEqual(books.moved, ['CALL 1 cash 0', 'XYZ -100 cash 5000'])
  })

  test('the assignment of a put buys at the strike less the premium received', () => {
    const { sellShort, line } = feed()
    const books = booksOf([
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: put }),
      line('Assignment', { date, quantity: 1, security: put, toSecurity: shares, netAmount: 5000 }),
    ])
    assert.deepEqual(books.lots, [`XYZ L2: 100 for 4700 since ${date}`])
    assert.deepEqual(books.moved, ['PUT 1 cash 0', 'XYZ 100 cash -5000'])
  })

  test('the assignment of an uncovered call opens a short and raises a break', () => {
    const { sellShort, line } = feed()
    const books = booksOf([
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Assignment', { date, quantity: 1, security: call, toSecurity: shares }),
    ])
    assert.deepEqual(
      [books.lots, books.breaks],
      [[`XYZ L2: -100 for -5300 since ${date}`], ['Oversold -100']],
    )
  })

  test('the expiration of a long option is a loss of the premium, and that of a short option is a short-term gain', () => {
    const { buy, sellShort, line } = feed()
    const books = booksOf([
      buy({ date: '2022-01-03', quantity: 2, price: 3, security: put }),
      sellShort({ date: '2022-01-03', quantity: 1, price: 4, security: call }),
      line('Expiration', { date, security: put }),
      line('Expiration', { date, security: call, quantity: 1 }),
    ])
    assert.deepEqual(books.gains, [
      'Expiration L1: 2 for 0, cost 600, Long',
      'Expiration L2: -1 for 0, cost -400, Short',
    ])
    assert.deepEqual(books.moved, ['PUT -2 cash 0', 'CALL 1 cash 0'])
    assert.deepEqual(books.lots, [])
  })

  test('an expiration without a quantity closes the whole position, long or short', () => {
    const { sellShort, line } = feed()
    const books = booksOf([
      sellShort({ date: '2022-01-03', quantity: 2, price: 4, security: call }),
      line('Expiration', { date, security: call }),
    ])
    assert.deepEqual([books.moved, books.lots, books.breaks], [['CALL 2 cash 0'], [], []])
  })

  test('an expiration pays cash in lieu to the holder, and a short position pays it', () => {
    const { buy, sellShort, line } = feed()
    const books = booksOf([
      buy({ date: '2022-01-03', quantity: 2, price: 3, security: put }),
      sellShort({ date: '2022-01-03', quantity: 1, price: 4, security: call }),
      line('Expiration', { date, security: put, cashInLieu: 25 }),
      line('Expiration', { date, security: call, cashInLieu: 10 }),
    ])
    assert.deepEqual(books.gains, [
      'Expiration L1: 2 for 25, cost 600, Long',
      'Expiration L2: -1 for -10, cost -400, Short',
    ])
    assert.deepEqual(books.moved, ['PUT -2 cash 25', 'CALL 1 cash -10'])
  })

  test('an option on a bond is exercised at a strike in percent of par', () => {
    const { buy, line } = feed()
    const bond = exampleSecurity('BOND', { priceDivisor: '100' })
    const books = booksOf([
      buy({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Exercise', { date, quantity: 1, security: call, toSecurity: bond }),
    ])
    assert.deepEqual(books.moved, ['CALL -1 cash 0', 'BOND 100 cash -50'])
  })

  test('a cash settlement closes the option at the cash, which the holder receives and the writer pays', () => {
    const { buy, sellShort, line } = feed()
    const books = booksOf([
      buy({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: put }),
      line('Exercise', { date, quantity: 1, security: call, netAmount: 450 }),
      line('Assignment', { date, quantity: 1, security: put, netAmount: 125 }),
    ])
    assert.deepEqual(books.gains, [
      'Exercise L1: 1 for 450, cost 300, Long',
      'Assignment L2: -1 for -125, cost -300, Short',
    ])
    assert.deepEqual(books.moved, ['CALL -1 cash 450', 'PUT 1 cash -125'])
  })

  for (const [acctType, breaks] of [
    [1, ['Oversold -100']],
    [2, ['Oversold -100']],
    [3, []],
  ] as const) {
    test(`a call assigned in account type ${acctType} without the shares opens a short lot and raises ${breaks.length} breaks`, () => {
      const { sellShort, line } = feed()
      const books = booksOf([
        sellShort({ date: '2023-01-03', quantity: 1, price: 3, security: call, acctType }),
        line('Assignment', { date, quantity: 1, security: call, toSecurity: shares, acctType }),
      ])
      assert.deepEqual(books.lots, [`XYZ L2: -100 for -5300 since ${date}`])
      assert.deepEqual(books.breaks, breaks)
    })
  }

  test('an exercise of more than the holding opens a lot without premium and raises breaks', () => {
    const { buy, line } = feed()
    const books = booksOf([
      buy({ date: '2023-01-03', quantity: 1, price: 3, security: call }),
      line('Exercise', { date, quantity: 3, security: call, toSecurity: shares }),
    ])
    assert.deepEqual(books.lots, [`CALL L2: -2 for 0 since ${date}`, `XYZ L2: 300 for 15300 since ${date}`])
    assert.deepEqual(books.breaks, ['Oversold -2'])
    const { line: other11 } = feed()
    const unheld = booksOf([other11('Exercise', { date, quantity: 1, security: call, toSecurity: shares })])
    assert.deepEqual(unheld.breaks, ['NothingHeld 0', 'Oversold -1'])
  })
})
