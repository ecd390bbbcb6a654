/** Figures over the whole service for its metrics. Each statement is short on filled tables. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { isAfterPosition, logOrder } from './event-rows.ts'

export interface ServiceFigures {
  readonly jobs_waiting: number
  readonly jobs_failed: number
  readonly oldest_job_seconds: number
  /** Midnight UTC of the open business date, in seconds since 1970; null before the first close. */
  readonly business_date_seconds: number | null
  /** Duration of the running close; null if none runs. */
  readonly close_running_seconds: number | null
  readonly last_closed_seconds: number | null
  readonly last_close_took_seconds: number | null
  readonly proof_seconds: number | null
  readonly proof_held: boolean | null
  /** The age of the oldest row of the audit trail that no signed head covers; 0 without such a row. */
  readonly unsigned_seconds: number
  readonly deliveries_waiting: number
  readonly deliveries_failed: number
  readonly oldest_delivery_seconds: number
  /** The age of the oldest event that an active webhook has not read. */
  readonly event_lag_seconds: number
  /**
   * The longest time for which a firm has been frozen, and for which one has been arriving; 0 without such a
   * firm.
   */
  readonly frozen_seconds: number
  readonly arriving_seconds: number
}

const selectFigures = statement<ServiceFigures>(
  'select-service-figures',
  `select job.waiting::float8 as jobs_waiting,
     (select count(*) from clearing.failed_jobs())::float8 as jobs_failed,
     coalesce(extract(epoch from now() - job.oldest), 0)::float8 as oldest_job_seconds,
     (select extract(epoch from business_date::timestamp) from clearing.business_day)::float8 as business_date_seconds,
     (select extract(epoch from now() - started_at) from clearing.business_day_close where closed_at is null)::float8
       as close_running_seconds,
     extract(epoch from last.closed_at)::float8 as last_closed_seconds,
     extract(epoch from last.closed_at - last.started_at)::float8 as last_close_took_seconds,
     extract(epoch from proof.at)::float8 as proof_seconds, proof.verified as proof_held,
     greatest(unsigned.seconds, 0)::float8 as unsigned_seconds,
     delivery.waiting::float8 as deliveries_waiting, delivery.failed::float8 as deliveries_failed,
     coalesce(extract(epoch from now() - delivery.oldest), 0)::float8 as oldest_delivery_seconds,
     coalesce(lag.seconds, 0)::float8 as event_lag_seconds, moving.frozen_seconds, moving.arriving_seconds
   from clearing.job_figures() as job
   cross join (
     select count(*) filter (where status = 'Waiting') as waiting, count(*) filter (where status = 'Failed') as failed,
       min(created_at) filter (where status = 'Waiting') as oldest
     from clearing.webhook_delivery where status in ('Waiting', 'Failed')
   ) as delivery
   cross join (
     select max(extract(epoch from now() - next.written_at)) as seconds
     from clearing.webhook as hook join clearing.firm using (firm_id)
     cross join lateral (
       select written_at from clearing.logged_event as event
       where event.firm_id = hook.firm_id and ${isAfterPosition('hook.transaction_id', 'hook.position')}
       order by ${logOrder} limit 1
     ) as next
     where hook.disabled_at is null and firm.disabled_at is null
   ) as lag
   cross join (
     select max(extract(epoch from now() - first.at)) as seconds
     from clearing.audit_head as head
     cross join lateral (
       select greatest(
         (select sequence from clearing.audit_signed_head where firm_id = head.firm_id order by number desc limit 1),
         (select max(sequence) from clearing.moved_signed_head where firm_id = head.firm_id), 0) as sequence
     ) as signed
     cross join lateral (
       select at from clearing.audit where firm_id = head.firm_id and sequence > signed.sequence order by sequence limit 1
     ) as first
     where head.sequence > signed.sequence
       and not exists (select from clearing.moving_firm as moving where moving.firm_id = head.firm_id)
   ) as unsigned
   cross join (
     select coalesce(extract(epoch from now() - min(changed_at) filter (where state = 'Frozen')), 0)::float8 as frozen_seconds,
       coalesce(extract(epoch from now() - min(changed_at) filter (where state = 'Arriving')), 0)::float8 as arriving_seconds
     from clearing.moving_firm
   ) as moving
   left join lateral (
     select started_at, closed_at from clearing.business_day_close where closed_at is not null
     order by close_date desc limit 1
   ) as last on true
   left join lateral (select at, verified from clearing.audit_proof order by proof_id desc limit 1) as proof on true`,
)
export async function readServiceFigures(tx: Tx): Promise<ServiceFigures> {
  const row = await tx.row(selectFigures)
  if (row === undefined) throw new Error('the figures of the service have no row')
  return row
}

export interface ReplicationSlot {
  readonly name: string
  /** Bytes of the write-ahead log that the standby has not confirmed. */
  readonly behind: number
}

const selectSlots = statement<ReplicationSlot>(
  'select-replication-slots',
  `select slot_name::text as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as behind
   from pg_catalog.pg_replication_slots where restart_lsn is not null`,
)
export function readReplicationSlots(tx: Tx): Promise<ReplicationSlot[]> {
  return tx.rows(selectSlots)
}

/** The newest migration, and when the first one was applied, in seconds since 1970. */
export interface SchemaFigures {
  readonly newest: string
  readonly made_seconds: number
}

const selectSchema = statement<SchemaFigures>(
  'select-schema-figures',
  `select max(name) as newest, extract(epoch from min(applied_at))::float8 as made_seconds
   from clearing.migration having count(*) > 0`,
)
/** Reads as the owner. */
export async function readSchemaFigures(tx: Tx): Promise<SchemaFigures | undefined> {
  return tx.row(selectSchema)
}
