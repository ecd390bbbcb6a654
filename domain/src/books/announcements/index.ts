/** Announced corporate actions, from the announcement to the lines of every holder. */
export {
  type AnnouncedTerms,
  changesOf,
  electionsAfter,
  type TermChange,
  whyNotAmended,
} from './amend.ts'
export * from './announcement.ts'
export { checkAnnouncement } from './check-announcement.ts'
export { divideElections } from './divide-elections.ts'
export { type AnnouncedLine, type AnnouncedSecurity, linesOfHolder } from './lines-of-holder.ts'
export { type FeedPayment, matchPayments, type PaidByFeed } from './paid-by-feed.ts'
export { isLargeDistribution, largeExDate, usualExDate } from './usual-ex-date.ts'
export { whyNotElected } from './why-not-elected.ts'
