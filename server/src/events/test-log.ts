/**
 * For tests: a database with the firms and accounts of the sandbox, and transactions that write events and end when the
 * test decides.
 */
import { statement } from '../database/statement.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'
import { sandboxFirms } from '../identity/sandbox-firms.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { type ReadRows, readLowWatermark } from '../store/event-log.ts'
import { writeEvent, writeEvents } from '../store/events.ts'

export const alpha: string = sandboxFirms[0].firmId
export const beta: string = sandboxFirms[1].firmId

export interface TestLog extends Writers, AsyncDisposable {
  readonly ground: TestGround
  readonly database: TestDatabase
  /** Reads with the rights of a firm. */
  sightOf(firmId: string): ReadRows
  /**
   * Resolves when readers see everything that is committed now. Transactions of other tests delay readers too, because
   * transaction numbers belong to the server, not to one database. Must not be called while a writer of the test is
   * open.
   */
  caughtUp(): Promise<void>
}

export interface Writers {
  addAccount(accountNumber: string, firmId?: string, repCode?: string): Promise<void>
  /** Writes an event and commits it. */
  write(accountNumber: string, type?: string, firmId?: string): Promise<void>
  /** Writes the events of one change and commits them. */
  writeChange(accountNumber: string, types: readonly string[]): Promise<void>
  /**
   * Begins a transaction that already has its number. The transaction writes when the test calls it, and commits when
   * the test ends it.
   */
  begin(firmId?: string): Promise<OpenWriter>
}

export interface OpenWriter {
  write(accountNumber: string, type?: string): Promise<void>
  commit(): Promise<void>
}

const insertAccount = statement(
  'test-insert-account',
  `insert into clearing.account
     (account_number, firm_id, entity_number, rep_code, registration_type, status, created_at, updated_at)
   values ($1, $2, $3, $4, 'Individual', 'Reserved', now(), now())`,
)
const takeNumber = statement<{ number: string }>(
  'test-take-number',
  'select pg_current_xact_id()::text as number',
)
const settle = statement('test-settle', 'select 1')

export async function startLog(): Promise<TestLog> {
  const ground = await prepareGround()
  const { database } = ground
  return {
    ...makeWriters(database, ground.clock.now),
    ground,
    database,
    sightOf: (firmId) => (what, values) => readInFirm(database.app, firmId, what, values),
    async caughtUp() {
      const taken = await inTransaction(database.app, { firm: alpha }, (tx) => tx.row(takeNumber))
      const number = BigInt(taken?.number ?? 0)
      const rows: ReadRows = (what, values) => readInFirm(database.app, alpha, what, values)
      await until('the end of every earlier transaction', async () => {
        const { lowWatermark } = await readLowWatermark(rows)
        return lowWatermark > number ? lowWatermark : undefined
      })
    },
    [Symbol.asyncDispose]: () => ground[Symbol.asyncDispose](),
  }
}

function makeWriters(database: TestDatabase, now: () => Date): Writers {
  const event = (firmId: string, accountNumber: string, type: string) => ({
    firmId,
    accountNumber,
    type,
    at: now(),
    traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    content: {},
  })
  return {
    async addAccount(accountNumber, firmId = alpha, repCode) {
      const [entity, rep] = firmId === alpha ? ['301', 'JC01'] : ['302', 'BB01']
      await inTransaction(database.app, { firm: firmId }, (tx) =>
        tx.run(insertAccount, [accountNumber, firmId, entity, repCode ?? rep]),
      )
    },
    async write(accountNumber, type = 'account.updated', firmId = alpha) {
      await inTransaction(database.app, { firm: firmId }, async (tx) => {
        writeEvent(tx, event(firmId, accountNumber, type))
      })
    },
    async writeChange(accountNumber, types) {
      await inTransaction(database.app, { firm: alpha }, async (tx) => {
        const change = { ...event(alpha, accountNumber, ''), isCounted: false }
        writeEvents(
          tx,
          change,
          types.map((type, at) => ({ type, content: { at } })),
        )
      })
    },
    async begin(firmId = alpha) {
      const begun = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      let write: OpenWriter['write'] = () => Promise.reject(new Error('not begun'))
      const transaction = inTransaction(database.app, { firm: firmId }, async (tx) => {
        await tx.rows(takeNumber)
        write = async (accountNumber, type = 'account.updated') => {
          writeEvent(tx, event(firmId, accountNumber, type))
          await tx.rows(settle)
        }
        begun.resolve()
        await ended.promise
      })
      transaction.catch(begun.reject)
      await begun.promise
      return {
        write: (accountNumber, type) => write(accountNumber, type),
        async commit() {
          ended.resolve()
          await transaction
        },
      }
    },
  }
}
