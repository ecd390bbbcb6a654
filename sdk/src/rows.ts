/**
 * The types of the objects in responses: `Position`, `Delivery`, `FollowUp`. A later version of the service may add
 * members and coded values.
 */
import type { Data } from '@clearing/protocol'

/** An item of the list `K` in the `data` of an operation. */
type ItemOf<D, K extends keyof D> = D[K] extends readonly (infer Item)[] ? Item : never

/**
 * The record of an account, as get-account returns it without `entityNumber` (shape 2). Names and texts are in upper
 * case; tax ids are masked without `pii:read`.
 */
export type Account = Exclude<Data<'get-account'>, { message: unknown }>
/** The record of an account in shape 1, as new-account returns it under `data.message`. */
export type AccountMessage = Extract<Data<'get-account'>, { message: unknown }>['message']
/** An application with its state, stages and follow-ups. */
export type OnboardingResult = Data<'onboarding-result'>
/** A field, a document or a review that an application waits for. `dueBy` is ISO 8601 in UTC. */
export type FollowUp = ItemOf<OnboardingResult, 'followUps'>
/** A stage of an application. */
export type OnboardingStage = ItemOf<OnboardingResult, 'state'>

/** Positions and balances of an account. Amounts are in US dollars unless a member says otherwise. */
export type PositionSummary = Data<'position-summary'>
/** A position. The quantity is in shares or face value, the price in the currency of `currencyCode`. */
export type Position = ItemOf<PositionSummary, 'portfolios'>
/** A lot of a position, as position-detail returns it. */
export type PositionLot = ItemOf<Data<'position-detail'>, 'portfolios'>
/** A closed lot or part of a lot, as realized-gains returns it. Amounts are in US dollars. */
export type Closing = ItemOf<Data<'realized-gains'>, 'closings'>
/** A Form 1099-B, which is a row of Form 8949. Amounts are in US dollars. */
export type TaxRow = ItemOf<Data<'tax-report'>, 'rows'>
/** A closed day whose figures would differ with what is known now, as list-corrections returns it. */
export type CorrectedDay = ItemOf<Data<'list-corrections'>, 'days'>
/** The interest of a margin account that a close computed. Amounts are in US dollars. */
export type MarginInterest = ItemOf<Data<'list-margin-interest'>, 'interest'>
/** A line of trade-activity or non-trade-activity. Every member except the lists is a text. */
export type ActivityLine = ItemOf<Data<'trade-activity'>, 'activity'>
/** A margin call. Amounts are in US dollars, dates are `yyyy-MM-dd`. */
export type MarginCall = ItemOf<Data<'list-calls'>, 'calls'>
/** The margin figures of an account. */
export type BalanceSummary = Data<'balance-summary'>

/** A document in a list. `sizeBytes` and `sha256` (hexadecimal) are those of its content. */
export type DocumentDetail = ItemOf<Data<'get-document-details'>, 'documents'>
/** A document type of the catalogue. */
export type DocumentType = ItemOf<Data<'get-document-types'>, 'documentTypes'>
/** A coded list with its values. */
export type CodeList = ItemOf<Data<'code-lists'>, 'codeLists'>
/** An error of the catalogue, with its remedy. */
export type CatalogueError = ItemOf<Data<'code-lists'>, 'errors'>

/** A webhook: an address that receives events. */
export type Webhook = ItemOf<Data<'list-webhooks'>, 'webhooks'>
/** The delivery of an event to a webhook, with all attempts. */
export type Delivery = ItemOf<Data<'list-deliveries'>, 'deliveries'>

/** A client firm with its credentials, without secrets. */
export type Firm = ItemOf<Data<'list-firms'>, 'firms'>
/** A credential of a firm, without its secrets. */
export type Credential = ItemOf<Firm, 'credentials'>
/** A possible match of a person with an entry of a watch list. */
export type WatchListMatch = ItemOf<Data<'list-matches'>, 'matches'>
/** The result of a load: counts of lines and the first rejects. */
export type Load = Data<'load-activity'>
/** A rejected line of a load, with its line number in the body (from 1), code, field and reason. */
export type RejectedLine = ItemOf<Data<'get-load'>, 'rejects'>
/** A contradiction in the books. */
export type BooksBreak = ItemOf<Data<'verify-books'>, 'breaks'>
/** The audit chain of a firm and its first row that does not match. */
export type AuditChain = ItemOf<Data<'verify-audit'>, 'firms'>
