/** Webhooks of firms, their sealed secrets, and their log of deliveries. */
import { statement, unprepared, type Value } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { openText, seal } from '../encryption/seal.ts'
import { parseUuid } from '../ids.ts'
import { type EventFilter, type LogPosition, positionValues, renderConditions } from './event-log.ts'
import { logOrder, rowIdsOf } from './event-rows.ts'

export interface Webhook {
  readonly webhook_id: string
  readonly firm_id: string
  readonly url: string
  readonly description: string
  readonly types: readonly string[]
  readonly entity_number: string | null
  readonly rep_code: string | null
  readonly account_number: string | null
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The credential that created the webhook or last changed its address. Null for webhooks of earlier builds. */
  readonly address_set_by: string | null
}

const columns = `webhook_id, firm_id, url, description, types, entity_number, rep_code, account_number, disabled_at,
  disabled_reason, created_at, updated_at, address_set_by`

/** The reason of a webhook that its firm disabled. The service gives other reasons. */
export const disabledByFirm = 'The firm disabled it.'

export function filterOf(
  webhook: Pick<Webhook, 'types' | 'entity_number' | 'rep_code' | 'account_number'>,
): EventFilter {
  return {
    types: webhook.types,
    entityNumber: webhook.entity_number ?? undefined,
    repCode: webhook.rep_code ?? undefined,
    accountNumber: webhook.account_number ?? undefined,
  }
}

const insertWebhookRow = statement(
  'insert-webhook',
  `insert into clearing.webhook
     (webhook_id, firm_id, url, description, types, entity_number, rep_code, account_number, transaction_id, position,
      created_at, updated_at, address_set_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9::xid8, $10, $11, $11, $12)`,
)

export interface NewWebhook {
  readonly webhookId: string
  readonly firmId: string
  readonly url: string
  readonly description: string
  readonly filter: EventFilter
  readonly place: LogPosition
  /** The credential that creates it. */
  readonly by: string
  readonly at: Date
}

export function insertWebhook(tx: Tx, webhook: NewWebhook): void {
  const { types, entityNumber, repCode, accountNumber } = webhook.filter
  tx.later(insertWebhookRow, [
    webhook.webhookId,
    webhook.firmId,
    webhook.url,
    webhook.description,
    types,
    entityNumber ?? null,
    repCode ?? null,
    accountNumber ?? null,
    ...positionValues(webhook.place),
    webhook.at,
    webhook.by,
  ])
}

/** The advisory lock of the webhooks that a firm adds. */
const additionsLock = 7_017
const lockAdditions = statement(
  'hold-additions-of-webhooks',
  'select pg_catalog.pg_advisory_xact_lock($1::integer, pg_catalog.hashtext($2))',
)

/** Adds one webhook of a firm at a time, so that concurrent additions cannot exceed the limit. */
export function holdNewWebhooks(tx: Tx, firmId: string): void {
  tx.later(lockAdditions, [additionsLock, firmId])
}

const selectWebhooks = statement<Webhook>(
  'select-webhooks',
  `select ${columns} from clearing.webhook order by created_at, webhook_id`,
)
export function readWebhooks(tx: Tx): Promise<Webhook[]> {
  return tx.rows(selectWebhooks)
}

const selectWebhook = statement<Webhook>(
  'select-webhook',
  `select ${columns} from clearing.webhook where webhook_id = $1`,
)
const lockWebhook = statement<Webhook>(
  'lock-webhook',
  `select ${columns} from clearing.webhook where webhook_id = $1 for no key update`,
)

/** The webhook, if the transaction's firm can see it. Undefined also for a text that is not an id. */
export async function readWebhook(tx: Tx, webhookId: string): Promise<Webhook | undefined> {
  const id = parseUuid(webhookId)
  return id === undefined ? undefined : tx.row(selectWebhook, [id])
}

export async function lockWebhookRow(tx: Tx, webhookId: string): Promise<Webhook | undefined> {
  const id = parseUuid(webhookId)
  return id === undefined ? undefined : tx.row(lockWebhook, [id])
}

const changeWebhookRow = statement<Webhook>(
  'change-webhook',
  `update clearing.webhook set
     url = $2, description = $3, types = $4, entity_number = $5, rep_code = $6, account_number = $7, updated_at = $8,
     disabled_at = case when $9::text is null then null else coalesce(disabled_at, $8) end, disabled_reason = $9,
     due_at = case when disabled_at is not null and $9::text is null then clock_timestamp() else due_at end,
     address_set_by = case when url = $2 then address_set_by else $10 end
   where webhook_id = $1 returning ${columns}`,
)

