/** What a client needs to call the operations, without their shapes: small, so that one call does not bring the whole contract. */
export { pathOf } from '../operation.ts'
export * from './table.ts'
