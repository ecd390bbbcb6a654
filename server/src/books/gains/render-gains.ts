/** Closings, and the rows of a tax year, in the form of a response. */
import type { AcctType } from '@clearing/domain/books'
import { describeSale, isCovered, type SaleRow } from '@clearing/domain/tax'
import { closingIdOf } from '../../store/books/results.ts'
import { renderAmounts } from '../positions/render-amounts.ts'
import type { KnownGain } from './read-gains.ts'

const acctTypeNames: Readonly<Record<AcctType, string>> = { 1: 'Cash', 2: 'Margin', 3: 'Short' }

function yesNo(value: boolean): 'Y' | 'N' {
  return value ? 'Y' : 'N'
}

/** JSON text of items, joined by commas. */
export function renderItems(items: readonly object[]): string {
  return items.map((item) => JSON.stringify(renderAmounts(item))).join(',')
}

export function renderClosing({ gain, security }: KnownGain): object {
  const { closing, proceeds, cost, washAdded, gainLoss, washDisallowedAmt, gainLossAllowed, noCost } = gain
  return {
    closingId: closingIdOf(closing),
    kind: closing.kind,
    cusip: security.cusip,
    symbol: security.symbol,
    secNo: security.secNo,
    description: security.description,
    acctType: acctTypeNames[closing.acctType],
    currency: security.currency,
    quantity: closing.quantity,
    openDate: closing.openDate,
    holdingStart: closing.holdingStart,
    closeDate: closing.closeDate,
    proceeds,
    cost,
    costWithoutWash: cost - washAdded,
    gainLoss,
    washDisallowedAmt,
    gainLossAllowed,
    term: closing.term,
    covered: isCovered(security, closing.openDate, closing.costKnown),
    noCost: yesNo(noCost),
    openedBy: closing.openedBy,
    closedBy: closing.lineId,
  }
}

export function renderTaxRow(row: SaleRow): object {
  return {
    box: row.box,
    description: describeSale(row),
    cusip: row.security.cusip,
    symbol: row.security.symbol,
    quantity: row.quantity,
    dateAcquired: row.dateAcquired,
    dateSold: row.dateSold,
    proceeds: row.proceeds,
    cost: row.cost,
    accruedMarketDiscount: 0,
    washDisallowedAmt: row.washDisallowedAmt,
    code: row.code,
    gainLoss: row.gainLoss,
    term: row.term,
    covered: row.covered,
    noCost: yesNo(row.noCost),
    closedBy: row.closedBy,
  }
}