export interface WebhookChange {
  readonly url: string
  readonly description: string
  readonly filter: EventFilter
  /** Null for an enabled webhook. */
  readonly disabledReason: string | null
  /** The credential that changes it. */
  readonly by: string
  readonly at: Date
}

export async function changeWebhook(tx: Tx, webhookId: string, change: WebhookChange): Promise<Webhook> {
  const { types, entityNumber, repCode, accountNumber } = change.filter
  const changed = await tx.row(changeWebhookRow, [
    webhookId,
    change.url,
    change.description,
    types,
    entityNumber ?? null,
    repCode ?? null,
    accountNumber ?? null,
    change.at,
    change.disabledReason,
    change.by,
  ])
  if (changed === undefined) throw new Error(`webhook ${webhookId} was locked and is not there`)
  return changed
}

const selectWebhooksSetBy = statement<Webhook>(
  'select-webhooks-set-by',
  `select ${columns} from clearing.webhook where firm_id = $1 and address_set_by = $2 order by created_at, webhook_id`,
)
/** The webhooks whose address the credential set: they outlive it. */
export function readWebhooksSetBy(tx: Tx, firmId: string, clientId: string): Promise<Webhook[]> {
  return tx.rows(selectWebhooksSetBy, [firmId, clientId])
}

const disableWebhooksSetBy = statement(
  'disable-webhooks-set-by',
  `update clearing.webhook set disabled_at = $3, disabled_reason = $4, updated_at = $3
   where firm_id = $1 and address_set_by = $2 and disabled_at is null`,
)
export async function endWebhooksSetBy(
  tx: Tx,
  credential: { readonly firmId: string; readonly clientId: string },
  reason: string,
  at: Date,
): Promise<void> {
  await tx.run(disableWebhooksSetBy, [credential.firmId, credential.clientId, at, reason])
}

const deleteWebhookRow = statement('delete-webhook', 'delete from clearing.webhook where webhook_id = $1')
export function deleteWebhookWithLog(tx: Tx, webhookId: string): void {
  tx.later(deleteWebhookRow, [webhookId])
}

/** Wakes the sender of every instance after the commit. */
const announceWork = statement('announce-webhook-work', `select pg_notify('clearing_event', '')`)
export function wakeSenders(tx: Tx): void {
  tx.later(announceWork)
}

// Secrets

export interface WebhookSecret {
  readonly secret_id: string
  readonly webhook_id: string
  readonly firm_id: string
  readonly sealed: Buffer
  readonly created_at: string
  readonly expires_at: string | null
}

const insertSecretRow = statement(
  'insert-webhook-secret',
  `insert into clearing.webhook_secret (secret_id, webhook_id, firm_id, sealed, created_at) values ($1, $2, $3, $4, $5)`,
)
function place(firm: string, row: string) {
  return { firm, table: 'webhook_secret', column: 'sealed', row }
}

export function insertWebhookSecret(
  tx: Tx,
  secret: { secretId: string; webhookId: string; firmId: string; text: string; at: Date },
  keys: FirmKeys,
): void {
  tx.later(insertSecretRow, [
    secret.secretId,
    secret.webhookId,
    secret.firmId,
    seal(keys, secret.text, place(secret.firmId, secret.secretId)),
    secret.at,
  ])
}

export function openSecret(secret: WebhookSecret, keys: FirmKeys): string {
  return openText(keys, secret.sealed, place(secret.firm_id, secret.secret_id))
}

const selectSecrets = statement<WebhookSecret>(
  'select-webhook-secrets',
  `select secret_id, webhook_id, firm_id, sealed, created_at, expires_at from clearing.webhook_secret
   where ($1::uuid is null or webhook_id = $1) and (expires_at is null or expires_at > $2)
   order by created_at desc, secret_id`,
)
/**
 * The valid secrets of one webhook, or of all webhooks that the transaction can see, newest first. `now` is
 * the wall clock.
 */
export function readSecrets(tx: Tx, webhookId: string | null, now: Date): Promise<WebhookSecret[]> {
  return tx.rows(selectSecrets, [webhookId, now])
}

const endSecretsRow = statement(
  'end-webhook-secrets',
  `update clearing.webhook_secret set expires_at = least(expires_at, $2) where webhook_id = $1`,
)
export function endSecrets(tx: Tx, webhookId: string, at: Date): void {
  tx.later(endSecretsRow, [webhookId, at])
}

const dropEndedSecrets = statement(
  'drop-ended-webhook-secrets',
  `delete from clearing.webhook_secret where webhook_id = $1 and (expires_at <= $2 or secret_id in (
     select secret_id from clearing.webhook_secret where webhook_id = $1 order by created_at desc offset $3))`,
)
/** Removes all but the newest secrets, up to a number. */
export function dropSecrets(tx: Tx, webhookId: string, now: Date, keptMax: number): void {
  tx.later(dropEndedSecrets, [webhookId, now, keptMax])
}

