/** list-breaks returns the security, the quantity and the line of a break with its trade date, by cause. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

test('a sale of more than the position', async () => {
  const { operations } = service.operations
  const { data: load } = await operations.loadActivity({
    lines: {
      ndjson: [
        {
          externalId: 'named-1',
          acctNo: '30100001',
          transType: 'Trade',
          buySell: 'SEL',
          symbol: 'ANCR',
          quantity: '90000000000.12345678',
          price: '4.10',
          tradeDate: '2025-03-03',
        },
      ],
    },
  })
  assert.equal(load.accepted, 1, JSON.stringify(load.rejects))
  const { breaks } = (await operations.listBreaks({ accountNumber: '30100001' })).data
  const raised = breaks.find(({ externalId }) => externalId === 'named-1')
  assert.ok(raised, JSON.stringify(breaks))
  // More digits than a floating-point number has.
  const exact = '-89999999750.12345678'
  const { text } = await service.send('/operations-api/v1/list-breaks', {
    headers: {
      authorization: `Bearer ${await service.token('operations')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ accountNumber: '30100001', kind: raised.kind }),
  })
  assert.ok(text.includes(`"quantity":${exact},`), text)
  assert.deepEqual([raised.symbol, raised.tradeDate], ['ANCR', '2025-03-03'])
  const ofKind = (await operations.listBreaks({ kind: raised.kind, counted: true })).data
  assert.ok(ofKind.breaks.every(({ kind }) => kind === raised.kind))
  assert.equal(ofKind.total, ofKind.breaks.length)
  assert.deepEqual((await operations.listBreaks({ kind: 'NoSuchKind' })).data.breaks, [])
  const { work } = (await operations.listWork({ queues: ['Break'], accountNumber: '30100001' })).data
  const item = work.find(({ itemId }) => itemId === raised.breakId)
  assert.deepEqual(
    [item?.subject, item?.detail],
    [raised.kind, `ANCR ${exact} · line named-1 · ${raised.reason}`],
  )
  const { kind, reason, quantity } = raised
  assert.deepEqual(item?.break, { kind, security: 'ANCR', quantity, externalId: 'named-1', reason })
  assert.deepEqual([item?.document, item?.call], [null, null])
})

test('a lot that an exercise names is one of the option or of the shares, and neither is a break', async () => {
  const { operations } = service.operations
  const option = { secTypeName: 'Option', multiplier: '100', underlying: 'EXL', expiration: '2030-01-18' }
  const securities = [
    { symbol: 'EXL', secTypeName: 'Common Stock' },
    { symbol: 'EXL P50', ...option, putCall: 'Put', strike: '50' },
    { symbol: 'EXL C40', ...option, putCall: 'Call', strike: '40' },
  ]
  assert.deepEqual((await operations.loadSecurities({ lines: { ndjson: securities } })).data.rejects, [])
  const bought = { transType: 'Trade', buySell: 'BUY' }
  const earlier = [
    { externalId: 'S1', ...bought, symbol: 'EXL', quantity: '100', price: '20', tradeDate: '2023-01-03' },
    { externalId: 'S2', ...bought, symbol: 'EXL', quantity: '200', price: '30', tradeDate: '2023-02-01' },
    { externalId: 'P1', ...bought, symbol: 'EXL P50', quantity: '1', price: '1', tradeDate: '2023-03-01' },
    { externalId: 'P2', ...bought, symbol: 'EXL P50', quantity: '2', price: '2', tradeDate: '2023-04-03' },
    { externalId: 'C1', ...bought, symbol: 'EXL C40', quantity: '1', price: '3', tradeDate: '2023-05-01' },
    { externalId: 'C2', ...bought, symbol: 'EXL C40', quantity: '1', price: '4', tradeDate: '2023-06-01' },
  ]
  const rows: readonly (readonly [
    symbol: string,
    quantity: string,
    lotId: string,
    closed: readonly string[],
    breaks: readonly string[],
  ])[] = [
    ['EXL P50', '2', 'P2', ['P2 2', 'S1 100', 'S2 100'], []],
    ['EXL P50', '2', 'S2', ['P1 1', 'P2 1', 'S2 200'], []],
    ['EXL P50', '2', 'P1', ['P1 1', 'P2 1', 'S1 100', 'S2 100'], ['UnknownLot 1']],
    ['EXL P50', '3', 'S2', ['P1 1', 'P2 2', 'S1 100', 'S2 200'], ['UnknownLot 100']],
    ['EXL P50', '1', 'X9', ['P1 1', 'S1 100'], ['UnknownLot 100']],
    // The shares that a call delivers close nothing, so only the option can be named.
    ['EXL C40', '1', 'C2', ['C2 1'], []],
    ['EXL C40', '1', 'X9', ['C1 1'], ['UnknownLot 1']],
  ]
  for (const [symbol, quantity, lotId, closed, breaks] of rows) {
    const account = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
    const exercise = { externalId: 'E', transType: 'Exercise', symbol, quantity, lotId, toSymbol: 'EXL' }
    const ndjson = [...earlier, { ...exercise, tradeDate: '2024-09-03' }].map((line) => ({
      ...{ acctNo: account, acctType: '2', ...line, externalId: `${account}${line.externalId}` },
      ...('lotId' in line && { lotId: `${account}${line.lotId}` }),
    }))
    assert.deepEqual((await operations.loadActivity({ lines: { ndjson } })).data.rejects, [])
    const range = { dateFrom: '2024-01-01', dateTo: '2024-12-31' }
    const { closings } = (await service.alpha.realizedGains({ accountNumber: account, ...range })).data
    const what = `${quantity} ${symbol} ${lotId}`
    assert.deepEqual(
      closings.map((one) => `${one.openedBy.slice(account.length)} ${one.quantity}`).sort(),
      closed,
      what,
    )
    const raised = (await operations.listBreaks({ accountNumber: account })).data.breaks
    const found = raised.filter(({ kind }) => kind !== 'NotEntitled')
    assert.deepEqual(
      found.map((one) => `${one.kind} ${one.quantity}`),
      breaks,
      what,
    )
  }
})
