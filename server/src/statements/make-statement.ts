/**
 * Makes the statement of a period or the confirmation of a day from the books. The same books give the same content,
 * which is stored once; other content is a further version, which says so. The content is drawn first, so that loads do
 * not wait for it.
 */
import { addDays, type ConcentrationTier, quarterStart } from '@clearing/domain/market'
import type { Tx } from '../database/transaction.ts'
import type { Form } from '../documents/forms/form.ts'
import type { FormHeading } from '../documents/forms/sheet.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { type Account, lockAccountRow, readAccount } from '../store/accounts.ts'
import { writeAuditRow } from '../store/audit.ts'
import { writeEvent } from '../store/events.ts'
import {
  type Delivery,
  digestOf,
  isCovered,
  readLastEnd,
  readLatest,
  type StatementName,
  type StatementRow,
  writeStatement,
} from '../store/statements.ts'
import { confirmationForm } from './confirmation-form.ts'
import { readConfirmed } from './read-confirmed.ts'
import { readStatementFacts, viewOf } from './read-statement.ts'
import { type Addressee, statementForm } from './statement-form.ts'

/** What a statement is drawn from. */
export interface Drawing {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly now: Date
  readonly concentration: readonly ConcentrationTier[]
  /** A closed day whose knowledge counts, or `now`. */
  readonly knownAt: string
  readonly firmName: string
  readonly clearingFirmName: string
}

export interface Storing {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly now: Date
  /** The credential, the person, or `service`. */
  readonly by: string
  readonly traceId: string
}

/** What is stored: the PDF is drawn from it. */
export interface StatementContent {
  readonly form: Form
  readonly heading: FormHeading
}

/** The content of a version that is not stored yet. */
export interface Drawn extends StatementName {
  readonly firmId: string
  readonly periodFrom: string
  readonly delivery: Delivery
  /** JSON text. */
  readonly content: string
  /** The last version when the content was drawn; 0 for none. */
  readonly after: number
  /** Whether a later statement included this period when the content was drawn. */
  readonly covered: boolean
}

export type Made =
  | { readonly kind: 'made' | 'unchanged'; readonly row: StatementRow }
  /** Since the drawing, another version was stored, or a statement that changes or includes the period. */
  | { readonly kind: 'overtaken' }

/**
 * Draws the content from the books, and locks nothing. `name.periodTo` is a day that was closed here. For what is known
 * now, the transaction must read one snapshot. Undefined if the day has no lines to confirm, or if no account has this
 * number.
 */
export async function drawStatement(name: StatementName, drawing: Drawing): Promise<Drawn | undefined> {
  const { tx, keys } = drawing
  const account = await readAccount(tx, name.accountNumber, keys)
  if (account === undefined) return undefined
  const latest = await readLatest(tx, name)
  const periodFrom = latest?.period_from ?? (await firstDayOf(tx, name))
  const content = await contentOf(account, { ...name, periodFrom }, drawing)
  if (content === undefined) return undefined
  return {
    ...name,
    firmId: account.firmId,
    periodFrom,
    delivery: deliveryOf(name, account),
    content: JSON.stringify(content),
    after: latest?.version ?? 0,
    covered: await isInLonger(tx, name),
  }
}

/** Stores the content, unless it is that of the last version. The account is locked only for this. */
export async function storeStatement(drawn: Drawn, storing: Storing): Promise<Made> {
  const { tx, keys, now, by } = storing
  await lockAccountRow(tx, drawn.accountNumber, keys)
  const latest = await readLatest(tx, drawn)
  if (latest?.digest.equals(digestOf(drawn.content))) return { kind: 'unchanged', row: latest }
  if ((latest?.version ?? 0) !== drawn.after) return { kind: 'overtaken' }
  if (latest === undefined && (await hasOtherPeriod(tx, drawn))) return { kind: 'overtaken' }
  const version = drawn.after + 1
  writeStatement(tx, keys, { ...drawn, version, by, at: now })
  noteMade(storing, { ...drawn, version })
  const row = await readLatest(tx, drawn)
  if (row === undefined)
    throw new Error(`the ${drawn.kind} of ${drawn.accountNumber} was written but not found`)
  return { kind: 'made', row }
}

/** The day after the last statement, or the beginning of the quarter. A confirmation is of one day. */
async function firstDayOf(tx: Tx, { accountNumber, kind, periodTo }: StatementName): Promise<string> {
  if (kind === 'Confirmation') return periodTo
  const last = await readLastEnd(tx, accountNumber, periodTo)
  return last === undefined ? quarterStart(periodTo) : addDays(last, 1)
}

async function isInLonger(tx: Tx, { accountNumber, kind, periodTo }: StatementName): Promise<boolean> {
  return kind === 'Statement' && (await isCovered(tx, accountNumber, periodTo))
}

/** The statements of two months may be made at the same time. */
async function hasOtherPeriod(tx: Tx, drawn: Drawn): Promise<boolean> {
  return (await firstDayOf(tx, drawn)) !== drawn.periodFrom || (await isInLonger(tx, drawn)) !== drawn.covered
}

async function contentOf(
  account: Account,
  { kind, periodFrom, periodTo, accountNumber }: StatementName & { readonly periodFrom: string },
  drawing: Drawing,
): Promise<StatementContent | undefined> {
  const { tx } = drawing
  const addressee = addresseeOf(account, kind, drawing)
  const period = { accountNumber, from: periodFrom, to: periodTo }
  if (kind === 'Statement') {
    const facts = await readStatementFacts(tx, period, drawing)
    const heading = { title: 'Account Statement', codeName: 'Period to', code: periodTo }
    return { form: statementForm(addressee, facts), heading: { ...heading, accountNumber, day: periodTo } }
  }
  const lines = await readConfirmed(tx, accountNumber, periodTo, await viewOf(tx, period, drawing))
  if (lines.length === 0) return undefined
  const heading = { title: 'Confirmation of Trades', codeName: 'Day', code: periodTo }
  return {
    form: confirmationForm(addressee, periodTo, lines),
    heading: { ...heading, accountNumber, day: periodTo },
  }
}

function addresseeOf(
  account: Account,
  kind: StatementName['kind'],
  { firmName, clearingFirmName }: Drawing,
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

function noteMade({ tx, now, by, traceId }: Storing, made: Drawn & { readonly version: number }): void {
  const { accountNumber, firmId, kind, periodFrom, periodTo, version, delivery } = made
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
