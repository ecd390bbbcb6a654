/** Announcements and entitlements as responses show them. */
import type { ActionOption } from '@clearing/domain/books'
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import type { StoredEntitlement } from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import type { SecurityRow } from '../../store/books/securities.ts'

export function renderAnnouncement(announcement: StoredAnnouncement, security: SecurityRow | undefined) {
  const { symbol, cusip, isin, sedol } = security ?? {}
  return {
    corporateActionId: announcement.externalId,
    type: announcement.type,
    state: announcement.state,
    secNo: announcement.security,
    symbol: symbol ?? cusip ?? isin ?? sedol ?? '',
    recordDate: announcement.recordDate ?? '',
    exDate: announcement.exDate,
    payDate: announcement.payDate,
    bookedOn: announcement.bookOn,
    deadline: announcement.deadline ?? '',
    defaultOption: announcement.defaultOption,
    options: announcement.options.map(renderOption),
    announcedOn: announcement.announcedAt,
    loadId: announcement.loadId,
    cancelledBy: announcement.cancelledBy ?? '',
  }
}

function renderOption({ option, type, ratio, toSecurity, ...amounts }: ActionOption) {
  const { cashPerShare, costShare, price, cashInLieuPrice } = amounts
  return {
    option,
    type,
    ratio: ratio === undefined ? '' : `${renderDecimal(ratio.received)}:${renderDecimal(ratio.held)}`,
    toSecNo: toSecurity ?? '',
    cashPerShare: renderAmount(cashPerShare),
    costShare: renderAmount(costShare),
    price: renderAmount(price),
    cashInLieuPrice: renderAmount(cashInLieuPrice),
  }
}

export function renderEntitlement(entitlement: StoredEntitlement & { readonly externalId: string }) {
  return {
    corporateActionId: entitlement.externalId,
    accountNumber: entitlement.accountNumber,
    acctType: String(entitlement.acctType),
    state: entitlement.state,
    quantity: renderDecimal(entitlement.quantity),
    elections: renderElections(entitlement),
    electedBy: entitlement.electedBy,
    electedOn: entitlement.electedAt ?? null,
    lines: entitlement.lines.map(({ externalId, line }) => ({
      externalId,
      transType: line.transType,
      tradeDate: line.tradeDate,
      netAmount: line.netAmount ?? '',
    })),
    reason: entitlement.reason,
  }
}

export function renderElections({ elections }: Pick<StoredEntitlement, 'elections'>) {
  return elections.map(({ option, quantity }) => ({ option, quantity: renderAmount(quantity) }))
}

function renderAmount(amount: Decimal | undefined): string {
  return amount === undefined ? '' : renderDecimal(amount)
}
