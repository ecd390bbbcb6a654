/** What the owner of an account may do: by its registration, its settings, and the restrictions in force. */
import { hasMargin, mayBorrow, optionLevelOf } from '@clearing/domain'
import { allowsSpreads } from '@clearing/domain/books'
import { type CodeOf, suspendedBy } from '@clearing/protocol/values'
import type { AccountRow } from '../../store/books/positions.ts'

export interface AccountRights {
  /**
   * True if unsettled sales cannot pay for purchases, because the privilege of delaying payment is withdrawn (12 CFR
   * 220.8(c)).
   */
  readonly settledCashOnly: boolean
  /** False for a registration that cannot borrow. Such an account has no margin, whatever its lines state. */
  readonly mayBorrow: boolean
  /** Whether the record has margin. Without it, an account has margin figures only while credit is extended in fact. */
  readonly marginAgreed: boolean
  /** Whether the option level allows spreads. */
  readonly maySpread: boolean
  /** What the restrictions suspend. */
  readonly suspended: ReadonlySet<CodeOf<'entitlement'>>
}

export function rightsOf({
  registration_type,
  main,
  restrictions,
}: Pick<AccountRow, 'registration_type' | 'main' | 'restrictions'>): AccountRights {
  return {
    settledCashOnly: restrictions.includes('NinetyDayCash'),
    mayBorrow: mayBorrow(registration_type),
    // Null settings: the record states none, and nothing speaks against margin.
    marginAgreed: main === null || hasMargin(main),
    maySpread: main !== null && allowsSpreads(optionLevelOf(main)),
    suspended: new Set(restrictions.flatMap((code) => suspendedBy[code as CodeOf<'restrictionCode'>] ?? [])),
  }
}
