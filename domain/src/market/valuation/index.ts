/** Values of positions and the totals of an account. */
export * from './carried-price.ts'
export * from './currencies.ts'
export * from './line-value.ts'
export * from './open-lots.ts'
export * from './positions.ts'
export * from './record.ts'
export * from './summarize.ts'
export { toUsd, usdRate } from './us-dollars.ts'
