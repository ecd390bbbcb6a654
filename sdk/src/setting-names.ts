/**
 * The names of settings. A misspelled setting is refused: ignored, it could give more rights than the program wanted.
 */
import { nearestName } from '@clearing/protocol/calls'
import type { EventsSettings, EventsWanted } from './events.ts'
import type { EachSettings } from './paging.ts'
import type { CallSettings, ClientSettings, Decimals } from './settings.ts'
import type { VerifySettings } from './verify-webhook.ts'

type NamesOf<Settings> = Settings extends unknown ? Readonly<Record<keyof Settings, 0>> : never
type Together<Names> = (Names extends unknown ? (each: Names) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

const ofClient: Together<NamesOf<ClientSettings<Decimals>>> = {
  baseUrl: 0,
  cell: 0,
  fetch: 0,
  timeoutMs: 0,
  retries: 0,
  retryForMs: 0,
  retryDelayMs: 0,
  retryDelayMsMax: 0,
  onRequest: 0,
  onResponse: 0,
  onRetry: 0,
  decimals: 0,
  clientId: 0,
  clientSecret: 0,
  clientKey: 0,
  issuer: 0,
  scope: 0,
  tokenUrl: 0,
  dpop: 0,
  accessToken: 0,
  session: 0,
}
const ofCall: NamesOf<CallSettings> = {
  idempotencyKey: 0,
  signal: 0,
  timeoutMs: 0,
  retries: 0,
  retryForMs: 0,
  consistency: 0,
  headers: 0,
  sandboxFault: 0,
}
const ofEach: NamesOf<EachSettings<unknown>> = { ...ofCall, onPage: 0 }
const ofEvents: NamesOf<EventsSettings> = { from: 0, follow: 0, signal: 0 }
const ofFilter: NamesOf<EventsWanted> = { types: 0, entityNumber: 0, repCode: 0, accountNumber: 0, cursor: 0 }
const ofVerify: NamesOf<VerifySettings> = { toleranceSeconds: 0, now: 0 }

export const settingNames = {
  createClient: ofClient,
  call: ofCall,
  each: ofEach,
  events: ofEvents,
  filter: ofFilter,
  followOnboarding: { everyMs: 0, signal: 0 },
  verifyWebhook: ofVerify,
} as const

/** Throws TypeError if the settings have a member that is not one of the names, unless it is undefined. */
export function checkNames(settings: object, names: Readonly<Record<string, 0>>): void {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const unknown = given.find(([name]) => !Object.hasOwn(names, name))?.[0]
  if (unknown === undefined) return
  const known = Object.keys(names)
  const nearest = nearestName(unknown, known)
  const remedy = nearest === undefined ? `the settings are ${known.join(', ')}` : `did you mean ${nearest}?`
  throw new TypeError(`there is no setting ${unknown}; ${remedy}`)
}
