/** Day counts, coupon dates and accrued interest. */
export * from './accrued.ts'
export * from './coupon-dates.ts'
export * from './day-count.ts'
export * from './fund-interest.ts'
export * from './margin-interest.ts'
export * from './yield-to-maturity.ts'
