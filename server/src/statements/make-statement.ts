/**
 * Makes the statement of a period or the confirmation of a day from the books. The same books give the same content,
 * which is stored once; other content is a further version, which says so.
 */
import { addDays, type ConcentrationTier, quarterStart } from '@clearing/domain/market'
import type { Tx } from '../database/transaction.ts'
import type { Form } from '../documents/forms/form.ts'
import type { FormHeading } from '../documents/forms/sheet.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import {
  type Delivery,
  digestOf,
  readLastEnd,
  readLatest,
  type StatementName,
  type StatementRow,
  writeStatement,
} from '../store/statements.ts'
import { confirmationForm } from './confirmation-form.ts'
import { readBooked } from './read-booked.ts'
import { readStatementFacts, viewOf } from './read-statement.ts'
import { type Addressee, statementForm } from './statement-form.ts'

export interface Making {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly now: Date
  readonly concentration: readonly ConcentrationTier[]
  /** A closed day whose knowledge counts, or `now`. */
  readonly knownAt: string
  /** Makes no further version. */
  readonly onlyFirst?: boolean
  readonly firmName: string
  readonly clearingFirmName: string
  /** The credential, the person, or `service`. */
  readonly by: string
  readonly traceId: string
}

/** What is stored: the PDF is drawn from it. */
export interface StatementContent {
  readonly form: Form
  readonly heading: FormHeading
}

export type Made =
  | { readonly kind: 'made' | 'unchanged'; readonly row: StatementRow }
  /** The day has no trades to confirm, or no account has this number. */
  | { readonly kind: 'nothing' }

/**
 * `name.periodTo` is a day that was closed here. The transaction must be repeated after contention: of two that make
 * the same version, the second one finds it. For what is known now, it must read one snapshot.
 */
export async function makeStatement(name: StatementName, making: Making): Promise<Made> {
  const { tx, keys, now, by } = making
  const account = await lockAccountRow(tx, name.accountNumber, keys)
  if (account === undefined) return { kind: 'nothing' }
  const latest = await readLatest(tx, name)
  if (latest !== undefined && making.onlyFirst) return { kind: 'unchanged', row: latest }
  const periodFrom = latest?.period_from ?? (await firstDayOf(tx, name))
  const content = await contentOf(account, { ...name, periodFrom }, making)
  if (content === undefined) return { kind: 'nothing' }
  const stored = JSON.stringify(content)
  if (latest?.digest.equals(digestOf(stored))) return { kind: 'unchanged', row: latest }
  const version = (latest?.version ?? 0) + 1
  const delivery = deliveryOf(name, account)
  const { firmId } = account
  writeStatement(tx, keys, { ...name, firmId, version, periodFrom, delivery, by, at: now, content: stored })
  noteMade(making, account, { ...name, periodFrom, version, delivery })
  const row = await readLatest(tx, name)
  if (row === undefined)
    throw new Error(`the ${name.kind} of ${name.accountNumber} was written but not found`)
  return { kind: 'made', row }
}

/** The day after the last statement, or the beginning of the quarter. A confirmation is of one day. */
async function firstDayOf(tx: Tx, { accountNumber, kind, periodTo }: StatementName): Promise<string> {
  if (kind === 'Confirmation') return periodTo
  const last = await readLastEnd(tx, accountNumber, periodTo)
  return last === undefined ? quarterStart(periodTo) : addDays(last, 1)
}

async function contentOf(
  account: Account,
  { kind, periodFrom, periodTo, accountNumber }: StatementName & { readonly periodFrom: string },
  making: Making,
): Promise<StatementContent | undefined> {
  const { tx } = making
  const addressee = addresseeOf(account, kind, making)
  const period = { accountNumber, from: periodFrom, to: periodTo }
  if (kind === 'Statement') {
    const facts = await readStatementFacts(tx, period, making)
    const heading = { title: 'Account Statement', codeName: 'Period to', code: periodTo }
    return { form: statementForm(addressee, facts), heading: { ...heading, accountNumber, day: periodTo } }
  }
  const view = await viewOf(tx, period, making)
  const asked = { kind: 'trades', field: 'processDate', dateFrom: periodTo, dateTo: periodTo } as const
  const trades = await readBooked(tx, accountNumber, view, asked)
  if (trades.length === 0) return undefined
  const heading = { title: 'Confirmation of Trades', codeName: 'Day', code: periodTo }
  return {
    form: confirmationForm(addressee, periodTo, trades),
    heading: { ...heading, accountNumber, day: periodTo },
  }
}

function addresseeOf(
  account: Account,
  kind: StatementName['kind'],
  { firmName, clearingFirmName }: Making,
): Addressee {
  const { accountNumber, accountName, record } = account
  const delivery = deliveryOf({ kind }, account)
  return { accountNumber, accountName, record, firmName, clearingFirmName, delivery }
}

function deliveryOf({ kind }: Pick<StatementName, 'kind'>, { record }: Account): Delivery {
  const { statements, confirms } = record.electronicDelivery
  const wanted = kind === 'Statement' ? statements : confirms
  return wanted?.toLowerCase() === 'true' ? 'Electronic' : 'Paper'
}

function noteMade(
  { tx, now, by, traceId }: Making,
  { firmId, accountNumber }: Account,
  content: { kind: string; periodFrom: string; periodTo: string; version: number; delivery: Delivery },
): void {
  const { kind, periodFrom, periodTo, version, delivery } = content
  const detail = { kind, periodFrom, periodTo, version, delivery }
  writeEvent(tx, { firmId, accountNumber, type: 'statement.ready', at: now, traceId, content: detail })
  writeAuditRow(tx, {
    firmId,
    at: now,
    actor: by,
    action: 'make-statement',
    accountNumber,
    target: [kind, periodTo, version].join(' '),
    traceId,
    detail,
  })
}
