/**
 * Several connections and processes take portions of a close at the same time. The seal is the same as with one
 * worker.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBooks } from '../books/testing/books-database.ts'
import type { HelpPayload } from '../business-day/queue-help.ts'
import { closeDay, makeBusinessDay } from '../business-day/test-business-day.ts'
import { asSuperuser, events, friday, openBooks, rows, verify } from '../business-day/test-closes.ts'
import { unprepared } from '../database/statement.ts'
import { until } from '../database/test-waiting.ts'
import { inTransaction } from '../database/transaction.ts'
import type { CloseStep } from '../store/business-day.ts'
import { helpClose } from './help-close.ts'

/** The seal of a close that takes one portion after the other. */
async function sealAlone(): Promise<string> {
  await using books = await openBooks()
  return (await closeDay(books, friday, makeBusinessDay(books, { portionsAtOnce: 1 }))).seal
}

async function leftOf(books: TestBooks, step: CloseStep): Promise<number[]> {
  const left = await rows<{ portion: number }>(
    books,
    `select portion from clearing.business_day_portion where step = '${step}' and done_at is null order by portion`,
  )
  return left.map(({ portion }) => portion)
}

describe('portions of a close', () => {
  it('are taken while one portion takes long, and the next step waits for that portion', async () => {
    const alone = await sealAlone()
    await using books = await openBooks()
    const closings: Promise<{ readonly seal: string }>[] = []
    await inTransaction(books.database.operations, { firm: null }, async (tx) => {
      let held: Promise<unknown> | undefined
      const day = makeBusinessDay(books, {
        portionsAtOnce: 3,
        async beforePortion({ step }) {
          if (step !== 'Accrue') return
          // Acts as a slow worker that has claimed the first portion. No other worker claims before it.
          held ??= tx.rows(
            unprepared(
              "select from clearing.business_day_portion where step = 'Accrue' and portion = 0 for update",
            ),
          )
          await held
        },
      })
      closings.push(closeDay(books, friday, day))
      await until(
        'all portions but the first',
        async () => held !== undefined && (await leftOf(books, 'Accrue')).join() === '0',
      )
      const steps = await rows(books, 'select step from clearing.business_day_close')
      assert.deepEqual(steps, [{ step: 'Accrue' }])
    })
    const [closed] = await Promise.all(closings)
    assert.equal(closed?.seal, alone)
    assert.deepEqual(await leftOf(books, 'Accrue'), [])
    assert.equal((await events(books, 'call.issued')).length, 6)
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })

  it('are taken by another process, which the job starts', async () => {
    const alone = await sealAlone()
    await using books = await openBooks()
    const clock = { now: () => friday } as never
    const helper = makeBusinessDay(books)
    let isHelped = false
    const day = makeBusinessDay(books, {
      portionsAtOnce: 1,
      async beforePortion({ step }) {
        if (step !== 'Mark' || isHelped) return
        isHelped = true
        // The other process ends the close while this one is blocked.
        const [job] = await queued(books)
        assert.ok(job, 'the job is queued')
        await helpClose(job, books.database.operations, { businessDay: helper, clock })
      },
    })
    const closed = await closeDay(books, friday, day)
    assert.ok(isHelped)
    assert.equal(closed.seal, alone)
    assert.equal((await events(books, 'business_day.closed')).length, 2)
    // A close that has ended queues no job.
    const [job] = await queued(books)
    await helpClose(job as HelpPayload, books.database.operations, { businessDay: helper, clock })
    assert.deepEqual(await verify(books), { seals: 1, breaks: [], next: '' })
  })

  it('keep a step open for a process of the previous release until all of them are done', async () => {
    await using books = await openBooks()
    let refusal: Promise<string> | undefined
    const day = makeBusinessDay(books, {
      async beforePortion({ step, closeDate }) {
        if (step !== 'Mark') return
        const next = `update clearing.business_day_close set step = 'Calls', portion = 0 where close_date = '${closeDate}'`
        // No portion may end before the update of the previous release is refused.
        refusal ??= asSuperuser(books, [next]).then(
          () => 'taken',
          (fault: Error) => fault.message,
        )
        await refusal
      },
    })
    await closeDay(books, friday, day)
    assert.match((await refusal) ?? '', /portions that are not done/)
  })
})

async function queued({ database }: TestBooks): Promise<HelpPayload[]> {
  const found = await inTransaction(database.owner, { firm: null, readOnly: true }, (tx) =>
    tx.rows(
      unprepared<{ payload: HelpPayload }>(
        `select payload from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = 'help-close'`,
      ),
    ),
  )
  return found.map(({ payload }) => payload)
}
