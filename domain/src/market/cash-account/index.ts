/** Cash accounts under Regulation T: payment, calls, and the privilege of delaying payment. */
export * from './freeze.ts'
export * from './line.ts'
export * from './payments.ts'
export * from './standing.ts'
