/** The year of an account: the facts that fall due, and their consequences on a day. */
export { areOwnersStated, statedFieldsOf } from './entity-due.ts'
export {
  type DueItem,
  type FormDays,
  fallsDue,
  isIdentificationCurrent,
  lastYearOfW8,
  renewalKindOf,
  type YearFacts,
} from './falls-due.ts'
export { isAnswered } from './is-answered.ts'
export { asksFor, requestRenewal, withRequested } from './request-renewal.ts'
export { type Renewal, type ReviewFacts, requestOf, reviewYear, type YearReview } from './review-year.ts'
export { type UnlinkedDocuments, unlinkedDocumentsOf } from './unlinked-documents.ts'
export { type EarlierRecord, foreignOwnersInStates, usAddressSince } from './us-address.ts'
