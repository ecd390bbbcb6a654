/** make-statement: the statement of a month or the confirmation of a day, from everything that is known now. */
import { endsMonth } from '@clearing/domain/market'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { inTransaction } from '../database/transaction.ts'
import { whileAlive } from '../database/while-alive.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { drawStatement, storeStatement } from '../statements/make-statement.ts'
import { renderStatement } from '../statements/render-statement.ts'
import { readAccountHead } from '../store/accounts.ts'
import { clearingFirmId } from '../store/firms.ts'
import { readNextDay, type StatementKind } from '../store/statements.ts'
import type { Handler } from './context.ts'

export const makeStatement: Handler<'make-statement'> = async (request, context) => {
  const { tx, keys, now, firm, caller, traceId, parts } = context
  const { accountNumber, periodTo } = request
  const kind = request.kind as StatementKind
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const rejections = checkPeriod(request, await readNextDay(tx, periodTo))
  if (rejections.length > 0) return new Rejected(rejections)
  const { firms } = await parts.identity.directory.current()
  const facts = {
    keys,
    now,
    concentration: parts.businessDay.concentration,
    knownAt: 'now',
    firmName: firm.name,
    clearingFirmName: firms.get(clearingFirmId)?.firm.name ?? '',
  }
  for (;;) {
    // In a transaction of its own: in one snapshot, each other write of the firm would refuse the audit row.
    const drawing = inTransaction(parts.loads, oneView, (reading) =>
      drawStatement({ accountNumber, kind, periodTo }, { ...facts, tx: reading }),
    )
    const drawn = await whileAlive(tx, drawing)
    if (drawn === undefined) return new Rejected([nothingToConfirm(periodTo)])
    const made = await storeStatement(drawn, { tx, keys, now, by: caller.clientId, traceId })
    if (made.kind !== 'overtaken') return renderStatement(made.row)
  }
}

const oneView = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const

function nothingToConfirm(day: string): Rejection {
  return reject(
    'ERR.2013',
    'periodTo',
    `The account has no trades, exercises or assignments of ${day} to confirm.`,
  )
}

function checkPeriod(
  { kind, periodTo }: Request<'make-statement'>,
  nextDay: string | undefined,
): Rejection[] {
  const refuse = (reason: string) => [reject('ERR.1015', 'periodTo', reason)]
  if (nextDay === undefined) return refuse(`${periodTo} is not a business day that was closed here.`)
  if (kind === 'Statement' && !endsMonth(periodTo, nextDay))
    return refuse(`${periodTo} is not the last business day of its month.`)
  return []
}
