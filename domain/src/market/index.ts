/**
 * The rules of the market that the books use: calendars and settlement, regulatory fees, interest, identifiers, the
 * value of positions, and margin. Pure functions over dates as `yyyy-MM-dd` and exact decimals.
 */
export * from './calendar/index.ts'
export * from './cash-account/index.ts'
export * from './debt-class.ts'
export * from './fees/index.ts'
export * from './fund-class.ts'
export * from './identifiers/index.ts'
export * from './interest/index.ts'
export * from './intrinsic.ts'
export * from './margin/index.ts'
export * from './security-kind.ts'
export * from './type-name.ts'
export * from './valuation/index.ts'
