/** Which violations freeze a cash account, and how long they count. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CashViolation, freezeOn, freezesOf, goodFaithViolations, isFrozen, isKept } from './index.ts'

function violation(soldOn: string, of: Partial<CashViolation> = {}): CashViolation {
  return { kind: 'GoodFaith', purchaseId: 'P', saleId: 'S', purchasedOn: soldOn, soldOn, paidOn: null, ...of }
}

describe('violations', () => {
  test('count for twelve months', () => {
    const one = violation('2026-03-10')
    const counts = (day: string) => goodFaithViolations([one], day).length === 1
    assert.deepEqual(['2026-03-09', '2026-03-10', '2027-03-09', '2027-03-10'].map(counts), [
      ...[false, true, true, false],
    ])
  })

  test('are kept while a freeze that they caused can be in force', () => {
    const one = violation('2026-03-10')
    const kept = (day: string) => isKept(one, day)
    assert.deepEqual(['2026-03-09', '2026-03-10', '2027-09-09', '2027-09-10'].map(kept), [
      ...[false, true, true, false],
    ])
  })

  test('freeze the account at the third violation in twelve months, including free riding that was paid in time', () => {
    const two = [
      violation('2026-03-10'),
      violation('2026-08-03', { kind: 'FreeRiding', paidOn: '2026-08-05' }),
    ]
    assert.deepEqual(freezesOf(two), [])
    assert.equal(goodFaithViolations(two, '2026-12-31').length, 2)
    const until = '2027-06-07'
    assert.deepEqual(freezesOf([...two, violation('2027-03-09')]), [
      { from: '2027-03-09', until, cause: 'GoodFaith' },
    ])
    assert.deepEqual(freezesOf([...two, violation('2027-03-10')]), [])
    assert.equal(isFrozen([...two, violation('2027-03-09')], until), true)
    assert.equal(isFrozen([...two, violation('2027-03-09')], '2027-06-08'), false)
    assert.equal(isFrozen([...two, violation('2027-03-09')], '2027-03-09'), false)
  })

  test('of free riding freeze the account at once, and the latest freeze is in force', () => {
    const many = [
      violation('2026-06-02', { kind: 'FreeRiding' }),
      violation('2026-05-04', { kind: 'FreeRiding' }),
    ]
    assert.deepEqual(
      freezesOf(many).map(({ from, cause }) => [from, cause]),
      [
        ['2026-05-04', 'FreeRiding'],
        ['2026-06-02', 'FreeRiding'],
      ],
    )
    const [june, may] = many
    assert.ok(june && may)
    const april = violation('2026-04-07', { kind: 'FreeRiding' })
    for (const order of [
      [april, may, june],
      [june, april, may],
      [may, june, april],
    ]) {
      assert.deepEqual(
        freezesOf(order).map(({ from }) => from),
        ['2026-04-07', '2026-05-04', '2026-06-02'],
      )
    }
    assert.equal(freezeOn(many, '2026-06-03')?.from, '2026-06-02')
    assert.equal(freezeOn(many, '2026-06-02')?.from, '2026-05-04')
    assert.equal(freezeOn([], '2026-06-02'), undefined)
    assert.equal(goodFaithViolations(many, '2026-06-02').length, 0)
  })
})
