/** Searches the audit trail and the records of access over all firms, the newest first. */
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { StoredAuditRow } from './audit.ts'
import { Conditions, endOfDay, startOfDay } from './conditions.ts'

export interface FoundAuditRow extends StoredAuditRow {
  readonly firm_name: string
}

interface Days {
  readonly dateFrom: string | undefined
  readonly dateTo: string | undefined
}

export interface AuditFilter extends Days {
  readonly firmId: string | undefined
  readonly accountNumber: string | undefined
  readonly actor: string | undefined
  readonly action: string | undefined
  readonly target: string | undefined
  readonly traceId: string | undefined
}

export type AuditPosition = readonly [at: string, firmId: string, sequence: number]

/** The number of rows in each firm's chain. */
export interface ChainLength {
  readonly firm_id: string
  readonly length: bigint
}

const selectLengths = statement<ChainLength>(
  'select-chain-lengths',
  `select firm_id, (select coalesce(max(sequence), 0) from clearing.audit where audit.firm_id = firm.firm_id) as length
   from clearing.firm`,
)

export function readChainLengths(tx: Tx): Promise<ChainLength[]> {
  return tx.rows(selectLengths)
}

export function findAuditRows(
  tx: Tx,
  filter: AuditFilter & {
    /** Limits the search to the rows that existed at one moment: this many rows of each firm. */
    readonly lengths?: readonly ChainLength[]
  },
  after: AuditPosition | undefined,
  most: number,
): Promise<FoundAuditRow[]> {
  const { lengths } = filter
  const c = new Conditions()
    .when(filter.firmId, (at) => `firm_id = ${at}::uuid`)
    .when(filter.accountNumber, (at) => `account_number = ${at}`)
    .when(filter.actor, (at) => `actor = ${at}`)
    .when(filter.action, (at) => `action = ${at}`)
    .when(filter.target, (at) => `target = ${at}`)
    // A trace may contain several calls.
    .when(filter.traceId, (at) => `substr(trace_id, 1, 35) = substr(${at}, 1, 35)`)
    .when(filter.dateFrom, (at) => `at >= ${startOfDay(at)}`)
    .when(filter.dateTo, (at) => `at < ${endOfDay(at)}`)
  if (after !== undefined) {
    const [at, firm, sequence] = [c.bind(after[0]), c.bind(after[1]), c.bind(after[2])]
    c.and(`(at, firm_id, sequence) < (${at}::timestamptz, ${firm}::uuid, ${sequence}::bigint)`)
  }
  let bounds = ''
  if (lengths !== undefined) {
    const [firms, most] = [
      c.bind(lengths.map((one) => one.firm_id)),
      c.bind(lengths.map((one) => one.length)),
    ]
    bounds = ` join unnest(${firms}::uuid[], ${most}::bigint[]) as bound (firm_id, length) using (firm_id)`
    c.and('sequence <= bound.length')
  }
  return tx.rows(
    unprepared<FoundAuditRow>(
      `select firm_id, firm.name as firm_name, sequence, at, actor, action, account_number, target, trace_id, detail,
         previous_hash, hash
       from clearing.audit join clearing.firm using (firm_id)${bounds}${c.where()}
       order by at desc, firm_id desc, sequence desc limit ${most}`,
    ),
    c.values,
  )
}

export interface FoundReading {
  readonly at: string
  readonly firm_id: string
  readonly account_number: string
  readonly client_id: string
  readonly operation: string
  readonly trace_id: string
  readonly reason: string
}

export function findReadings(
  tx: Tx,
  filter: Days & { readonly accountNumber: string | undefined; readonly reader: string | undefined },
  after: readonly [at: string, accountNumber: string, traceId: string] | undefined,
  most: number,
): Promise<FoundReading[]> {
  const c = new Conditions()
    .when(filter.accountNumber, (at) => `account_number = ${at}`)
    .when(filter.reader, (at) => `client_id = ${at}`)
    .when(filter.dateFrom, (at) => `at >= ${startOfDay(at)}`)
    .when(filter.dateTo, (at) => `at < ${endOfDay(at)}`)
  if (after !== undefined) {
    const [at, account, trace] = [c.bind(after[0]), c.bind(after[1]), c.bind(after[2])]
    c.and(`(at, account_number, trace_id) < (${at}::timestamptz, ${account}, ${trace})`)
  }
  return tx.rows(
    unprepared<FoundReading>(
      `select at, firm_id, account_number, client_id, operation, trace_id, reason from clearing.access_record${c.where()}
       order by at desc, account_number desc, trace_id desc limit ${most}`,
    ),
    c.values,
  )
}
