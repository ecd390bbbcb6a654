/** A typed client of the Clearing Account Service for Node, Deno, Bun and browsers. */
export { rowsName } from '@clearing/protocol/calls'
export type { Answer, FileAnswer } from './answer.ts'
export {
  type AnswerOf,
  audiencesOf,
  type CallOf,
  type Client,
  createClient,
  type EachRow,
  type LooseMethod,
  type Method,
  type MethodName,
  type Methods,
  methodName,
  methodOf,
} from './client.ts'
export type { Bytes, Lines, UploadFile } from './content.ts'
export { createSandbox, type Sandbox, type SandboxSettings } from './create-sandbox.ts'
export { decimalNames } from './decimals.ts'
export {
  type CloudEvent,
  EventsMissed,
  type EventsSettings,
  type EventsWanted,
} from './events.ts'
export {
  type AnsweredRejection,
  CallFailed,
  OutcomeUnknown,
  RequestRejected,
  ServiceFailed,
  ServiceUnavailable,
  SignedOut,
  Silence,
  TokenRefused,
} from './failures.ts'
export { followOnboarding } from './follow-onboarding.ts'
export { type EventOf, isEvent } from './is-event.ts'
export type { EachSettings, Page, RowOf } from './paging.ts'
export type {
  Account,
  AccountMessage,
  ActivityLine,
  AuditChain,
  BalanceSummary,
  BooksBreak,
  CatalogueError,
  Closing,
  CodeList,
  CorrectedDay,
  Credential,
  Delivery,
  DocumentDetail,
  DocumentType,
  Firm,
  FollowUp,
  Load,
  MarginCall,
  MarginInterest,
  OnboardingResult,
  OnboardingStage,
  Position,
  PositionLot,
  PositionSummary,
  RejectedLine,
  TaxRow,
  WatchListMatch,
  Webhook,
} from './rows.ts'
export type {
  Attempt,
  CallSettings,
  ClientCredentials,
  ClientSettings,
  ConnectionSettings,
  Decimals,
  EndedAttempt,
  KeyCredentials,
  OwnTokens,
  PageSession,
  Retry,
  SecretCredentials,
} from './settings.ts'
export { signWebhook, type WebhookHeaders } from './sign-webhook.ts'
export { createTokenSource, type TokenSource } from './tokens.ts'
export {
  type ReceivedWebhook,
  type VerifySettings,
  verifyWebhook,
  WebhookRefused,
} from './verify-webhook.ts'
export { makeWebhookSecret } from './webhook-secret.ts'
