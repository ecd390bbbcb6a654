/** What an approved change does: the operation that was asked for, under the keys of the firm that it concerns. */
import { type Rejection, reject } from '@clearing/protocol'
import { type Context, Rejected } from '../context.ts'
import { amendRecord } from '../operations/amend-record.ts'
import { lockAccountRow } from '../store/accounts.ts'
import type { StoredChange } from '../store/changes.ts'
import {
  makeCredential,
  makeSecret,
  type NewCredential,
  type NewKeys,
  type NewSecret,
  replaceKeys,
  switchCredential,
} from './credentials.ts'
import {
  type CloseRequest,
  closeNow,
  type EndRequest,
  endNow,
  type PlaceRequest,
  placeNow,
} from './restrict.ts'
import { whyFixed } from './why-fixed.ts'

type Effect = (request: never, context: Context, change: StoredChange) => Promise<readonly Rejection[]>

const one = (outcome: object): readonly Rejection[] =>
  'code' in outcome && 'field' in outcome ? [outcome as Rejection] : []

const effects: Readonly<Record<string, Effect>> = {
  'update-account': async (request: object, context, change) => {
    const account = await lockAccountRow(context.tx, change.account_number, context.keys)
    if (account === undefined)
      throw new Error(`account ${change.account_number} has a change and is not there`)
    const fixed = await whyFixed(context.tx, account, 'changeId')
    if (fixed !== undefined) return [fixed]
    if (account.version !== change.version)
      return [reject('ERR.2010', 'changeId', 'The record was changed since; reject this and ask again.')]
    const amended = await amendRecord(account, request, context, 'update-account')
    return 'rejections' in amended ? amended.rejections : []
  },
  'place-restriction': async (request: PlaceRequest, context) => one(await placeNow(request, context)),
  'end-restriction': async (request: EndRequest, context) => one(await endNow(request, context)),
  'close-account': async (request: CloseRequest, context) => one(await closeNow(request, context)),
  'create-credential': (request: NewCredential, context) => makeCredential(request, context),
  'rotate-credential': (request: NewSecret, context) => makeSecret(request, context),
  'replace-client-keys': (request: NewKeys, context) => replaceKeys(request, context),
  'disable-credential': (request: { clientId: string; disabled: boolean }, context) =>
    switchCredential(request, context),
}

/** Why it can not take effect, or nothing when it did. The context is that of the firm concerned. */
export const takeEffect = async (
  change: StoredChange,
  request: unknown,
  context: Context,
): Promise<Rejected | undefined> => {
  const effect = effects[change.operation]
  if (effect === undefined) throw new Error(`no effect of ${change.operation}`)
  const rejections = await effect(request as never, context, change)
  return rejections.length === 0 ? undefined : new Rejected(rejections)
}
