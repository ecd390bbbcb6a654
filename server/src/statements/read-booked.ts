/** The lines of an account for a statement or a confirmation, in the order in which they were booked. */
import { type Decimal, decimal, ZERO } from '@clearing/domain/decimal'
import { amountsOf, fieldIndexOf, splitRecord } from '../books/activity-record.ts'
import { type AnsweredLine, parseUnits, readAmounts } from '../books/positions/moved-amounts.ts'
import { type DescribedSecurity, MovedSecurities } from '../books/positions/moved-securities.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'
import { type AskedPages, pageActivity } from '../store/books/activity.ts'
import type { AmountRow } from '../store/books/amounts.ts'
import { readChangedAmounts } from '../store/books/changed-amounts.ts'
import { readEffectiveCancels } from '../store/books/effective-cancels.ts'
import { readKnownAt } from '../store/books/known.ts'

/** Texts are those of the activity record; an amount that the record does not have is undefined. */
export interface BookedLine {
  /**
   * `Change`: late lines changed what an earlier line moved, and `netAmount` and `moved` are the change.
   * `ChangedCancel`: the original of an earlier cancel came, so that the cancel has an effect.
   */
  readonly kind: 'Line' | 'Cancel' | 'Rebill' | 'Change' | 'ChangedCancel'
  readonly externalId: string
  readonly tradeDate: string
  readonly settleDate: string
  readonly transType: string
  readonly buySell: string
  /** It is of a day before the account was opened here. */
  readonly isHistory: boolean
  readonly acctType: string
  readonly secNo: string
  readonly symbol: string
  readonly cusip: string
  readonly description: string
  /** Not zero. */
  readonly quantity: Decimal | undefined
  readonly price: Decimal | undefined
  readonly commission: Decimal | undefined
  readonly secFee: Decimal | undefined
  readonly interest: Decimal | undefined
  readonly netAmount: Decimal | undefined
  readonly currency: string
  /** The securities that the line moved, first that of the line. */
  readonly moved: readonly MovedPosition[]
}

export interface MovedPosition extends Omit<DescribedSecurity, 'quantity'> {
  /** Negative: out of the account. */
  readonly quantity: Decimal
}

export const pageRows = 200
const descriptionAt = ['description', 'description1', 'description2', 'description3'].map(fieldIndexOf)

export async function readBooked(
  tx: Tx,
  accountNumber: string,
  view: View,
  asked: Pick<AskedPages, 'kind' | 'field' | 'dateFrom' | 'dateTo'>,
): Promise<BookedLine[]> {
  const { known, day } = view
  const lines = known?.lines ?? null
  const pages = { ...asked, accountNumber, lines, knownOn: known?.on ?? null, until: day }
  const securities = new MovedSecurities(known?.on ?? null)
  const booked: BookedLine[] = []
  for await (const rows of pageActivity(tx, pages, pageRows)) {
    const answered = await readAmounts(tx, rows, { accountNumber, lines })
    const moved = await securities.name(tx, answered)
    for (const [at, line] of answered.entries()) booked.push(bookedLine(line, moved[at]))
  }
  return booked
}

/**
 * The lines known at a close whose amounts depend on the position and that lines which became known since have changed,
 * such as a return of capital when an earlier purchase arrives.
 */
export async function readChanged(
  tx: Tx,
  accountNumber: string,
  { known, day }: View,
  closed: string,
): Promise<BookedLine[]> {
  const before = (await readKnownAt(tx, accountNumber, closed))?.lines ?? 0
  const range = { after: closed, before, lines: known?.lines ?? null, until: day }
  const rows = await readChangedAmounts(tx, accountNumber, range)
  const answered = rows.map((row) => {
    const values = splitRecord(row.record)
    const amounts = { ...amountsOf(values), netAmount: row.moved, quantity: '' }
    const moved = parseUnits(row.moved_units)
    return { row: { ...row, entered_on: '' }, values, amounts, moved, isWithoutEffect: false }
  })
  const moved = await new MovedSecurities(known?.on ?? null).name(tx, answered)
  return answered.map((line, at) => ({
    ...bookedLine(line, moved[at]),
    ...(line.amounts.netAmount === '0' && { netAmount: undefined }),
    price: undefined,
    kind: 'Change',
  }))
}

/** The cancels known at a close that had no effect then, and whose originals have become known since. */
export async function readEffective(
  tx: Tx,
  accountNumber: string,
  { known, day }: View,
  closed: string,
): Promise<BookedLine[]> {
  const before = (await readKnownAt(tx, accountNumber, closed))?.lines ?? 0
  const lines = known?.lines ?? null
  const rows = await readEffectiveCancels(tx, accountNumber, { before, lines, until: day })
  const dated = rows.map((row) => ({ ...row, entered_on: '' }))
  const answered = await readAmounts(tx, dated, { accountNumber, lines })
  const moved = await new MovedSecurities(known?.on ?? null).name(tx, answered)
  return answered.map((line, at) => ({ ...bookedLine(line, moved[at]), kind: 'ChangedCancel' }))
}

export function bookedLine(
  {
    row,
    values,
    amounts,
    isWithoutEffect,
  }: AnsweredLine<AmountRow & { readonly external_id: string; readonly entered_on: string }>,
  moved: readonly DescribedSecurity[] = [],
): BookedLine {
  const value = (name: string) => values[fieldIndexOf(name)] ?? ''
  const quantity = isWithoutEffect ? ZERO : amountOf(amounts.quantity)
  return {
    kind: row.correction === 'C' ? 'Cancel' : row.correction === 'R' ? 'Rebill' : 'Line',
    externalId: row.external_id,
    tradeDate: value('tradeDate'),
    settleDate: value('settleDate'),
    transType: value('transType'),
    buySell: value('buySell'),
    // Other lines that arrive late have the business date of their entry.
    isHistory: value('processDate') < row.entered_on.replaceAll('-', ''),
    acctType: value('acctType'),
    secNo: value('secNo'),
    symbol: value('symbol'),
    cusip: value('cusip'),
    description: descriptionAt
      .map((at) => values[at] ?? '')
      .filter(Boolean)
      .join(' '),
    quantity: quantity === ZERO ? undefined : quantity,
    price: amountOf(value('price')),
    commission: amountOf(value('commission')),
    secFee: amountOf(value('secFee')),
    interest: amountOf(value('interest')),
    netAmount: amountOf(amounts.netAmount),
    currency: value('currency'),
    moved: moved.map((security) => ({ ...security, quantity: decimal(security.quantity) })),
  }
}

function amountOf(text: string): Decimal | undefined {
  return text === '' ? undefined : decimal(text)
}
