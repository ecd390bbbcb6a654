/** Regulatory fees on sales. */
export * from './sale-fees.ts'
export * from './section31.ts'
export * from './trading-activity.ts'
