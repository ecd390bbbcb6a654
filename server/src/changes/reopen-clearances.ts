/**
 * Reopens matches of open accounts whose clearance has ended, if the record still matches an entry in force. Each
 * account is a transaction of its own, so that a killed process loses nothing and reopens nothing twice.
 */
import { screenedAddresses, screenedNames } from '@clearing/domain'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import type { FirmParts } from '../firm-rules/context.ts'
import { type Hit, openMatchRow, screenParts } from '../screening/screen-parts.ts'
import { lockAccountRow } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { easternDay } from '../store/books/calendar.ts'
import {
  type ClearancePosition,
  readEndedClearances,
  writeClearanceDropped,
  writeClearanceExtended,
} from '../store/clearances.ts'
import { queue } from '../store/jobs.ts'
import { readMatches, type ScreeningMatch, writeMatch } from '../store/screening.ts'

export const reopenTask = 'reopen-clearances'

export interface ReopenPayload {
  readonly day: string
  /** The last clearance of the previous portion; null at the beginning of a day. */
  readonly after: ClearancePosition | null
}

const portionMatches = 200

/** Queues the work of a business day: all clearances that have ended, or those after a position. */
export function queueReopening(tx: Tx, { day, after }: ReopenPayload): void {
  const key = `${reopenTask}:${day}:${after?.join(':') ?? ''}`
  queue(tx, { task: reopenTask, payload: { day, after }, key, due: null })
}

export async function reopenClearances(
  { day, after }: ReopenPayload,
  pool: Pool,
  parts: FirmParts,
  log: Logger,
): Promise<void> {
  const ended = await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    const found = await readEndedClearances(tx, parts.clock.now(), after, portionMatches)
    const last = found.at(-1)
    if (last !== undefined && found.length === portionMatches)
      queueReopening(tx, { day, after: [last.expires_at, last.match_id] })
    return found
  })
  const failed: string[] = []
  for (const [accountNumber, firmId] of new Map(ended.map((one) => [one.account_number, one.firm_id]))) {
    try {
      await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
        parts.keyring.using(firmId, (keys) => reopenAccount(tx, accountNumber, keys, parts)),
      )
    } catch (fault) {
      failed.push(accountNumber)
      log.error({ err: fault, accountNumber }, 'the ended clearances of an account could not be looked at')
    }
  }
  if (failed.length > 0)
    throw new Error(`the ended clearances of ${countOf(failed.length, 'account')} could not be looked at`)
}

async function reopenAccount(
  tx: Tx,
  accountNumber: string,
  keys: FirmKeys,
  { watchLists, keyring, clock }: FirmParts,
): Promise<void> {
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account?.status !== 'Open' && account?.status !== 'Restricted') return
  const now = clock.now()
  const lists = await watchLists.current(tx)
  const { record } = account
  const parts = { names: screenedNames(record), addresses: screenedAddresses(record) }
  const hits = await screenParts({ tx, lists, keys, keyring, now }, parts)
  for (const match of await readMatches(tx, accountNumber)) {
    if (!hasEnded(match, now)) continue
    const hit = hits.find((one) => isSame(one, match))
    if (hit === undefined) {
      writeClearanceDropped(tx, match, now)
    } else if (hit.standing === 'cleared') {
      writeClearanceExtended(tx, match, hit.decision?.expiresAt ?? null)
    } else {
      const row = openMatchRow(hit, account, now)
      const open = { ...row, reasons: [...row.reasons, sayCleared(match)] }
      // A change that has taken effect had a row of its own.
      if (open.customer_id !== match.customer_id) writeClearanceDropped(tx, match, now)
      writeMatch(tx, open, now)
      writeAuditRow(tx, {
        firmId: account.firmId,
        at: now,
        actor: serviceActor,
        action: reopenTask,
        accountNumber,
        target: open.match_id,
        traceId: '',
        detail: { entryId: open.entry_id, score: open.score, clearedMatch: match.match_id },
      })
    }
  }
}

function hasEnded({ decision, dropped_at, expires_at }: ScreeningMatch, now: Date): boolean {
  return decision === 'Cleared' && dropped_at === null && expires_at !== null && new Date(expires_at) <= now
}

/** A match of a change has the id of the change behind the customer id. */
function isSame({ customerId, listName, match: { entryId } }: Hit, known: ScreeningMatch): boolean {
  return (
    known.customer_id.split('@')[0] === customerId &&
    known.list_name === listName &&
    known.entry_id === entryId
  )
}

function sayCleared({
  decided_by: by,
  expires_at: until,
}: ScreeningMatch): ScreeningMatch['reasons'][number] {
  const day = easternDay(new Date(until ?? 0))
  return { field: 'earlierDecision', outcome: 'contradict', detail: `Cleared by ${by} until ${day}.` }
}