// The log of deliveries

export interface DeliveryRow {
  readonly delivery_id: string
  readonly webhook_id: string
  readonly kind: string
  readonly event_id: string
  readonly event_type: string
  readonly account_number: string
  readonly status: string
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly attempts: readonly {
    readonly at: string
    readonly durationMs: number
    readonly status: number | null
    readonly answer: string
    readonly error: string
  }[]
}

export interface DeliveryQuery {
  readonly webhookId?: string | undefined
  readonly deliveryId?: string | undefined
  readonly status?: string | undefined
  readonly eventId?: string | undefined
  readonly accountNumber?: string | undefined
  /** Only deliveries before this one. */
  readonly before?: readonly [createdAt: string, deliveryId: string] | undefined
  readonly size: number
}

/** The latest deliveries first. Returns one more than requested if there are more. */
export function findDeliveries(tx: Tx, firmId: string, query: DeliveryQuery): Promise<DeliveryRow[]> {
  const values: Value[] = [firmId, query.size + 1]
  const add = (value: Value) => `$${values.push(value)}`
  const conditions = ['firm_id = $1']
  if (query.webhookId !== undefined) conditions.push(`webhook_id = ${add(query.webhookId)}::uuid`)
  if (query.deliveryId !== undefined) conditions.push(`delivery_id = ${add(query.deliveryId)}::uuid`)
  if (query.status !== undefined) conditions.push(`status = ${add(query.status)}`)
  if (query.eventId !== undefined) conditions.push(`event_id = ${add(query.eventId)}::uuid`)
  if (query.accountNumber !== undefined) conditions.push(`account_number = ${add(query.accountNumber)}`)
  if (query.before !== undefined) {
    const [at, id] = query.before.map(add)
    conditions.push(`(created_at, delivery_id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  return tx.rows(
    unprepared<DeliveryRow>(
      `select delivery_id, webhook_id, kind, event_id, event_type, account_number, status, created_at, next_attempt_at, attempts
       from clearing.webhook_delivery where ${conditions.join(' and ')}
       order by created_at desc, delivery_id desc limit $2`,
    ),
    values,
  )
}

const selectDelivered = statement<{ webhook_id: string; event_id: string }>(
  'select-delivered-event',
  'select webhook_id, event_id from clearing.webhook_delivery where delivery_id = $1',
)
/** Pairs of event and webhook. */
export function readDelivered(
  tx: Tx,
  deliveryId: string,
): Promise<{ webhook_id: string; event_id: string } | undefined> {
  return tx.row(selectDelivered, [deliveryId])
}

const countWaitingRows = statement<{ waiting: bigint }>(
  'count-waiting-deliveries',
  "select count(*) as waiting from clearing.webhook_delivery where webhook_id = $1 and status = 'Waiting'",
)
export async function countWaitingDeliveries(tx: Tx, webhookId: string): Promise<number> {
  return Number((await tx.row(countWaitingRows, [webhookId]))?.waiting ?? 0)
}

export interface ResendQuery {
  readonly eventIds?: readonly string[] | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly filter: EventFilter
  readonly max: number
}

/** Queues events of the log again and returns their number; undefined if it would exceed `max`. */
export async function queueResends(
  tx: Tx,
  webhook: Webhook,
  { eventIds, from, to, filter, max }: ResendQuery,
): Promise<number | undefined> {
  const values: Value[] = [webhook.webhook_id, webhook.firm_id, max + 1]
  const add = (value: Value) => `$${values.push(value)}`
  const conditions = ['firm_id = $2', ...renderConditions(filter, values)]
  if (eventIds !== undefined)
    conditions.push(
      `row_id = any (${add(rowIdsOf(eventIds))}::uuid[]) and event_id = any (${add([...eventIds])}::uuid[])`,
    )
  if (from !== undefined) conditions.push(`at >= ${add(from)}`)
  if (to !== undefined) conditions.push(`at <= ${add(to)}`)
  const queued = await tx.run(
    unprepared(
      `insert into clearing.webhook_delivery
         (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number, transaction_id, position, status, next_attempt_at)
       select gen_random_uuid(), $1, $2, 'Resend', event_id, type, account_number, transaction_id, position, 'Waiting', clock_timestamp()
       from clearing.logged_event as event where ${conditions.join(' and ')} order by ${logOrder} limit $3`,
    ),
    values,
  )
  if (queued > max) return undefined
  tx.later(setDue, [webhook.webhook_id])
  wakeSenders(tx)
  return queued
}

const setDue = statement(
  'set-webhook-due',
  'update clearing.webhook set due_at = clock_timestamp() where webhook_id = $1',
)
