/** Requests of the credentials of firms, counted from the request log. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface RequestCount {
  readonly firm_id: string
  readonly firm_name: string
  readonly operation: string
  readonly client_id: string
  readonly calls: bigint
  readonly refused: bigint
  readonly failed: bigint
  readonly slowest: number
  readonly last_at: string
}

const countRequests = statement<RequestCount>(
  'count-requests',
  `select firm_id, firm.name as firm_name, operation, client_id, counted.calls, counted.refused, counted.failed, counted.slowest,
     counted.last_at
   from (
     select firm_id, operation, client_id, count(*) as calls, count(*) filter (where status between 400 and 499) as refused,
       count(*) filter (where status >= 500) as failed, max(duration_ms) as slowest, max(at) as last_at
     from clearing.request where at >= $1 and ($2::uuid is null or firm_id = $2) group by firm_id, operation, client_id
   ) as counted join clearing.firm using (firm_id)
   order by firm.name, operation, client_id`,
)

export function readUsage(tx: Tx, since: Date, firmId: string | undefined): Promise<RequestCount[]> {
  return tx.rows(countRequests, [since, firmId ?? null])
}
