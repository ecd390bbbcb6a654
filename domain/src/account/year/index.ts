/** The year of an account: which facts fall due, and what follows on a day. */
export { type DueItem, fallsDue, renewalKindOf, type YearFacts } from './falls-due.ts'
export { asksFor, requestRenewal, withRequested } from './request-renewal.ts'
export { type Renewal, type ReviewFacts, requestOf, reviewYear, type YearReview } from './review-year.ts'
