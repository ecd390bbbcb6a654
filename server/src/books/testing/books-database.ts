/**
 * For tests and benchmarks: a database with two firms and accounts, and loads of lines as a feed would send
 * them.
 */
import { randomUUID } from 'node:crypto'
import { statement } from '../../database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../database/test-database.ts'
import { inTransaction } from '../../database/transaction.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { readCsv } from '../lines/csv.ts'
import { readNdjson } from '../lines/ndjson.ts'
import { activityLoader } from '../loads/activity.ts'
import { type Load, type LoadAnswer, type Loader, runLoad } from '../loads/run-load.ts'

export interface TestBooks extends AsyncDisposable {
  readonly database: TestDatabase
  readonly firmId: string
  /** A second firm. */
  readonly otherFirmId: string
}

const insertFirm = statement(
  'test-insert-firm',
  "insert into clearing.firm (firm_id, name, created_at) values ($1, $2, '2020-01-01')",
)
const insertEntity = statement(
  'test-insert-entity',
  "insert into clearing.entity (entity_number, firm_id, created_at) values ($2, $1, '2020-01-01')",
)
const insertRepCode = statement(
  'test-insert-rep-code',
  "insert into clearing.rep_code (rep_code, firm_id, created_at) values ($2, $1, '2020-01-01')",
)
const insertAccounts = statement(
  'test-insert-accounts',
  `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
     record, created_at, updated_at, opened_at)
   select number, $2, $3, $4, 'Individual', 'Open', 'JANE DOE', '{}', '2020-01-01', '2020-01-01', '2020-01-01'
   from unnest($1::text[]) as number`,
)

/** The time at which test loads run, with its day in New York. */
export const testNow = new Date('2026-11-20T21:00:00Z')

/** A database with two firms, and accounts of the first. */
export async function openTestBooks(
  accounts: readonly string[],
  firmId: string = randomUUID(),
): Promise<TestBooks> {
  const database = await createTestDatabase()
  const otherFirmId = randomUUID()
  await inTransaction(database.operations, { firm: null }, async (tx) => {
    tx.later(insertFirm, [clearingFirmId, 'Clearing'])
    for (const [id, entity, rep] of [
      [firmId, '301', 'JC01'],
      [otherFirmId, '302', 'BB01'],
    ] as const) {
      tx.later(insertFirm, [id, `Firm ${entity}`])
      tx.later(insertEntity, [id, entity])
      tx.later(insertRepCode, [id, rep])
    }
    await tx.run(insertAccounts, [accounts, firmId, '301', 'JC01'])
  })
  return {
    database,
    firmId,
    otherFirmId,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** Opens more accounts. */
export function openAccounts(
  { database }: TestBooks,
  accounts: readonly string[],
  firm: { readonly firmId: string; readonly entity: string; readonly rep: string },
): Promise<number> {
  return inTransaction(database.operations, { firm: null }, (tx) =>
    tx.run(insertAccounts, [accounts, firm.firmId, firm.entity, firm.rep]),
  )
}

export type TestLine = Readonly<Record<string, unknown>>

const pieceBytes = 65_536

/** The body of a load, in chunks as they arrive from the network. */
export async function* bodyOf(text: string | Buffer, pieceSize: number = pieceBytes): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize)
}

export function ndjsonOf(lines: readonly TestLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

export interface LoadSettings {
  readonly now?: Date
  readonly format?: 'ndjson' | 'csv'
}

/** Runs a load of any kind. */
export function runTestLoad<Ready>(
  { database }: Pick<TestBooks, 'database'>,
  kind: string,
  makeLoader: (load: Load) => Loader<Ready>,
  body: AsyncIterable<Buffer>,
  { now = testNow, format = 'ndjson' }: LoadSettings = {},
): Promise<LoadAnswer> {
  const lines = format === 'csv' ? readCsv(body) : readNdjson(body)
  const settings = {
    kind,
    clientId: 'operations',
    traceId: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    pool: database.operations,
    now: () => now,
  }
  return runLoad(settings, lines, makeLoader)
}

/** Loads lines of activity. */
export function loadActivityLines(
  books: Pick<TestBooks, 'database'>,
  lines: readonly TestLine[] | string,
  settings?: LoadSettings,
): Promise<LoadAnswer> {
  return runTestLoad(
    books,
    'load-activity',
    activityLoader,
    bodyOf(typeof lines === 'string' ? lines : ndjsonOf(lines)),
    settings,
  )
}
