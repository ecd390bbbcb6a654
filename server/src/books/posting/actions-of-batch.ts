/**
 * The corporate actions among the lines of a batch. They show that other holders should have received the
 * same action.
 */
import { type ActivityLine, dependsOnHolding, type TransType } from '@clearing/domain/books'
import type { ReportedAction } from '../../store/books/corporate-actions.ts'
import type { ReportedUnitChange } from '../../store/books/prices/unit-changes.ts'
import type { AccountChange } from './account-change.ts'

export interface ActionsOfBatch {
  readonly reported: ReportedAction[]
  readonly units: ReportedUnitChange[]
  /** Cancelled lines of corporate actions and of trades of options. */
  readonly cancelled: { readonly firmId: string; readonly externalId: string }[]
  /** Options that were traded. */
  readonly options: Set<string>
  /** Accounts that received a line for which a break may have waited. */
  readonly accounts: string[]
}

/** Actions that an issuer applies to every holder. */
const ofAllHolders: ReadonlySet<TransType> = new Set<TransType>([
  'Split',
  'StockDividend',
  'Spinoff',
  'Merger',
  'NameChange',
  'FactorChange',
  'ReturnOfCapital',
])

export function noteActionsOf({ books, lines, units }: AccountChange, into: ActionsOfBatch): void {
  const { firmId, accountNumber } = books
  for (const { line } of lines) {
    if (line.transType !== 'Trade' || line.security?.option === undefined) continue
    into.options.add(line.security.key)
    if (line.cancels) into.cancelled.push({ firmId, externalId: line.tagNo ?? '' })
  }
  if (!lines.some(({ line }) => dependsOnHolding(line.transType))) return
  const taken = new Set<string>()
  for (const { line } of lines) if (line.cancels && line.tagNo !== undefined) taken.add(line.tagNo)
  for (const { line } of lines) {
    if (!dependsOnHolding(line.transType)) continue
    const { transType, security, externalId, tagNo } = line
    if (!ofAllHolders.has(transType)) continue
    if (line.cancels) into.cancelled.push({ firmId, externalId: tagNo ?? '' })
    else if (security !== undefined && !taken.has(externalId)) {
      into.reported.push({
        secNo: security.key,
        transType,
        effectiveDate: effectiveDayOf(line),
        firmId,
        externalId,
      })
    }
  }
  for (const { lineId, ...reported } of units) into.units.push({ firmId, externalId: lineId, ...reported })
  into.accounts.push(accountNumber)
}

function effectiveDayOf({ transType, tradeDate, asOfDate }: ActivityLine): string {
  return transType === 'ReturnOfCapital' ? (asOfDate ?? tradeDate) : tradeDate
}
