/** Realized gains in US dollars, and the figures of Form 1099-B and Form 8949 that they come to. Pure functions. */
export { type CoverageRow, coverageRow, isCovered, type TaxedSecurity } from './covered.ts'
export { type Form8949Box, type SaleRow, TaxYear } from './form-8949.ts'
export { FORM_8949_COLUMNS, renderForm8949Row } from './form-8949-csv.ts'
export { addGain, type GainSums, noGain, type RealizedGain, realizedGain } from './realized-gain.ts'
