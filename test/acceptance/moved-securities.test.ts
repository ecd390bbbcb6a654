/** Records of activity state which securities a line moved: their sum is the position, also after late lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import type { Data } from '@clearing/protocol'
import { isEvent } from '@clearing/sdk'
import {
  book,
  booksHold,
  buy,
  closeDay,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

type ActivityRecord = Data<'non-trade-activity'>['activity'][number]
async function poll(accountNumber: string, dateFrom: string, dateTo = dateFrom) {
  const asked = { accountNumber, dateFrom, dateTo, dateField: 'enteredOn' } as const
  const trades = (await service.alpha.tradeActivity(asked)).data
  const others = (await service.alpha.nonTradeActivity(asked)).data
  return {
    lines: [...trades.activity, ...others.activity],
    restated: [...(trades.restated ?? []), ...(others.restated ?? [])],
  }
}
function inShort({
  transType,
  quantity,
  securitiesMoved,
}: Pick<ActivityRecord, 'transType' | 'quantity' | 'securitiesMoved'>) {
  return [transType, quantity, ...securitiesMoved.map((one) => `${one.symbol} ${one.quantity}`)].join(', ')
}
function sumsOf(lines: Iterable<Pick<ActivityRecord, 'securitiesMoved'>>) {
  const sums = new Map<string, number>()
  for (const { securitiesMoved } of lines)
    for (const { secNo, quantity } of securitiesMoved)
      sums.set(secNo, (sums.get(secNo) ?? 0) + Number(quantity))
  return [...sums].filter(([, sum]) => sum !== 0).sort()
}
async function positionsOf(accountNumber: string) {
  const { data } = await service.alpha.positionSummary({ accountNumber })
  return data.portfolios.map(({ secNo, quantity }) => [secNo, Number(quantity)] as const).sort()
}

test('the lists of all lines are the positions, and a late line restates what earlier lines moved', async () => {
  const [account, day] = [await newAccount(), await today()]
  const from = addMarketDays(addDays(day, -14), 1)
  const acted = addMarketDays(from, 2)
  // One after the other, because the event has the lines in the order of the securities.
  const symbols: string[] = []
  for (const at of [0, 1, 2, 3, 4]) symbols.push(await newSecurity({ symbol: `MOV${at}` }))
  const [split, parent, spun, old, renamed] = symbols
  const dated = { acctNo: account, tradeDate: acted }
  const purchases = (quantity: string, tradeDate: string) =>
    [split, parent, old].map((symbol) => buy(account, symbol as string, quantity, tradeDate))
  const [, , , splitLine = ''] = await book(
    ...purchases('100', from),
    { ...dated, transType: 'Split', symbol: split, ratio: '3:2' },
    { ...dated, transType: 'Spinoff', symbol: parent, toSymbol: spun, ratio: '1:4', costShare: '0.2' },
    { ...dated, transType: 'NameChange', symbol: old, toSymbol: renamed },
    { ...dated, transType: 'Dividend', symbol: split, quantity: '150', netAmount: '5' },
    { ...dated, transType: 'TransferOut', symbol: parent, quantity: '30' },
  )
  const copy = new Map((await poll(account, day)).lines.map((line) => [line.externalId, line]))
  assert.deepEqual([...copy.values()].map(inShort), [
    ...[split, parent, old].map((symbol) => `Trade, 100, ${symbol} 100`),
    `Split, 50, ${split} 50`,
    `Spinoff, 0, ${spun} 25`,
    `NameChange, -100, ${old} -100, ${renamed} 100`,
    'Dividend, 150',
    `TransferOut, 30, ${parent} -30`,
  ])
  assert.deepEqual(sumsOf(copy.values()), await positionsOf(account))

  await closeDay()
  const next = await today()
  await book(...purchases('20', from))
  const { lines, restated } = await poll(account, next)
  assert.deepEqual(
    restated.map((line) => [inShort(line), line.change, line.netAmount]),
    [
      [`Split, 60, ${split} 60`, '0', '0'],
      [`Spinoff, 0, ${spun} 30`, '0', '0'],
      [`NameChange, -120, ${old} -120, ${renamed} 120`, '0', '0'],
    ],
  )
  for (const line of lines) copy.set(line.externalId, line)
  for (const line of restated)
    copy.set(line.externalId, { ...(copy.get(line.externalId) as ActivityRecord), ...line })
  assert.deepEqual(sumsOf(copy.values()), await positionsOf(account))

  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ accountNumber: account, types: ['activity.restated'] })
  const reported = data.events
    .filter((event) => isEvent(event, 'activity.restated'))
    .flatMap((event) => event.data.restated)
  assert.deepEqual(
    reported.map(({ transType, securities }) => [
      transType,
      ...securities.map(({ quantityBefore, quantity }) => `${quantityBefore} ${quantity}`),
    ]),
    [
      ['Split', '50 60'],
      ['Spinoff', '25 30'],
      ['NameChange', '-100 -120', '100 120'],
    ],
  )

  // As known at the close, the lines moved what they moved then. A cancel moves the opposite of now.
  const known = await service.alpha.nonTradeActivity({
    ...{ accountNumber: account, dateFrom: day, dateTo: day, dateField: 'enteredOn', knownAt: day },
  })
  assert.deepEqual(known.data.activity.slice(0, 1).map(inShort), [`Split, 50, ${split} 50`])
  await book({ acctNo: account, cancelType: 'C', tagNo: splitLine, tradeDate: day })
  const [cancel] = (await poll(account, next)).lines.filter(({ cancel }) => cancel === 'Y')
  assert.equal(cancel && inShort(cancel), `Split, -60, ${split} -60`)
  assert.deepEqual(sumsOf((await poll(account, day, next)).lines), await positionsOf(account))
  await booksHold()
})
