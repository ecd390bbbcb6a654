/** Days, holidays and settlement. */
export * from './day.ts'
export * from './holidays.ts'
export * from './settlement.ts'
export * from './statement-periods.ts'
