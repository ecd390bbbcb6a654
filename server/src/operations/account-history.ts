/** account-history: every change of an account with the values before and after, and the record at a moment. */
import { compareRecords, maskNumber, renderShape2, type ValueChange } from '@clearing/domain'
import { addDays } from '@clearing/domain/market'
import { limits, parseDate, parseInstant, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { rendering } from '../firm-rules/account-rendering.ts'
import { recordReading } from '../firm-rules/record-reading.ts'
import { cursorOf, dotted } from '../paging/cursor.ts'
import { whole } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import {
  type AccountChange,
  type AskedChange,
  readAccountChanges,
  readChangeAt,
} from '../store/account-changes.ts'
import { type Account, readAccountHead, readVersions } from '../store/accounts.ts'
import { startOfEasternDay } from '../store/books/calendar.ts'
import { readWaitingUpdates, type StoredChange } from '../store/changes.ts'
import type { Context, Handler } from './context.ts'

const largestSequence = 2 ** 31 - 1
/** The latest change comes first, so a page ends before a sequence. */
const places = cursorOf('account-history', [whole(largestSequence, 1)], dotted)

export const accountHistory: Handler<'account-history'> = async (request, context) => {
  const { tx } = context
  const { accountNumber, asOf } = request
  const head = await readAccountHead(tx, accountNumber)
  if (!head) return accountNotFound(context.firm)
  const before = readPosition(places, request)
  if (before instanceof Rejected) return before
  const moment = asOf ? parseMoment(asOf) : undefined
  if (asOf && moment === undefined) {
    const reason =
      parseDate(asOf) === undefined
        ? 'asOf must be a day (2026-01-31) or a time stamp with its zone (2026-01-31T17:00:00Z).'
        : `asOf must not be before ${limits.birthDateMin}.`
    return new Rejected([reject('ERR.1024', 'asOf', reason)])
  }
  const size = request.size ?? limits.pageSizeDefault
  const found = await readAccountChanges(tx, accountNumber, before?.[0] ?? null, size + 1)
  const { rows: changes, next } = pageOfRows(found, size, places, ({ sequence }) => [sequence])
  const versions = found.map(({ version }) => version)
  const [first, last] = [Math.min(...versions), Math.max(...versions)]
  // Nothing comes before the first change.
  const accounts =
    versions.length === 0
      ? new Map<number, Account>()
      : await readVersions(tx, accountNumber, first, last, context.keys)
  const history = changes.map((change, position) =>
    renderChange(change, found[position + 1], accounts, context.caller.scopes.has('pii:read')),
  )
  await recordReading(context, { firmId: head.firm_id, accountNumber }, 'account-history')
  return {
    accountNumber,
    history,
    waiting: {
      changes: (await readWaitingUpdates(tx, accountNumber)).map(({ change }) => renderWaiting(change)),
    },
    next,
    nextCursor: next,
    ...(moment === undefined
      ? {}
      : { asOf: moment, record: await renderRecordAt(context, accountNumber, moment) }),
  }
}

function renderChange(
  change: AccountChange & AskedChange,
  before: AccountChange | undefined,
  accounts: ReadonlyMap<number, Account>,
  personalNumbers: boolean,
) {
  const { sequence, version, status, at, actor, operation, trace_id } = change
  return {
    sequence,
    version,
    accountStatus: status,
    at,
    actor,
    operation,
    traceId: trace_id,
    reason: change.reason ?? '',
    changeId: change.change_id,
    requestedBy: change.requested_by ?? change.asked_by,
    approvedBy: change.approved_by,
    changes:
      before === undefined
        ? []
        : changesBetween(before, change, accounts).map((one) => (personalNumbers ? one : masked(one))),
  }
}

function renderWaiting(change: StoredChange) {
  const { change_id, subjects, fields, requested_by, requested_at, version, reason } = change
  if (version === null) throw new Error(`change ${change_id} of a record has no version`)
  return {
    changeId: change_id,
    subjects: [...subjects],
    fields: fields.map(({ field, before, after }) => ({ field, before, after })),
    reason,
    requestedBy: requested_by,
    requestedOn: requested_at,
    version,
  }
}

function changesBetween(
  before: AccountChange,
  after: AccountChange,
  accounts: ReadonlyMap<number, Account>,
): ValueChange[] {
  const changes: ValueChange[] = []
  if (before.status !== after.status) {
    changes.push({ field: 'accountStatus', from: before.status, to: after.status })
  }
  if (before.version === after.version) return changes
  const [old, young] = [accounts.get(before.version), accounts.get(after.version)]
  if (old === undefined || young === undefined) {
    throw new Error(`a version of the account between ${before.version} and ${after.version} was not stored`)
  }
  if (old.accountName !== young.accountName) {
    changes.push({ field: 'accountName', from: old.accountName, to: young.accountName })
  }
  return [...changes, ...compareRecords(old.record, young.record)]
}

/**
 * Tax ids and numbers of identifications alone. Birth dates are visible to every caller that may read the
 * account (Reading 2.4).
 */
function masked(change: ValueChange): ValueChange {
  const hide = (value: ValueChange['from']) => (typeof value === 'string' ? maskNumber(value) : value)
  return /\.(taxIdNumber|idNumber)$/.test(change.field)
    ? { field: change.field, from: hide(change.from), to: hide(change.to) }
    : change
}

async function renderRecordAt(context: Context, accountNumber: string, moment: string) {
  const change = await readChangeAt(context.tx, accountNumber, moment)
  if (change === undefined) return null
  const { version, status } = change
  const account = (await readVersions(context.tx, accountNumber, version, version, context.keys)).get(version)
  if (account === undefined) throw new Error(`version ${version} of account ${accountNumber} was not stored`)
  return renderShape2(account.record, rendering({ ...account, status }, context))
}

/** A later day is the current state, as in every other view, and the moment of its end has a year of four digits. */
const latestDay = '2199-12-31'

/** The requested moment, ISO 8601 UTC; undefined if the text is neither a date since 1900 nor a time stamp. */
function parseMoment(text: string): string | undefined {
  const day = parseDate(text)
  if (day === undefined) return parseInstant(text)?.toISOString()
  if (day < limits.birthDateMin) return undefined
  const next = startOfEasternDay(addDays(day < latestDay ? day : latestDay, 1))
  // The last microsecond of the day: the times of the database have six digits.
  return new Date(next.getTime() - 1).toISOString().replace('Z', '999Z')
}
