import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { statement } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { parseCursor, renderCursor } from '../events/cursor.ts'
import { alpha, beta, startLog } from '../events/test-log.ts'
import {
  type EventFilter,
  everyEvent,
  findPosition,
  type LoggedEvent,
  type LogPosition,
  matches,
  type ReadRows,
  readLogPage,
  removeOldEvents,
} from './event-log.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())
let accounts = 0
async function newAccount(firmId = alpha, repCode?: string) {
  const accountNumber = `T${String(++accounts).padStart(7, '0')}`
  await log.addAccount(accountNumber, firmId, repCode)
  return accountNumber
}

async function page(
  from: LogPosition | undefined,
  filter: EventFilter = everyEvent,
  size = 100,
  firmId = alpha,
) {
  const read = await readLogPage(log.sightOf(firmId), firmId, from, filter, { size })
  if (typeof read === 'string') throw new Error(read)
  return read
}
/** Reads a page when all committed events can be read. Must not be called while a writer is open. */
const settledPage: typeof page = async (...asked) => {
  await log.caughtUp()
  return page(...asked)
}
async function endOfLog() {
  let read = await settledPage(undefined)
  while (read.more) read = await page(read.end)
  return read.end
}
function seen(events: readonly LoggedEvent[]) {
  return events.map(({ accountNumber, sequence }) => `${accountNumber} ${sequence}`)
}

test('an event that is committed late is not skipped, and later events wait for it', async () => {
  const [slow, quick] = [await newAccount(), await newAccount()]
  const start = await endOfLog()
  const writer = await log.begin()
  await writer.write(slow)
  await log.write(quick)
  const during = await page(start)
  assert.deepEqual(seen(during.events), [])
  await writer.commit()
  const later = await settledPage(during.end)
  assert.deepEqual(seen(later.events), [`${slow} 1`, `${quick} 1`])
  assert.deepEqual(seen((await page(later.end)).events), [])
})

test('events of an account keep their order if the older transaction writes second', async () => {
  const account = await newAccount()
  const start = await endOfLog()
  const older = await log.begin()
  const younger = await log.begin()
  await younger.write(account)
  await younger.commit()
  await older.write(account)
  await older.commit()
  assert.deepEqual(seen((await settledPage(start)).events), [`${account} 1`, `${account} 2`])
})

