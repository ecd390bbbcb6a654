import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { openTestBooks } from '../books/testing/books-database.ts'
import type { Clock } from '../clock.ts'
import { ensureClearingFirm } from '../identity/first-credential.ts'
import { endOfBusinessDay } from './close-time.ts'
import { closeDueDays } from './schedule-close.ts'
import { addSecurities, makeBusinessDay, testMasterKeys } from './test-business-day.ts'

const firmId = '6a0c2d3e-0000-4000-8000-000000000301'

/** The service's clock, which a sandbox may set to any time. */
function clockAt(now: () => Date) {
  return { now, aheadMs: () => now().getTime() - Date.now() }
}

describe('the end of a business day', () => {
  it('is an hour of US Eastern time in summer and in winter, and on the days when the clocks change', () => {
    for (const [day, instant] of [
      ['2026-07-01', '2026-07-01T22:00:00.000Z'],
      ['2026-12-01', '2026-12-01T23:00:00.000Z'],
      ['2026-03-06', '2026-03-06T23:00:00.000Z'],
      ['2026-03-08', '2026-03-08T22:00:00.000Z'],
      ['2026-11-01', '2026-11-01T23:00:00.000Z'],
    ] as const) {
      assert.equal(endOfBusinessDay(day, '18:00').toISOString(), instant)
    }
  })
})

describe('the scheduled close', () => {
  it('closes each day once at its hour, and closes the days that it missed', async () => {
    await using books = await openTestBooks(['A0000001'], firmId)
    await addSecurities(books)
    const { operations } = books.database
    await ensureClearingFirm({ operations, masterKeys: testMasterKeys, now: new Date() })
    let now = new Date('2026-11-20T22:59:59Z')
    const businessDay = makeBusinessDay(books)
    const close = () =>
      closeDueDays({
        pool: operations,
        clock: clockAt(() => now),
        businessDay,
        closeAt: '18:00',
        log: pino({ enabled: false }),
      })
    assert.deepEqual(await close(), [])
    now = new Date('2026-11-20T23:00:00Z')
    assert.deepEqual(await Promise.all([close(), close()]), [['2026-11-20'], ['2026-11-20']])
    assert.deepEqual(await close(), [])
    // The clock passes a weekend and Thanksgiving.
    now = new Date('2026-11-28T12:00:00Z')
    assert.deepEqual(await close(), ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-27'])
    const { rows } = await books.database.owner.pg.query(
      'select business_date::text as day from clearing.business_day',
    )
    assert.deepEqual(rows, [{ day: '2026-11-30' }])
  })

  it('closes no day while the clock of its machine is ahead', async () => {
    await using books = await openTestBooks(['A0000001'], firmId)
    await addSecurities(books)
    const { operations } = books.database
    await ensureClearingFirm({ operations, masterKeys: testMasterKeys, now: new Date() })
    const businessDay = makeBusinessDay(books)
    const closedBy = (clock: Clock) => {
      const log = pino({ enabled: false })
      return closeDueDays({ pool: operations, clock, businessDay, closeAt: '18:00', log })
    }
    const right = clockAt(() => new Date('2026-11-20T23:00:00Z'))
    assert.deepEqual(await closedBy(right), ['2026-11-20'])
    const weekLater = () => new Date('2026-11-27T12:00:00Z')
    assert.deepEqual(await closedBy({ now: weekLater, aheadMs: right.aheadMs }), [])
    assert.deepEqual(await closedBy(clockAt(weekLater)), ['2026-11-23', '2026-11-24', '2026-11-25'])
  })

  it('completes an interrupted close before it closes the next day', async () => {
    await using books = await openTestBooks(['A0000001'], firmId)
    await addSecurities(books)
    const { operations } = books.database
    await ensureClearingFirm({ operations, masterKeys: testMasterKeys, now: new Date() })
    const now = new Date('2026-11-24T12:00:00Z')
    await books.database.operations.pg.query(
      "insert into clearing.business_day (business_date) values ('2026-11-20')",
    )
    const cutOff = makeBusinessDay(books, {
      beforePortion: () => {
        throw new Error('cut off')
      },
    })
    const request = { date: '2026-11-20', firmId, clientId: 'operations', traceId: '', now }
    await assert.rejects(cutOff.close(request), /cut off/)
    const closed = await closeDueDays({
      pool: operations,
      clock: clockAt(() => now),
      businessDay: makeBusinessDay(books),
      closeAt: '18:00',
      log: pino({ enabled: false }),
    })
    assert.deepEqual(closed, ['2026-11-20', '2026-11-23'])
  })

  it('waits an hour for a running load, and then records the load as open', async () => {
    await using books = await openTestBooks(['A0000001'], firmId)
    await addSecurities(books)
    const { operations } = books.database
    await ensureClearingFirm({ operations, masterKeys: testMasterKeys, now: new Date() })
    await operations.pg.query(
      `insert into clearing.load (load_id, kind, client_id, trace_id, started_at)
       values ('6a0c2d3e-0000-4000-8000-000000000001', 'load-activity', 'operations', '', '2026-11-20T22:59:00Z')`,
    )
    let now = new Date('2026-11-20T23:30:00Z')
    const close = () =>
      closeDueDays({
        pool: operations,
        clock: clockAt(() => now),
        businessDay: makeBusinessDay(books),
        closeAt: '18:00',
        log: pino({ enabled: false }),
      })
    assert.deepEqual(await close(), [])
    now = new Date('2026-11-21T00:00:00Z')
    assert.deepEqual(await close(), ['2026-11-20'])
    const { rows } = await operations.pg.query(
      `select accepted ->> 'by' as by, item -> 'count' as count from clearing.business_day_close
       cross join jsonb_array_elements(checklist) as item where item ->> 'item' = 'LoadsRunning' and (item ->> 'open')::boolean`,
    )
    assert.deepEqual(rows, [{ by: 'service', count: 1 }])
  })
})
