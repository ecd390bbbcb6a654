/** Realized gains in US dollars, and the resulting figures of Form 1099-B and Form 8949. Pure functions. */
export { isCovered, type TaxedSecurity } from './covered.ts'
export { type ExemptRecipient, exemptRecipientOf } from './exempt-recipients.ts'
export { dateSold, isExercise, type SaleRow, TaxYear } from './form-8949.ts'
export { describeSale, FORM_8949_COLUMNS, renderForm8949Row } from './form-8949-csv.ts'
export { GainTotals, type TermTotals } from './gain-totals.ts'
export { type RealizedGain, realizedGain } from './realized-gain.ts'
