/**
 * Finished closes of business days, the newest first, with the outcomes of applications on each day. A day that is not
 * a business day counts to the next close, so that an application counts once. Those that ended before the day of the
 * first close count to none.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { endOfDay, startOfDay } from './conditions.ts'

export interface FinishedClose {
  readonly close_date: string
  readonly started_at: string
  readonly closed_at: string
  readonly took_ms: bigint
  readonly accounts: bigint
  readonly positions: bigint
  readonly calls_issued: bigint
  readonly calls_met: bigint
  readonly accepted: boolean
  readonly proved_at: string | null
  readonly opened: bigint
  readonly rejected: bigint
}

const selectCloses = statement<FinishedClose>(
  'select-finished-closes',
  `select close_date, started_at, closed_at,
     (select coalesce(sum(step.value::numeric), 0)::bigint from jsonb_each_text(durations) as step) as took_ms, accounts, positions, calls_issued, calls_met, accepted is not null as accepted,
     (select proved_at from clearing.seal_proof where seal_proof.close_date = finished.close_date) as proved_at, ended.*
   from (
     select * from clearing.business_day_close
     where closed_at is not null and ($1::date is null or close_date < $1) order by close_date desc limit $2
   ) as finished cross join lateral (
     select count(*) filter (where to_state = 'CreationComplete') as opened,
       count(*) filter (where to_state <> 'CreationComplete') as rejected
     from clearing.onboarding_transition
     where to_state in ('CreationComplete', 'Rejected', 'CreationFailed') and from_state <> to_state
       and at >= ${startOfDay(`coalesce((select max(earlier.close_date) + 1 from clearing.business_day_close as earlier
         where earlier.close_date < finished.close_date), finished.close_date)`)}
       and at < ${endOfDay('finished.close_date')}
   ) as ended order by close_date desc`,
)

/** The closes before a day; without a day, the newest. */
export function findFinishedCloses(
  tx: Tx,
  before: string | undefined,
  most: number,
): Promise<FinishedClose[]> {
  return tx.rows(selectCloses, [before ?? null, most])
}
