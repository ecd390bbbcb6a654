/**
 * What a client needs to call the operations, without their shapes: small, so that a program with one call does
 * not include the whole contract.
 */
export { pathOf } from '../operation.ts'
export { nearestName } from '../reading/nearest-name.ts'
export { rowsName } from './rows-name.ts'
export * from './table.ts'
