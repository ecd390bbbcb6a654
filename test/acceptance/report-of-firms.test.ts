/** get-report gives each firm the durations of its own applications, within the range of days. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

test('the durations of states are those of the firm', async () => {
  const ofBeta = { entityNumber: '302', main: { repCode: 'BB01' } }
  await openAndFollow(service.alpha, applicationOf({ firstName: 'Ada', lastName: 'Moreno' }))
  await openAndFollow(service.alpha, applicationOf({ firstName: 'Ada', lastName: 'Morena' }))
  await openAndFollow(service.beta, applicationOf({ firstName: 'Ada', lastName: 'Morent' }, ofBeta))
  const today = easternDay(new Date((await service.alpha.sandbox.getClock({})).data.now))
  const report = async (dateFrom: string, dateTo: string, firmId?: string) => {
    const range = { dateFrom, dateTo, ...(firmId && { firmId }) }
    return (await service.operations.operations.getReport(range)).data.firms
  }
  const countsOf = (firms: Awaited<ReturnType<typeof report>>) =>
    firms.map(({ firmName, timeInState }) => [firmName, [...new Set(timeInState.map(({ count }) => count))]])
  const both = await report(today, today)
  assert.deepEqual(countsOf(both), [
    ['Alpha Securities', [2]],
    ['Beta Brokerage', [1]],
  ])
  for (const { timeInState } of both) {
    const states = timeInState.map(({ state }) => state)
    assert.deepEqual(states, [...states].sort())
    assert.ok(states.includes('Screening'))
  }
  assert.deepEqual(countsOf(await report(today, today, both[1]?.firmId)), [['Beta Brokerage', [1]]])
  assert.deepEqual(await report(addDays(today, 1), addDays(today, 2)), [])
  assert.deepEqual(await report(addDays(today, -2), addDays(today, -1)), [])
})
