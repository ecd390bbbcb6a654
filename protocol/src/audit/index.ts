/**
 * The format of the audit trail: rows, signed heads and the check of a chain, for verification of an export without the
 * service.
 */
export * from '../shapes/signed-head.ts'
export * from './audit-row.ts'
export * from './chain-check.ts'
export * from './signed-head.ts'
