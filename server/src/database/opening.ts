/** The steps that open a transaction: they begin it and set its firm, role and settings. */
import type { Pool } from './pool.ts'
import type { Step } from './round-trip.ts'
import { control, type Statement } from './statement.ts'
import type { Scope } from './transaction.ts'

const setFirm = control('set-firm', "select pg_catalog.set_config('clearing.firm', $1, true)")
/** COMMIT ends all locks at once; the flush of the log follows it. */
const setToWrite =
  "select pg_catalog.set_config('clearing.firm', $1, true), pg_catalog.set_config('synchronous_commit', 'off', true)"
const setFirmToWrite = control('set-firm-to-write', setToWrite)
/**
 * Plans of sessions that began with small tables also find rows, and those of foreign keys, by index (decision 135).
 */
const setFirmToWriteByKey = control(
  'set-firm-to-write-by-key',
  `${setToWrite}, pg_catalog.set_config('enable_seqscan', 'off', true)`,
)

const setFirmToRead = control(
  'set-firm-to-read',
  "select pg_catalog.set_config('clearing.firm', $1, true), pg_catalog.set_config('transaction_read_only', 'on', true)",
)

/**
 * Opens without BEGIN: the statements that are sent with it form an implicit transaction that can only read.
 */
export function openingToRead(pool: Pool, firm: string): Step {
  return { kind: 'run', statement: withSettings(pool, setFirmToRead), values: [firm] }
}

/** In a shared session, the statement that sets the firm first sets the role. */
function withSettings({ settingsOfTransaction }: Pool, statement: Statement<never>): Statement<never> {
  if (settingsOfTransaction === undefined) return statement
  return { ...statement, text: statement.text.replace('select ', `select ${settingsOfTransaction}, `) }
}

export function openingOf(pool: Pool, scope: Scope): Step[] {
  // A session of a pooler begins with the isolation that the database sets for it.
  const level = scope.isolation ?? (pool.settingsOfTransaction === undefined ? undefined : 'read committed')
  const isolation = level === undefined ? '' : ` isolation level ${level}`
  const text = `begin${isolation}${scope.readOnly === true ? ' read only' : ''}`
  return [
    { kind: 'run', statement: control(text, text), values: [] },
    { kind: 'run', statement: withSettings(pool, settingOfFirm(pool, scope)), values: [scope.firm ?? ''] },
  ]
}

function settingOfFirm(pool: Pool, scope: Scope): Statement<never> {
  if (scope.readOnly === true) return setFirm
  return pool.name === 'app' ? setFirmToWriteByKey : setFirmToWrite
}
