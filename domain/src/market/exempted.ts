/** Exempted securities (15 U.S.C. 78c(a)(12)): of the United States, its agencies, and municipalities. Regulation T sets them no payment period. */

import type { SecurityKind } from './security-kind.ts'

const AGENCY_NAME = /\bagency|agencies|\bgovernment.sponsored|\bgse\b/i
const MUNICIPAL_NAME = /\bmuni/i

/** Told from the kind and, of bonds, from the name of the security's type. */
export function isExempted({
  kind,
  secTypeName,
}: {
  readonly kind: SecurityKind
  readonly secTypeName: string
}): boolean {
  if (kind === 'Treasury') return true
  return kind === 'Bond' && (AGENCY_NAME.test(secTypeName) || MUNICIPAL_NAME.test(secTypeName))
}
