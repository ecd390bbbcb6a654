/**
 * Firms that are being moved between cells, in the database of one cell: the mark by which the service
 * refuses their calls, and the triggers that refuse every write of a frozen firm. For the owner's pool.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database/faults.ts'
import type { Pool } from '../database/pool.ts'
import { statement, unprepared } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'
import { type FirmTable, firmTables } from './firm-tables.ts'

/** `Frozen`: the firm leaves this cell. `Moved`: it has left this cell. `Arriving`: it comes to this cell. */
export type MovingState = 'Arriving' | 'Frozen' | 'Moved'

const putMark = statement(
  'put-moving-firm',
  `insert into clearing.moving_firm (firm_id, state, other_cell) values ($1, $2, $3)
   on conflict (firm_id) do update set state = excluded.state, other_cell = excluded.other_cell, changed_at = clock_timestamp()
   where (moving_firm.state, moving_firm.other_cell) <> (excluded.state, excluded.other_cell)`,
)
const deleteMark = statement('delete-moving-firm', 'delete from clearing.moving_firm where firm_id = $1')
const selectSender = statement(
  'select-webhook-sender-of-firm',
  `select from clearing.webhook where firm_id = $1 and sender is not null and sender_until > clock_timestamp()`,
)

/**
 * Returns 0 if the firm had this mark already. After the commit the service refuses the firm's calls, as soon
 * as each process has noticed the mark.
 */
export function markMoving(tx: Tx, firmId: string, state: MovingState, otherCell: string): Promise<number> {
  return tx.run(putMark, [firmId, state, otherCell])
}

export function unmarkMoving(tx: Tx, firmId: string): Promise<number> {
  return tx.run(deleteMark, [firmId])
}

/** The limit for a lock. Writers of all firms wait behind a waiting lock. */
const lockWaitMs = 250
const pauseMs = 100
const triesMax = 600
/** Longer than a process sends to one webhook before it checks the mark again. */
const senderWaitMs = 25_000

/**
 * Tables without triggers. The service writes their rows for all firms at once. It leaves out calls of marked firms;
 * the days of openings are not copied.
 */
const withoutTriggers: ReadonlySet<string> = new Set(['request', 'opening_day'])
const tablesOfFirm = firmTables.filter(({ by }) => by === 'firm_id')
const frozenTables = tablesOfFirm.filter(({ name }) => !withoutTriggers.has(name))

/**
 * The triggers apply to the roles of the service only, because the owner removes the rows of a firm that has
 * left.
 */
function triggersOf(firmId: string): { readonly name: string; readonly when: string }[] {
  const byService = "current_user in ('clearing_app', 'clearing_operations')"
  return [
    {
      name: `frozen_${firmId}_inserted`,
      when: `before insert on %T for each row when (new.firm_id = '${firmId}' and ${byService})`,
    },
    {
      name: `frozen_${firmId}_changed`,
      when: `before update or delete on %T for each row when (old.firm_id = '${firmId}' and ${byService})`,
    },
  ]
}

/**
 * Refuses every write to the rows of a marked firm. Returns when no open transaction has written such a row.
 * Can be repeated.
 */
export async function freezeRows(owner: Pool, operations: Pool, firmId: string): Promise<void> {
  await awaitSenders(operations, firmId)
  await eachTable(owner, frozenTables, (table) =>
    triggersOf(checkId(firmId)).map(
      ({ name, when }) =>
        `create or replace trigger "${name}" ${when.replace('%T', table)} execute function clearing.refuse_frozen()`,
    ),
  )
}

/** Reverses `freezeRows`, also that of a release that froze more tables. */
export async function thawRows(owner: Pool, firmId: string): Promise<void> {
  await eachTable(owner, tablesOfFirm, (table) =>
    triggersOf(checkId(firmId)).map(({ name }) => `drop trigger if exists "${name}" on ${table}`),
  )
}

/**
 * Waits until the senders have recorded the deliveries that they sent, so that the other cell does not send
 * them again.
 */
async function awaitSenders(operations: Pool, firmId: string): Promise<void> {
  const endMs = performance.now() + senderWaitMs
  while (performance.now() < endMs && (await readInFirm(operations, null, selectSender, [firmId])).length > 0)
    await pause(pauseMs)
}

async function eachTable(
  owner: Pool,
  tables: readonly FirmTable[],
  textsOf: (table: string) => string[],
): Promise<void> {
  for (const { name } of tables) {
    const texts = textsOf(`clearing.${name}`)
    await patiently(() =>
      inTransaction(owner, { firm: null }, async (tx) => {
        await tx.run(unprepared(`set local lock_timeout = ${lockWaitMs}`))
        for (const text of texts) await tx.run(unprepared(text))
      }),
    )
  }
}

async function patiently(change: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change()
    } catch (fault) {
      const held =
        fault instanceof DatabaseUnavailable && (fault.reason === 'busy' || fault.reason === 'contended')
      if (!held || tries === triesMax) throw fault
      await pause(pauseMs)
    }
  }
}

function checkId(firmId: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(firmId))
    throw new Error(`${firmId} is not a firm's id`)
  return firmId
}
