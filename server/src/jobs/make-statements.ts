/**
 * Makes the confirmations of a closed day and, at the end of a month, the statements that are due. Each account has a
 * transaction of its own, and a repeated run makes nothing twice. An account that fails delays no other and is tried
 * again.
 */

import { endsMonth, isStatementDue, quarterStart } from '@clearing/domain/market'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Parts } from '../operations/parts.ts'
import { drawStatement, storeStatement } from '../statements/make-statement.ts'
import { clearingFirmId } from '../store/firms.ts'
import {
  type DueAccount,
  queueStatements,
  readLatest,
  readPortion,
  type StatementKind,
  type StatementsPayload,
} from '../store/statements.ts'

/** The number of accounts of a job. It takes a few seconds, so that other jobs do not wait long. */
const portionAccounts = 50

/** Makes the documents of the next accounts, and queues the ones after them. */
export async function makeStatements(
  payload: StatementsPayload,
  pool: Pool,
  parts: Parts,
  log: Logger,
): Promise<void> {
  const { day, nextDay, traceId, after = '' } = payload
  const quarterFrom = endsMonth(day, nextDay) ? quarterStart(day) : undefined
  const accounts = await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    const found = await readPortion(tx, { after, size: portionAccounts, day, quarterFrom })
    const last = found.at(-1)
    if (last !== undefined && found.length === portionAccounts)
      queueStatements(tx, { day, nextDay, traceId, after: last.account_number })
    return found
  })
  const failed: string[] = []
  for (const account of accounts) {
    for (const kind of kindsFor(account, payload)) {
      try {
        await makeOne(account, { kind, day, traceId }, pool, parts)
      } catch (fault) {
        failed.push(account.account_number)
        log.error(
          { err: fault, accountNumber: account.account_number, kind },
          'a statement could not be made',
        )
      }
    }
  }
  if (failed.length > 0)
    throw new Error(`the statements of ${countOf(failed.length, 'account')} could not be made`)
}

function kindsFor(account: DueAccount, { day, nextDay }: StatementsPayload): StatementKind[] {
  return [
    ...(account.traded ? (['Confirmation'] as const) : []),
    ...(isStatementDue(day, nextDay, account) ? (['Statement'] as const) : []),
  ]
}

async function makeOne(
  { account_number: accountNumber, firm_id: firmId }: DueAccount,
  { kind, day, traceId }: { readonly kind: StatementKind; readonly day: string; readonly traceId: string },
  pool: Pool,
  parts: Parts,
): Promise<void> {
  const { clock, keyring, identity, businessDay } = parts
  const { firms } = await identity.directory.current()
  const nameOf = (id: string) => firms.get(id)?.firm.name ?? ''
  const name = { accountNumber, kind, periodTo: day }
  const facts = {
    now: clock.now(),
    concentration: businessDay.concentration,
    // What was known at a close does not change, so no snapshot is needed.
    knownAt: day,
    firmName: nameOf(firmId),
    clearingFirmName: nameOf(clearingFirmId),
  }
  await keyring.using(firmId, async (keys) => {
    for (;;) {
      const drawn = await inTransaction(pool, { firm: null, readOnly: true, repeatable: true }, async (tx) =>
        // A person requests the further versions of a document.
        (await readLatest(tx, name)) ? undefined : drawStatement(name, { ...facts, tx, keys }),
      )
      // A month that was late is part of the next statement, which was made before.
      if (drawn === undefined || drawn.covered) return
      const made = await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
        storeStatement(drawn, { tx, keys, now: facts.now, by: serviceActor, traceId }),
      )
      if (made.kind !== 'overtaken') return
    }
  })
}
