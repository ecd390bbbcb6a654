/** A restriction suspends what pending lines of a later day use, whether the close has booked them yet or not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { goPastClose } from './close-of-day.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

test('the day before, in the evening after the close, and on the day of the lines', async () => {
  const { operations } = service.operations
  const { businessDate: first } = (await service.alpha.sandbox.getClock({})).data
  const day = addMarketDays(first, 1)
  await service.alpha.sandbox.setClock({ now: `${day}T15:00:00Z` })
  const next = addMarketDays(day, 1)
  const accounts: string[] = []
  const securities = { lines: { ndjson: [{ symbol: 'AHEAD', secTypeName: 'Common Stock' }] } }
  assert.deepEqual((await operations.loadSecurities(securities)).data.rejects, [])
  for (const name of ['before', 'evening', 'morning']) {
    const acctNo = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: newTaxId() }))
    accounts.push(acctNo)
    const bought = { transType: 'Trade', buySell: 'BUY', symbol: 'AHEAD', quantity: '3', price: '2' }
    const ndjson = [
      { ...bought, id: 'today', tradeDate: day },
      { ...bought, id: 'next', tradeDate: next },
      { ...bought, id: 'cancelled', tradeDate: next },
      { id: 'cancel', cancelType: 'C', tagNo: `${name}-cancelled`, tradeDate: next },
      { id: 'paid', transType: 'Journal', netAmount: '-1', tradeDate: next },
      { id: 'moved', transType: 'Journal', netAmount: '-2', tradeDate: next },
      { id: 'taken', transType: 'Journal', netAmount: '2', acctType: '2', tradeDate: next },
      { id: 'unpaid', transType: 'Journal', netAmount: '-3', tradeDate: next },
      { id: 'undo', cancelType: 'C', tagNo: `${name}-unpaid`, tradeDate: next },
      { id: 'dividend', transType: 'Dividend', symbol: 'AHEAD', netAmount: '9', tradeDate: next },
    ].map(({ id, ...line }) => ({ externalId: `${name}-${id}`, acctNo, ...line }))
    assert.deepEqual((await operations.loadActivity({ lines: { ndjson } })).data.rejects, [])
  }
  const restrict = (at: number) =>
    operations.placeRestriction({
      ...{ accountNumber: accounts[at] as string, restrictionCode: 'Sanctions', reason: 'A test.' },
    })
  const suspended = async (at: number) => {
    const { data } = await operations.listBreaks({ accountNumber: accounts[at] as string, kind: 'Suspended' })
    return data.breaks.map(({ externalId, reason, tradeDate }) => [externalId, reason, tradeDate]).sort()
  }
  const both = (name: string) => [
    [`${name}-next`, 'Trade BUY while Sanctions suspended Buying.', next],
    [`${name}-paid`, 'Journal while Sanctions suspended Withdrawals.', next],
  ]
  await restrict(0)
  assert.deepEqual(await suspended(0), [])
  await goPastClose(service, day)
  assert.deepEqual(await suspended(0), both('before'))
  await restrict(1)
  assert.deepEqual(await suspended(1), both('evening'))
  // The trades of a day come before a restriction of that day, if they were booked before it.
  await service.alpha.sandbox.setClock({ now: `${next}T15:00:00Z` })
  await restrict(2)
  assert.deepEqual(await suspended(2), [])
})
