/** Announcements and entitlements as responses show them. */
import type { ActionOption } from '@clearing/domain/books'
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import type { StoredEntitlement } from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import type { SymbolOf } from './symbols-of-actions.ts'

export function renderAnnouncement(announcement: StoredAnnouncement, symbolOf: SymbolOf) {
  return {
    corporateActionId: announcement.externalId,
    type: announcement.type,
    state: announcement.state,
    secNo: announcement.security,
    symbol: symbolOf(announcement.security),
    recordDate: announcement.recordDate ?? '',
    exDate: announcement.exDate,
    payDate: announcement.payDate,
    bookedOn: announcement.bookOn,
    deadline: announcement.deadline ?? '',
    defaultOption: announcement.defaultOption,
    options: announcement.options.map((option) => renderOption(option, symbolOf)),
    announcedOn: announcement.announcedAt,
    loadId: announcement.loadId,
    cancelledBy: announcement.cancelledBy ?? '',
  }
}

function renderOption({ option, type, ratio, toSecurity, ...amounts }: ActionOption, symbolOf: SymbolOf) {
  const { cashPerShare, costShare, price, cashInLieuPrice } = amounts
  return {
    option,
    type,
    ratio: ratio === undefined ? '' : `${renderDecimal(ratio.received)}:${renderDecimal(ratio.held)}`,
    toSecNo: toSecurity ?? '',
    toSymbol: toSecurity === undefined ? '' : symbolOf(toSecurity),
    cashPerShare: renderAmount(cashPerShare),
    costShare: renderAmount(costShare),
    price: renderAmount(price),
    cashInLieuPrice: renderAmount(cashInLieuPrice),
  }
}

export function renderEntitlement(
  entitlement: StoredEntitlement,
  announcement: StoredAnnouncement,
  symbolOf: SymbolOf,
) {
  return {
    corporateActionId: announcement.externalId,
    type: announcement.type,
    symbol: symbolOf(announcement.security),
    exDate: announcement.exDate,
    payDate: announcement.payDate,
    deadline: announcement.deadline ?? '',
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
