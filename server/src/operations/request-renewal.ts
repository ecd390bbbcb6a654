/**
 * request-renewal: requests a renewal from several accounts. A refused account is listed and does not affect the
 * others. An account that was already asked stays unchanged.
 */
import { asksFor, requestRenewal } from '@clearing/domain'
import { type Data, type Rejection, type RenewalKind, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { lockForReview, reviewLocked, yearFacts } from '../changes/review-account.ts'
import { rangeOfRenewals, readRenewalPage } from '../onboarding/renewal-page.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { easternDay } from '../store/books/calendar.ts'
import type { Context, Handler } from './context.ts'

type Result = Data<'request-renewal'>['results'][number]

export const requestRenewalOf: Handler<'request-renewal'> = async (request, context) => {
  const selected = await select(request, context)
  if (selected instanceof Rejected) return selected
  const { accountNumbers, next } = selected
  const kind = request.kind as RenewalKind
  const results = new Map<string, Result>()
  // Accounts are locked in one order, so that two concurrent requests do not deadlock.
  for (const accountNumber of [...accountNumbers].sort()) {
    results.set(accountNumber, await askOne(accountNumber, kind, context))
  }
  const inOrder = accountNumbers.flatMap((accountNumber) => results.get(accountNumber) ?? [])
  return { asked: inOrder.filter(({ outcome }) => outcome === 'Asked').length, results: inOrder, next }
}

/** The named accounts, or those of a page of renewals. */
async function select(
  request: Request<'request-renewal'>,
  { tx }: Context,
): Promise<{ readonly accountNumbers: readonly string[]; readonly next: string } | Rejected> {
  const { accountNumbers, ...filter } = request
  const rejections = [...checkSelection(request), ...checkDayRanges(request, rangeOfRenewals)]
  if (rejections.length > 0) return new Rejected(rejections)
  if (accountNumbers !== undefined) return { accountNumbers: [...new Set(accountNumbers)], next: '' }
  const page = await readRenewalPage(tx, filter)
  if (page instanceof Rejected) return page
  return { accountNumbers: [...new Set(page.rows.map((row) => row.account_number))], next: page.next }
}

function checkSelection({
  accountNumbers,
  firmId,
  fallsFrom,
  fallsTo,
  after,
}: Request<'request-renewal'>): Rejection[] {
  const isFiltered = Boolean(firmId) || fallsFrom !== undefined || fallsTo !== undefined
  if (accountNumbers === undefined) {
    if (isFiltered) return []
    const reason = 'A selection is accountNumbers, or one of firmId, fallsFrom and fallsTo.'
    return [reject('ERR.1000', 'accountNumbers', reason)]
  }
  if (accountNumbers.length === 0) return [reject('ERR.1000', 'accountNumbers', 'The list names no account.')]
  const rejections: Rejection[] = []
  if (isFiltered) {
    const reason = 'A selection is accountNumbers or a filter, not both.'
    rejections.push(reject('ERR.1015', 'accountNumbers', reason))
  }
  if (after) rejections.push(reject('ERR.1015', 'after', 'Only the accounts of a filter have pages.'))
  return rejections
}

async function askOne(accountNumber: string, kind: RenewalKind, context: Context): Promise<Result> {
  const { tx, now, traceId, caller, parts } = context
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return refused(accountNumber, noAccount)
  const keys = await parts.keyring.load(head.firm_id)
  const locked = await lockForReview(tx, accountNumber, keys)
  if (locked === undefined) {
    return refused(accountNumber, reject('ERR.2011', 'accountNumbers', `The account is ${head.status}.`))
  }
  const items = requestRenewal(locked.account.record, kind, {
    ...yearFacts(locked, parts.sandbox),
    day: easternDay(now),
  })
  if ('reason' in items) return refused(accountNumber, reject('ERR.1015', 'kind', items.reason))
  const before = locked.onboarding.state.followUps
  const isNew = items.some((item) => !before.some((one) => asksFor(one, item)))
  const reviewing = { tx, keys, clock: parts.clock, sandbox: parts.sandbox, now, traceId }
  const kept = await reviewLocked(reviewing, locked, { items, by: caller.clientId })
  const asked = kept.filter(
    ({ kind: of, state }) => of === kind && (state === 'Asked' || state === 'Overdue'),
  )
  if (isNew) {
    const followUpIds = asked.map(({ followUpId }) => followUpId)
    writeAudit(context, {
      action: 'request-renewal',
      firmId: head.firm_id,
      accountNumber,
      changes: { kind, followUpIds },
    })
  }
  return {
    accountNumber,
    outcome: isNew ? 'Asked' : 'AskedAlready',
    followUpIds: asked.map(({ followUpId }) => followUpId),
    dueOn: asked[0]?.dueOn ?? null,
    code: '',
    reason: '',
  }
}

const noAccount = reject('ERR.2003', 'accountNumbers', 'There is no account with this number.')

function refused(accountNumber: string, { code, reason }: Rejection): Result {
  return {
    accountNumber,
    outcome: 'Refused',
    followUpIds: [],
    dueOn: null,
    code,
    reason,
  }
}
