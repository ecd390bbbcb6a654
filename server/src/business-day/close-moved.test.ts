/** The SMA and the Federal calls of days on which securities come in or leave beside the trades. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cancel, ledgerAfter, moved, paid, trade } from './test-margin-days.ts'

const transferred = moved('TransferIn', '1000', { cost: '1000', openDate: '2020-01-02' })
const written = trade('SEL', 'CALL50', '10', '5')
const nothing = { lines: [] }

describe('stock that comes in on the day on which calls are written on it', () => {
  const other = (quantity: string) => trade('BUY', 'LENT', quantity, '10')
  // The loan value of 25,000 and the premium of 5,000.
  const supported = 30_000

  it('covers them', async () => {
    assert.deepEqual(await ledgerAfter({ lines: [transferred, written, other('6000')] }), [0, 0])
    assert.deepEqual(await ledgerAfter({ lines: [other('6001'), written, transferred] }), [0, 5])
  })

  it('covers them in an account that a close has seen', async () => {
    const start = { lines: [paid('100')] }
    assert.deepEqual(await ledgerAfter(start, { lines: [transferred, written] }), [supported + 100, 0])
    const all = { lines: [transferred, written, other('6020')] }
    assert.deepEqual(await ledgerAfter(start, all), [0, 0], 'not only from the close on')
    const journals = [
      moved('Journal', '-1000', { acctType: '1' }),
      moved('Journal', '1000', { acctType: '2' }),
    ]
    const bought = { ...trade('BUY', 'STCK', '1000', '50'), acctType: '1' }
    assert.deepEqual(await ledgerAfter({ lines: [paid('100'), bought] }, { lines: [...journals, written] }), [
      supported + 100,
      0,
    ])
  })

  it('covers none if it came the day after', async () => {
    // 20 percent of 50,000 for the calls, of which nothing was there.
    const [, called] = await ledgerAfter({ lines: [written] }, { lines: [] })
    assert.equal(called, 10_000)
  })

  it('covers half of them if half of it is sold after a split of that day', async () => {
    const covered = { lines: [transferred, written, paid('1000')] }
    const split = { transType: 'Split', ratio: '2:1' }
    const splits = [{ ...split, symbol: 'STCK' }]
    const sold = trade('SEL', 'STCK', '1000', '25')
    // Half of the proceeds is released, less 20 percent of 25,000 for the calls that 1,000 shares no longer cover: the
    // contracts count in the new units before their own line arrives.
    const day = (...more: (typeof sold)[]) => ({ lines: [...splits, sold, ...more], price: '25' })
    assert.deepEqual(await ledgerAfter(covered, day()), [supported + 1_000 + 12_500 - 5_000, 0])
    assert.deepEqual(await ledgerAfter(covered, day(other('7700'))), [0, 0])
  })
})

describe('stock that leaves on the day on which the calls on it are bought back', () => {
  const covered = { lines: [paid('60000'), trade('BUY', 'STCK', '1000', '50'), written] }
  const bought = trade('BUY', 'CALL50', '10', '3')
  const out = moved('TransferOut', '1000')

  it('has covered them, so that nothing is released', async () => {
    assert.deepEqual(await ledgerAfter(covered, { lines: [bought] }, { lines: [out] }), [12_000, 0])
    assert.deepEqual(await ledgerAfter(covered, { lines: [out, bought] }, nothing), [12_000, 0])
    assert.deepEqual(await ledgerAfter(covered, { lines: [bought, out] }, nothing), [12_000, 0])
  })
})

describe('a short sale against the box', () => {
  const start = { lines: [paid('10500'), trade('BUY', 'STCK', '400', '50')] }
  const sold = trade('SSL', 'STCK', '400', '50')
  const free = 10_500

  it('is a sale, also on the day of its delivery', async () => {
    const delivery = [moved('Journal', '-400', { acctType: '2' }), moved('Journal', '400', { acctType: '3' })]
    assert.deepEqual(await ledgerAfter(start, { lines: [sold, ...delivery] }), [free, 0])
    assert.deepEqual(await ledgerAfter(start, { lines: [...delivery, sold] }), [free, 0])
    const bought = trade('BUY', 'LENT', '2100', '10')
    assert.deepEqual(await ledgerAfter(start, { lines: [sold, ...delivery, bought] }), [0, 0])
  })

  it('is a sale on a day on which another line moves the security', async () => {
    const one = moved('TransferIn', '2', { cost: '20', openDate: '2020-01-02' })
    assert.deepEqual(await ledgerAfter(start, { lines: [one, sold] }), [free + 50, 0])
    const dividend = { transType: 'StockDividend', symbol: 'STCK', ratio: '1:1' }
    // Of the 800 shares at 25, 400 are sold.
    const half = trade('SSL', 'STCK', '400', '25')
    assert.deepEqual(await ledgerAfter(start, { lines: [dividend, half], price: '25' }), [500 + 5_000, 0])
    assert.deepEqual(await ledgerAfter(start, nothing), [500, 0])
  })

  it('is a sale on the day of a cancel', async () => {
    const twice = trade('BUY', 'STCK', '10', '50')
    const before = { lines: [...start.lines, twice] }
    assert.deepEqual(await ledgerAfter(before, { lines: [cancel('0 2', twice), sold] }), [free, 0])
    // What is no longer held is sold short.
    const more = trade('SSL', 'STCK', '410', '50')
    const [, called] = await ledgerAfter(before, { lines: [cancel('0 2', twice), more] })
    assert.equal(called, 0)
  })

  it('is covered by a purchase, also on a day with another movement', async () => {
    const spent = { lines: [...start.lines, sold, trade('BUY', 'LENT', '2100', '10')] }
    const back = trade('BCV', 'STCK', '400', '50')
    assert.deepEqual(await ledgerAfter(spent, { lines: [back] }), [0, 10_000])
    const one = moved('TransferIn', '2', { cost: '20', openDate: '2020-01-02' })
    assert.deepEqual(await ledgerAfter(spent, { lines: [back, one] }), [0, 9_950])
  })
})
