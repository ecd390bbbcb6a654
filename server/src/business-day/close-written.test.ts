/** The prices at which written options move the SMA: those of the close before, or of the trades of the day. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ledgerAfter, type MarginDay, moved, paid, trade } from './test-margin-days.ts'

const written = trade('SEL', 'CALL50', '10', '5')

async function calledAfter(...days: readonly MarginDay[]): Promise<number> {
  const [, called] = await ledgerAfter(...days)
  return called
}

// 20 percent of 50,000.
const required = '10000'

describe('an option that is written', () => {
  it('is margined by the price of its underlying at the close before, wherever the market moves', async () => {
    for (const price of ['20', '70'])
      assert.equal(await calledAfter({ lines: [paid(required), written], price }), 0, price)
    assert.equal(await calledAfter({ lines: [paid('9999'), written], price: '70' }), 1)
  })

  it('is margined by the close of the day before it', async () => {
    const moves = { lines: [paid('14000')], price: '70' }
    assert.equal(await calledAfter(moves, { lines: [written], price: '50' }), 0)
    const less = { lines: [paid('13999')], price: '70' }
    assert.equal(await calledAfter(less, { lines: [written], price: '50' }), 1)
  })

  it('has the same margin if its line arrives late', async () => {
    const late = { lines: [{ ...written, tradeDate: '2026-11-20' }], price: '70' }
    assert.equal(await calledAfter({ lines: [paid(required)] }, late), 0)
    assert.equal(await calledAfter({ lines: [paid('9999')] }, late), 1)
  })

  it('is margined by a trade of the account in the underlying on that day', async () => {
    const share = trade('BUY', 'STCK', '1', '60')
    const day = (netAmount: string) => ({ lines: [paid(netAmount), share, written], price: '70' })
    // 20 percent of 60,000, and half of the share.
    assert.equal(await calledAfter(day('12030')), 0)
    assert.equal(await calledAfter(day('12029')), 1)
  })

  it('is margined by the price of the day if its units change on that day', async () => {
    const one = moved('TransferIn', '2', { cost: '20', openDate: '2020-01-02' })
    const split = { transType: 'Split', symbol: 'STCK', ratio: '2:1' }
    const halves = trade('SEL', 'CALL25', '20', '2.5')
    const days = (netAmount: string) => [
      { lines: [one, paid(netAmount)] },
      { lines: [split, halves], price: '25' },
    ]
    assert.equal(await calledAfter(...days('9950')), 0)
    assert.equal(await calledAfter(...days('9949')), 1)
  })
})
