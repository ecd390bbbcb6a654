/** list-breaks returns the security, the quantity and the line of a break with its trade date, by cause. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
          quantity: '9000000',
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
  assert.deepEqual([raised.symbol, raised.tradeDate], ['ANCR', '2025-03-03'])
  const ofKind = (await operations.listBreaks({ kind: raised.kind, counted: true })).data
  assert.ok(ofKind.breaks.every(({ kind }) => kind === raised.kind))
  assert.equal(ofKind.total, ofKind.breaks.length)
  assert.deepEqual((await operations.listBreaks({ kind: 'NoSuchKind' })).data.breaks, [])
})
