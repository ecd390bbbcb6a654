/** Identifiers of securities and their check digits. */
export type { IdentifierCheck } from './check.ts'
export * from './cusip.ts'
export * from './isin.ts'
export * from './sedol.ts'
