/** Performs the operation of an approved change under the keys of the firm that it concerns. */
import { type Rejection, reject } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import type { StoredChange } from '../store/changes.ts'
import { readMatches } from '../store/screening.ts'
import {
  type CredentialLimits,
  limitCredential,
  type NewKeys,
  replaceKeys,
  switchCredential,
} from './change-credential.ts'
import { type CloseRequest, closeNow } from './close-account.ts'
import { type CloseDayRequest, closeWhenApproved } from './close-day.ts'
import { effectOfIdentity } from './correct-identity.ts'
import { decideOnMatch } from './decide-on-match.ts'
import { recordStep, type StepRequest } from './hold-step.ts'
import { makeCredential, makeSecret, type NewCredential, type NewSecret } from './make-credential.ts'
import { type EndRequest, endNow, type PlaceRequest } from './restrict.ts'
import { effectOfEntitlements } from './set-entitlements.ts'
import { placeRequested } from './temporary-hold.ts'
import { type Came, effectOfUpdate } from './update-effect.ts'
import { type WaiveRequest, waiveNow } from './waive.ts'

type Effect = (request: never, context: FirmContext, change: StoredChange) => Promise<Came>

function one(outcome: object): readonly Rejection[] {
  return 'code' in outcome && 'field' in outcome ? [outcome as Rejection] : []
}

const effects: Readonly<Record<string, Effect>> = {
  'update-account': effectOfUpdate,
  'decide-match': async (request: ClearMatch, context, change) => {
    const matches = await readMatches(context.tx, change.account_number)
    const match = matches.find(({ match_id }) => match_id === request.matchId)
    if (match === undefined) return [reject('ERR.2013', 'changeId', 'The match no longer exists.')]
    const { reason, expiresAt } = request
    const decision = { cleared: true, reason, expiresAt: new Date(expiresAt) }
    const refused = await decideOnMatch(context, match, decision)
    return refused === undefined ? [] : [refused]
  },
  'place-restriction': async (request: PlaceRequest, context) => one(await placeRequested(request, context)),
  'end-restriction': async (request: EndRequest, context) => one(await endNow(request, context)),
  'record-hold-step': async (request: StepRequest, context) => one(await recordStep(request, context)),
  'close-account': async (request: CloseRequest, context, change) =>
    one(await closeNow(request, context, change.change_id)),
  'waive-follow-up': async (request: WaiveRequest, context) => one(await waiveNow(request, context)),
  'set-entitlements': effectOfEntitlements,
  'correct-identity': effectOfIdentity,
  'close-business-day': (request: CloseDayRequest, context, change) =>
    closeWhenApproved(request, context, change),
  'create-credential': (request: NewCredential, context) => makeCredential(request, context),
  'rotate-credential': (request: NewSecret, context) => makeSecret(request, context),
  'replace-client-keys': (request: NewKeys, context) => replaceKeys(request, context),
  'update-credential': (request: CredentialLimits, context) => limitCredential(request, context),
  'disable-credential': (request: { clientId: string; disabled: boolean }, context) =>
    switchCredential(request, context),
}

/** The subject of a second person's decision: the clearance of a match. */
export interface ClearMatch {
  readonly matchId: string
  readonly reason: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** Attempts to make the change. The context is that of the firm concerned. */
export async function takeEffect(
  change: StoredChange,
  request: unknown,
  context: FirmContext,
): Promise<Came> {
  const effect = effects[change.operation]
  if (effect === undefined) throw new Error(`no effect of ${change.operation}`)
  const came = await effect(request as never, context, change)
  return came.length === 0 ? 'made' : came
}