test('pages of any size contain each event once, in the order of each account, whatever the order of commits', async () => {
  const numbers = [await newAccount(), await newAccount(), await newAccount()]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('begin', 'write', 'commit', 'read'), fc.nat(2)), { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, size) => {
        const start = await endOfLog()
        const writers = new Map<number, { writer: Awaited<ReturnType<typeof log.begin>>; wrote: boolean }>()
        const read: LoggedEvent[] = []
        let place = start
        let written = 0
        const readOn = async () => {
          for (;;) {
            const found = await page(place, everyEvent, size)
            read.push(...found.events)
            place = found.end
            if (!found.more) return
          }
        }
        const commit = async (which: number) => {
          await writers.get(which)?.writer.commit()
          writers.delete(which)
        }
        for (const [step, which] of steps) {
          if (step === 'begin' && !writers.has(which)) {
            writers.set(which, { writer: await log.begin(), wrote: false })
          }
          // Each writer has an account of its own, because two writers of one account would wait for each other.
          const open = writers.get(which)
          if (step === 'write') {
            written += 1
            if (open) await open.writer.write(numbers[which] as string)
            else await log.write(numbers[which] as string)
          }
          if (step === 'commit') await commit(which)
          if (step === 'read') await readOn()
        }
        for (const which of [2, 0, 1]) await commit(which)
        await log.caughtUp()
        await readOn()
        assert.equal(read.length, written)
        assert.equal(new Set(read.map(({ eventId }) => eventId)).size, written)
        for (const number of numbers) {
          const sequences = read
            .filter(({ accountNumber }) => accountNumber === number)
            .map((e) => e.sequence)
          const first = sequences[0] ?? 0
          assert.deepEqual(
            sequences,
            sequences.map((_, at) => first + at),
          )
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('a firm reads only its own events, whatever it requests', async () => {
  const [ours, theirs] = [await newAccount(alpha), await newAccount(beta)]
  const start = await endOfLog()
  await log.write(ours)
  await log.write(theirs, 'account.updated', beta)
  assert.deepEqual(seen((await settledPage(start)).events), [`${ours} 1`])
  assert.deepEqual(seen((await page(start, everyEvent, 100, beta)).events), [`${theirs} 1`])
  assert.deepEqual(seen((await page(start, { types: [], accountNumber: theirs })).events), [])
  const [event] = (await page(start)).events
  assert.ok(event)
  assert.deepEqual(await findPosition(log.sightOf(alpha), event.eventId), event.place)
  assert.equal(await findPosition(log.sightOf(beta), event.eventId), undefined)
  // The database protects the rows even if a statement omits the firm.
  const forgetful = await readLogPage(log.sightOf(beta), alpha, start, everyEvent, { size: 100 })
  assert.ok(typeof forgetful !== 'string' && forgetful.events.length === 0)
})

test('filters select by type, wildcard, entity number, rep code and account, in the database as in memory', async () => {
  const [one, two] = [await newAccount(alpha, 'JC01'), await newAccount(alpha, 'JC02')]
  const start = await endOfLog()
  for (const type of ['document.received', 'document.approved', 'application.action_required']) {
    await log.write(one, type)
    await log.write(two, type)
  }
  const all = (await settledPage(start)).events
  const chosen = async (filter: EventFilter) => {
    const { events } = await page(start, filter)
    assert.deepEqual(seen(events), seen(all.filter((event) => matches(filter, event))))
    return seen(events)
  }
  assert.deepEqual(await chosen({ types: ['document.*'], repCode: 'JC01' }), [`${one} 1`, `${one} 2`])
  assert.deepEqual(await chosen({ types: ['document.approved'] }), [`${one} 2`, `${two} 2`])
  assert.deepEqual(await chosen({ types: ['document.approved', 'application.*'], accountNumber: two }), [
    `${two} 2`,
    `${two} 3`,
  ])
  // `_` in a type is not a wildcard.
  assert.deepEqual(await chosen({ types: ['application_action_required'] }), [])
  assert.equal((await chosen({ types: [], entityNumber: '301' })).length, 6)
  assert.deepEqual(await chosen({ types: [], entityNumber: '302' }), [])
})

test('a page reads a limited number of events, and reports that there may be more', async () => {
  const account = await newAccount()
  const start = await endOfLog()
  for (const type of ['account.updated', 'account.updated', 'account.updated', 'account.closed']) {
    await log.write(account, type)
  }
  const read = async (from: LogPosition) => {
    const filter = { types: ['account.closed'] }
    const found = await readLogPage(log.sightOf(alpha), alpha, from, filter, { size: 10, scannedMax: 3 })
    if (typeof found === 'string') throw new Error(found)
    return found
  }
  await log.caughtUp()
  const first = await read(start)
  assert.deepEqual([first.events.length, first.more], [0, true])
  const second = await read(first.end)
  assert.deepEqual([seen(second.events), second.more], [[`${account} 4`], false])
})

test('an event has the rep code that the account had when it happened', async () => {
  const account = await newAccount(alpha, 'JC01')
  const start = await endOfLog()
  await log.write(account)
  const move = statement(
    'test-move-account',
    `update clearing.account set rep_code = 'JC02' where account_number = $1`,
  )
  await inTransaction(log.database.app, { firm: alpha }, (tx) => tx.run(move, [account]))
  await log.write(account)
  assert.deepEqual(
    (await settledPage(start)).events.map(({ repCode, entityNumber }) => `${entityNumber} ${repCode}`),
    ['301 JC01', '301 JC02'],
  )
})

test('a cursor ahead of the log is distinguished from a cursor before removed events', async () => {
  const account = await newAccount()
  await log.write(account)
  const { events } = await settledPage(undefined)
  const oldest = events[0]?.place as LogPosition
  const read = (from: LogPosition) => readLogPage(log.sightOf(alpha), alpha, from, everyEvent, { size: 10 })
  assert.equal(await read({ transaction: 2n ** 40n, position: 1n, line: 0 }), 'future')
  const rows: ReadRows = (what, values) =>
    inTransaction(log.database.operations, { firm: null }, (tx) => tx.rows(what, values))
  assert.equal(await removeOldEvents(rows, 1, 3), 0)
  const age = "update clearing.event_row set written_at = now() - interval '9 days'"
  await asSuperuser(age)
  assert.equal(await removeOldEvents(rows, 1, 3), 3)
  assert.equal(await read(oldest), 'too-old')
  const rest = await page(undefined)
  assert.deepEqual(seen(rest.events), seen(events.slice(3)))
  assert.ok(typeof (await read(rest.end)) !== 'string')
})

async function asSuperuser(sql: string) {
  const client = await log.database.superuser()
  await client.query(sql)
}

test('a cursor is read back as it was written, and no other text is a cursor', () => {
  const number = fc.bigInt(0n, 2n ** 63n - 1n)
  fc.assert(
    fc.property(number, number, fc.nat(200), fc.nat(2 ** 31 - 1), (transaction, position, moves, line) => {
      const text = renderCursor({ transaction, position, line }, moves)
      assert.deepEqual(parseCursor(text), { transaction, position, line, moves })
      // Cursors of earlier releases name no line.
      if (line === 0) assert.equal(text.length, 23)
      for (const other of [`${text}A`, text.slice(1), ` ${text}`, `${text}=`, text.replace(/^./, '_')]) {
        assert.equal(parseCursor(other), undefined)
      }
    }),
  )
  for (const text of ['', 'x', '1', '💥', 'a'.repeat(23)]) assert.equal(parseCursor(text), undefined)
})
