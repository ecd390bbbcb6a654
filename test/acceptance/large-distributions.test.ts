/** Splits and stock dividends of 25 percent or more: due bills until the business day after the pay date. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  announce,
  announced,
  book,
  booksHold,
  buy,
  closeDay,
  entitlementsOf,
  gainsOf,
  linesInShort,
  newAccount,
  newSecurity,
  positionsOf,
  service,
  startBeforeTests,
  today,
  workIsDone,
} from './announced-actions.ts'

startBeforeTests()

async function exDateOf(corporateActionId: string) {
  const { data } = await service.alpha.listCorporateActions({ corporateActionId })
  return data.corporateActions[0]?.exDate
}

describe('a split without an ex-date', () => {
  test('belongs to who bought before the business day after its pay date, and not to the holder of record', async () => {
    const symbol = await newSecurity()
    const [seller, buyer, holder, late] = [
      await newAccount(),
      await newAccount(),
      await newAccount(),
      await newAccount(),
    ]
    const first = await today()
    const [recordDate, between, payDate, exDate] = [1, 2, 3, 4].map((days) => addMarketDays(first, days))
    assert.ok(recordDate && between && payDate && exDate)
    await book(buy(seller, symbol, '100', first), buy(holder, symbol, '100', first))
    const id = await announced({ type: 'Split', symbol, recordDate, payDate, ratio: '2:1' })
    assert.equal(await exDateOf(id), exDate)
    await closeDay()
    await closeDay()
    assert.equal(await today(), between)
    await book(
      buy(seller, symbol, '60', between, { buySell: 'SEL', secFee: '0' }),
      buy(buyer, symbol, '60', between),
    )
    await closeDay()
    await book(
      buy(seller, symbol, '40', payDate, { buySell: 'SEL', secFee: '0' }),
      buy(buyer, symbol, '40', payDate),
    )
    assert.deepEqual(await positionsOf(holder), [`${symbol} 100 for 1000.00`])
    await closeDay()
    await workIsDone()
    await book(
      buy(holder, symbol, '50', exDate, { buySell: 'SEL', price: '5', secFee: '0' }),
      buy(late, symbol, '50', exDate, { price: '5' }),
    )
    const held = await Promise.all([seller, buyer, holder, late].map(positionsOf))
    assert.deepEqual(held, [
      [],
      [`${symbol} 200 for 1000.00`],
      [`${symbol} 150 for 750.00`],
      [`${symbol} 50 for 250.00`],
    ])
    assert.deepEqual(await gainsOf(seller), ['60 for 600, cost 600, gain 0', '40 for 400, cost 400, gain 0'])
    assert.deepEqual(await linesInShort(buyer), [`Split ${exDate} 0.00`])
    const entitled = (await entitlementsOf(id)).filter(({ state }) => state === 'Booked')
    assert.deepEqual(
      entitled.map(({ accountNumber, quantity }) => [accountNumber, Number(quantity)]).sort(),
      [
        [buyer, 100],
        [holder, 100],
      ].sort(),
    )
    await booksHold()
  })
})

describe('the ex-date of an announcement', () => {
  const dates = { recordDate: '2026-02-12', payDate: '2026-02-27' }
  const rows = [
    ['a split of 5:4', { type: 'Split', ratio: '5:4' }, '2026-03-02'],
    ['a split of 6:5', { type: 'Split', ratio: '6:5' }, '2026-02-12'],
    ['a reverse split', { type: 'Split', ratio: '1:10' }, '2026-02-12'],
    ['a stock dividend of 25 percent', { type: 'StockDividend', ratio: '1:4' }, '2026-03-02'],
    ['a stock dividend of 24 percent', { type: 'StockDividend', ratio: '24:100' }, '2026-02-12'],
    [
      'a split of 2:1 with an ex-date of its own',
      { type: 'Split', ratio: '2:1', exDate: '2026-02-12' },
      '2026-02-12',
    ],
  ] as const
  for (const [what, terms, exDate] of rows)
    test(`${what}: ${exDate}`, async () => {
      const id = await announced({ ...dates, ...terms, symbol: await newSecurity() })
      assert.equal(await exDateOf(id), exDate)
    })

  test('stays that of an earlier release if the line is sent again, and an amendment moves it', async () => {
    const line = { ...dates, type: 'Split', ratio: '2:1', symbol: await newSecurity() }
    const externalId = await announced(line)
    const before = `update clearing.announcement set ex_date = '2026-02-12', book_on = '2026-02-27' where external_id = $1`
    await service.query(before, [externalId])
    const again = await announce({ externalId, ...line })
    assert.deepEqual([again.duplicates, again.conflicts, again.rejects], [1, 0, []])
    assert.equal(await exDateOf(externalId), '2026-02-12')
    const other = await announce({ externalId, ...line, exDate: '2026-02-13' })
    assert.deepEqual([other.duplicates, other.conflicts], [0, 1])
    const amends = await announce({ externalId: `${externalId}-A`, amends: externalId, ...line })
    assert.deepEqual([amends.accepted, amends.rejects], [1, []])
    await workIsDone()
    assert.equal(await exDateOf(externalId), '2026-03-02')
  })
})
