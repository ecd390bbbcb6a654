/** The objects that answers are made of, by their names in the trade: `Position`, `Delivery`, `FollowUp`. All are open: a later service may add members and coded values. */
import type { Data } from '@clearing/protocol'

/** An item of the list `K` of the answer of an operation. */
type ItemOf<D, K extends keyof D> = D[K] extends readonly (infer Item)[] ? Item : never

/** The record of an account, as get-account answers it without `entityNumber` (shape 2). Names and texts are in upper case; tax ids are masked without `pii:read`. */
export type Account = Exclude<Data<'get-account'>, { message: unknown }>
/** The record of an account in shape 1: what new-account answers under `data.message`. */
export type AccountMessage = Extract<Data<'get-account'>, { message: unknown }>['message']
/** An application on its way, with its stages and follow-ups. */
export type OnboardingResult = Data<'onboarding-result'>
/** Something that an application waits for: a field, a document, a review. `dueBy` is ISO 8601 in UTC. */
export type FollowUp = ItemOf<OnboardingResult, 'followUps'>
/** A stage of an application. */
export type OnboardingStage = ItemOf<OnboardingResult, 'state'>

/** Positions and balances of an account; amounts are US dollars unless a member says otherwise. */
export type PositionSummary = Data<'position-summary'>
/** A position: quantity in shares or face value, price in `currencyCode`'s currency. */
export type Position = ItemOf<PositionSummary, 'portfolios'>
/** A position's lot, as position-detail answers it. */
export type PositionLot = ItemOf<Data<'position-detail'>, 'portfolios'>
/** A lot, or a part of one, that was closed, as realized-gains answers it; amounts are US dollars. */
export type Closing = ItemOf<Data<'realized-gains'>, 'closings'>
/** A Form 1099-B, a row of Form 8949; amounts are US dollars. */
export type TaxRow = ItemOf<Data<'tax-report'>, 'rows'>
/** A line of trade-activity or non-trade-activity; every member is a text but the lists. */
export type ActivityLine = ItemOf<Data<'trade-activity'>, 'activity'>
/** A margin call; amounts are US dollars, dates `yyyy-MM-dd`. */
export type MarginCall = ItemOf<Data<'list-calls'>, 'calls'>
/** The margin figures of an account. */
export type BalanceSummary = Data<'balance-summary'>

/** A document as it is listed; `sizeBytes` of its content, `sha256` in hexadecimal. */
export type DocumentDetail = ItemOf<Data<'get-document-details'>, 'documents'>
/** A kind of document of the catalogue. */
export type DocumentType = ItemOf<Data<'get-document-types'>, 'documentTypes'>
/** A coded list with its values. */
export type CodeList = ItemOf<Data<'code-lists'>, 'codeLists'>
/** An error of the catalogue, with its remedy. */
export type CatalogueError = ItemOf<Data<'code-lists'>, 'errors'>

/** An address that events are sent to. */
export type Webhook = ItemOf<Data<'list-webhooks'>, 'webhooks'>
/** An event sent, or to be sent, to a webhook, with every attempt. */
export type Delivery = ItemOf<Data<'list-deliveries'>, 'deliveries'>

/** A client firm with its credentials, without secrets. */
export type Firm = ItemOf<Data<'list-firms'>, 'firms'>
/** A credential of a firm, without its secrets. */
export type Credential = ItemOf<Firm, 'credentials'>
/** A possible match of a person with an entry of a watch list. */
export type WatchListMatch = ItemOf<Data<'list-matches'>, 'matches'>
/** What a load came to: counts of lines, and the first rejects. */
export type Load = Data<'load-activity'>
/** A line that a load refused, with its number in the body (from 1), code, field and reason. */
export type RejectedLine = ItemOf<Data<'get-load'>, 'rejects'>
/** Something in the books that does not tie out. */
export type BooksBreak = ItemOf<Data<'verify-books'>, 'breaks'>
/** The audit chain of a firm, and the first row of it that does not fit. */
export type AuditChain = ItemOf<Data<'verify-audit'>, 'firms'>
