/**
 * Exempt recipients: registrations for whose sales a broker files no Form 1099-B, or only some (26 CFR
 * 1.6045-1(c)(3)(i)). The registration of an account decides. It does not show whether a trust or a company is exempt
 * from tax (26 USC 501(a)), how a limited liability company is taxed, or whether a corporation is an S corporation.
 */
import { registrationOf } from '../account/registration.ts'
import { isCovered, type TaxedSecurity } from './covered.ts'

interface Exemption {
  /** Sales of covered securities that were acquired from this day on have a form; undefined if no sale has one. */
  readonly exceptCoveredSince: string | undefined
  readonly source: string
}

/** By registration type, or by its group. */
const exemptions: Readonly<Record<string, Exemption>> = {
  ira: {
    exceptCoveredSince: undefined,
    source: '26 CFR 1.6045-1(c)(3)(i)(B)(2); 26 USC 408(e)(1)',
  },
  // Any corporation can be an S corporation. It has forms until it certifies on Form W-9 that it is none.
  Corporation: {
    exceptCoveredSince: '2012-01-01',
    source: '26 CFR 1.6045-1(c)(3)(i)(B)(1); 26 USC 6045(g)(4); Instructions for Form W-9, Exempt payee code',
  },
}

/** What decides whether a sale has a Form 1099-B. */
export interface ExemptRecipient {
  /** No sale has a form. */
  readonly isWhole: boolean
  /** Whether the sale of a lot has a form. */
  hasForm(security: TaxedSecurity, openDate: string, costKnown: boolean): boolean
}

const notExempt: ExemptRecipient = { isWhole: false, hasForm: () => true }

export function exemptRecipientOf(registrationType: string): ExemptRecipient {
  const row = registrationOf(registrationType)
  const exemption = row && (exemptions[row.value] ?? exemptions[row.group])
  if (exemption === undefined) return notExempt
  const { exceptCoveredSince: since } = exemption
  return {
    isWhole: since === undefined,
    hasForm: (security, openDate, costKnown) =>
      since !== undefined && openDate >= since && isCovered(security, openDate, costKnown),
  }
}
