/** The state of the OpenID provider while people sign in. It expires. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { keyHash } from './counted-guesses.ts'

const upsertState = statement(
  'upsert-sign-in-state',
  `insert into clearing.sign_in_state (model, id_hash, payload, uid, grant_id, expires_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (model, id_hash) do update set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
     expires_at = excluded.expires_at`,
)
const selectState = statement<{ payload: Record<string, unknown> }>(
  'select-sign-in-state',
  'select payload from clearing.sign_in_state where model = $1 and id_hash = $2 and expires_at > $3',
)
const selectStateByUid = statement<{ payload: Record<string, unknown> }>(
  'select-sign-in-state-by-uid',
  'select payload from clearing.sign_in_state where model = $1 and uid = $2 and expires_at > $3',
)
const consumeState = statement(
  'consume-sign-in-state',
  `update clearing.sign_in_state set payload = payload || jsonb_build_object('consumed', $3::bigint)
   where model = $1 and id_hash = $2`,
)
const deleteState = statement(
  'delete-sign-in-state',
  'delete from clearing.sign_in_state where model = $1 and id_hash = $2',
)
const deleteGrant = statement(
  'delete-sign-in-grant',
  'delete from clearing.sign_in_state where grant_id = $1',
)

export interface SignInState {
  readonly model: string
  readonly id: string
  readonly payload: Record<string, unknown>
  readonly expiresAt: Date
}

export function writeState(tx: Tx, { model, id, payload, expiresAt }: SignInState): Promise<number> {
  return tx.run(upsertState, [
    model,
    keyHash(id),
    payload,
    typeof payload.uid === 'string' ? payload.uid : null,
    typeof payload.grantId === 'string' ? payload.grantId : null,
    expiresAt,
  ])
}
export async function readState(
  tx: Tx,
  model: string,
  id: string,
  now: Date,
): Promise<Record<string, unknown> | undefined> {
  return (await tx.row(selectState, [model, keyHash(id), now]))?.payload
}
export async function readStateByUid(
  tx: Tx,
  model: string,
  uid: string,
  now: Date,
): Promise<Record<string, unknown> | undefined> {
  return (await tx.rows(selectStateByUid, [model, uid, now]))[0]?.payload
}
export function markStateUsed(tx: Tx, model: string, id: string, at: Date): Promise<number> {
  return tx.run(consumeState, [model, keyHash(id), Math.floor(at.getTime() / 1_000)])
}
export function removeState(tx: Tx, model: string, id: string): Promise<number> {
  return tx.run(deleteState, [model, keyHash(id)])
}
export function removeGrant(tx: Tx, grantId: string): Promise<number> {
  return tx.run(deleteGrant, [grantId])
}
