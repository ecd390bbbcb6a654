/** Announcements and entitlements as responses show them. */
import { type ActionOption, changesOf, type Election } from '@clearing/domain/books'
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import type { Amendment } from '../../store/books/amendments.ts'
import type { StoredEntitlement } from '../../store/books/announced-entitlements.ts'
import type { StoredAnnouncement } from '../../store/books/announcements.ts'
import type { SymbolOf } from './symbols-of-actions.ts'

/** `amendments` are those of the announcement, the first one first. */
export function renderAnnouncement(
  announcement: StoredAnnouncement,
  amendments: readonly Amendment[],
  symbolOf: SymbolOf,
) {
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
    version: announcement.version,
    amendedOn: announcement.amendedAt ?? null,
    amendments: amendments.map(({ externalId, version, amendedAt, loadId, replaced, terms }) => ({
      externalId,
      version,
      amendedOn: amendedAt,
      loadId,
      changes: changesOf(replaced, terms),
    })),
  }
}

function renderOption(
  { option, type, ratio, toSecurity, taxable, ...amounts }: ActionOption,
  symbolOf: SymbolOf,
) {
  const { cashPerShare, costShare, price, cashInLieuPrice } = amounts
  return {
    option,
    type,
    ratio: ratio === undefined ? '' : `${renderDecimal(ratio.received)}:${renderDecimal(ratio.held)}`,
    toSecNo: toSecurity ?? '',
    toSymbol: toSecurity === undefined ? '' : symbolOf(toSecurity),
    cashPerShare: renderAmount(cashPerShare),
    costShare: renderAmount(costShare),
    taxable: taxable ? 'Y' : '',
    price: renderAmount(price),
    cashInLieuPrice: renderAmount(cashInLieuPrice),
  }
}

export function renderEntitlement(
  entitlement: StoredEntitlement & { readonly accountName: string },
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
    accountName: entitlement.accountName,
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

export function renderElections({ elections }: { readonly elections: readonly Election[] }) {
  return elections.map(({ option, quantity, void: reason }) => ({
    option,
    quantity: renderAmount(quantity),
    void: reason ?? '',
  }))
}

function renderAmount(amount: Decimal | undefined): string {
  return amount === undefined ? '' : renderDecimal(amount)
}
