/** What an account owes under Regulation T after its trades were cancelled, sold or journalled away. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cancel, ledgerAfter, type MarginDay, moved, paid, trade } from './test-margin-days.ts'

async function calledAfter(...days: readonly MarginDay[]): Promise<number> {
  const [, called] = await ledgerAfter(...days)
  return called
}

describe('the call for 2,000 of equity', () => {
  const bought = trade('BUY', 'STCK', '60', '50')

  it('ends when its trade is cancelled, sold or covered', async () => {
    const sold = trade('SSL', 'STCK', '10', '50')
    assert.equal(await calledAfter({ lines: [sold] }), 2_000)
    assert.equal(await calledAfter({ lines: [sold] }, { lines: [cancel('0 0', sold)] }), 0)
    assert.equal(await calledAfter({ lines: [bought] }, { lines: [cancel('0 0', bought)] }), 0)
    assert.equal(await calledAfter({ lines: [bought] }, { lines: [trade('SEL', 'STCK', '60', '50')] }), 0)
  })

  it('is that of what is left', async () => {
    assert.equal(await calledAfter({ lines: [bought] }), 2_000)
    const less = { ...trade('BUY', 'STCK', '40', '50'), rebill: 'Y', tagNo: '0 0' }
    assert.equal(await calledAfter({ lines: [bought] }, { lines: [cancel('0 0', bought), less] }), 2_000)
    assert.equal(await calledAfter({ lines: [bought] }, { lines: [trade('SEL', 'STCK', '59', '50')] }), 50)
  })
})

describe('a journal to the cash account', () => {
  const start = { lines: [paid('20000'), trade('BUY', 'STCK', '800', '50')] }
  const out = (netAmount: string) => [
    { transType: 'Journal', netAmount: `-${netAmount}` },
    { transType: 'Journal', netAmount, acctType: '1' },
  ]

  it('of cash is called for like a withdrawal, up to the deficiency', async () => {
    assert.equal(await calledAfter({ lines: [...start.lines, ...out('5000')] }), 5_000)
    assert.equal(await calledAfter(start, { lines: out('5000') }), 5_000)
    // The stock of 48,000 requires 24,000, and the equity is 23,000.
    assert.equal(await calledAfter(start, { lines: out('5000'), price: '60' }), 1_000)
  })

  it('of shares is called for, and a transfer to another firm is not', async () => {
    const shares = [moved('Journal', '-200', { acctType: '2' }), moved('Journal', '200', { acctType: '1' })]
    assert.equal(await calledAfter(start, { lines: shares }), 5_000)
    assert.equal(await calledAfter(start, { lines: [moved('TransferOut', '200')] }), 0)
  })

  it('that comes back on its day is none', async () => {
    const back = [
      { transType: 'Journal', netAmount: '5000' },
      { transType: 'Journal', netAmount: '-5000', acctType: '1' },
    ]
    assert.equal(await calledAfter(start, { lines: [...out('5000'), ...back] }), 0)
  })
})
