/**
 * The class of debt that margin and payment depend on. It is derived from the name of the security's type, because
 * feeds load no rating.
 */

import type { SecurityKind } from './security-kind.ts'
import { type DebtClass, namedDebt } from './type-name.ts'

/** Margined like the stock that it converts into (FINRA Rule 4210(a)(7), margin equity securities). */
const convertible = /\bconvertible|\bexchangeable/i

/** Undefined for securities that are not debt, and for debt that converts into stock. */
export function debtClass({
  kind,
  secTypeName,
  converts,
}: {
  readonly kind: SecurityKind
  readonly secTypeName: string
  readonly converts?: unknown
}): DebtClass | undefined {
  if (kind === 'Treasury' || kind === 'Agency') return kind
  if (kind !== 'Bond' || converts !== undefined || convertible.test(secTypeName)) return undefined
  const named = namedDebt(secTypeName) ?? 'OtherDebt'
  // A treasury of another country is a bond, and no rating of that country is loaded.
  return named === 'Treasury' ? 'OtherDebt' : named
}

/**
 * Exempted securities (15 U.S.C. 78c(a)(12)): those of the United States, its agencies and municipalities. They have no
 * payment period under Regulation T.
 */
export function isExempted(security: Parameters<typeof debtClass>[0]): boolean {
  const of = debtClass(security)
  return of === 'Treasury' || of === 'Agency' || of === 'Municipal'
}
