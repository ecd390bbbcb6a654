/** Failures that wait for a person, grouped by cause. Each source is read along an index up to the limit of counts. */
import { type CodeOf, limits } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { acceptedBy } from './books/accepted-later.ts'
import { silenceMaxSeconds } from './books/loads.ts'
import { disabledByFirm } from './webhooks.ts'
import { queues } from './work-queues.ts'

export interface FailureRow {
  readonly source: CodeOf<'failureSource'>
  readonly cause: string
  readonly target: string
  readonly webhook: string
  readonly webhook_name: string
  readonly count: bigint
  readonly oldest: string
  readonly example: string
}

const most = limits.countedMax + 1
/** Lines that were corrected are read too, and do not count. */
const rejectsReadMax = 10 * most
const open = `select load_id, kind, started_at, rejected, state <> 'Complete' as cut_off from clearing.load
  where looked_by = '' and (rejected > 0 or state <> 'Complete')
    and not (state = 'Running' and seen_at >= clock_timestamp() - ${silenceMaxSeconds} * interval '1 second')
  order by started_at desc limit ${limits.failedLoadsCountedMax}`

/**
 * From this attempt on, a webhook fails. The fourth attempt comes more than a minute after the first, so that a restart
 * of the receiver is no failure.
 */
const failedAttemptsMin = 4

const nameOfWebhook = "coalesce(nullif(webhook.description, ''), webhook.url)"

// The deliveries of an account are attempted in this order, so the first ones that wait have most attempts.
const selectFailures = statement<FailureRow>(
  'select-failures',
  `with open_load as materialized (${open})
   select 'Break' as source, kind as cause, '' as target, '' as webhook, '' as webhook_name, count(*) as count, min(raised_at) as oldest,
     (array_agg(reason order by raised_at))[1] as example
   from (
     select kind, reason, raised_at from ${queues.Break.from} where ${queues.Break.waits} order by raised_at limit ${most}
   ) as broken group by kind
   union all
   select 'Reject', code, (array_agg(load_id::text order by started_at desc))[1], '', '', count(distinct (load_id, line)), min(started_at),
     (array_agg(reason order by started_at desc))[1]
   from (
     select * from (
       select load_id, kind, line, open_load.started_at, code, load_reject.reason
       from open_load join clearing.load_reject using (load_id) where rejected > 0 limit ${rejectsReadMax}
     ) as rejected where ${acceptedBy('rejected', 'rejected')} is null limit ${most}
   ) as waiting group by code
   union all
   select 'LoadCutOff', kind, (array_agg(load_id::text order by started_at desc))[1], '', '', count(*), min(started_at), ''
   from open_load where cut_off group by kind
   union all
   select 'Job', task, '', '', '', count(*), min(since), coalesce((array_agg(last_error order by since desc))[1], '')
   from clearing.failed_jobs() group by task
   union all
   select 'Webhook', firm.name, failed.firm_id::text, '', '', count(*), min(ended_at), (array_agg(error order by ended_at desc))[1]
   from (
     select item.firm_id, item.ended_at, ${queues.Webhook.detail} as error
     from ${queues.Webhook.from} where ${queues.Webhook.waits} order by item.ended_at limit ${most}
   ) as failed join clearing.firm using (firm_id) group by firm.name, failed.firm_id
   union all
   select 'WebhookFailing', firm.name, firm_id::text, webhook_id::text, ${nameOfWebhook}, failing.count, failing.oldest, failing.error
   from clearing.webhook join clearing.firm using (firm_id) cross join lateral (
     select count(*) as count, min((attempts -> 0 ->> 'at')::timestamptz) as oldest,
       (array_agg(attempts -> -1 ->> 'error' order by attempts -> -1 ->> 'at' desc))[1] as error
     from (
       select attempts, attempt_count from clearing.webhook_delivery as delivery
       where delivery.webhook_id = webhook.webhook_id and status = 'Waiting'
       order by account_number, transaction_id, position limit ${most}
     ) as waiting where attempt_count >= ${failedAttemptsMin}
   ) as failing
   where webhook.disabled_at is null and firm.disabled_at is null and failing.count > 0
   union all
   select 'WebhookDisabled', firm.name, firm_id::text, webhook_id::text, ${nameOfWebhook}, 1, webhook.disabled_at, disabled_reason
   from clearing.webhook join clearing.firm using (firm_id)
   where firm.disabled_at is null and disabled_reason <> '${disabledByFirm}'
     and webhook.disabled_at > clock_timestamp() - interval '${limits.webhookDeliveryKeptDays} days'
   order by count desc, source, cause`,
)

/** The largest group first. */
export function readFailures(tx: Tx): Promise<FailureRow[]> {
  return tx.rows(selectFailures)
}
