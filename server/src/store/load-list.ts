/** Loads, the newest first. */
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { silenceMaxSeconds } from './books/loads.ts'
import { Conditions } from './conditions.ts'

export interface ListedLoad {
  readonly load_id: string
  readonly kind: string
  readonly source: string
  readonly state: string
  readonly client_id: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly received: bigint
  readonly accepted: bigint
  readonly duplicates: bigint
  readonly conflicts: bigint
  readonly rejected: bigint
  readonly looked_by: string
  readonly looked_at: string | null
}

/** The operations that load lines. */
export const loadKinds = [
  'load-account-terms',
  'load-activity',
  'load-corporate-actions',
  'load-fx-rates',
  'load-held-away',
  'load-location-positions',
  'load-prices',
  'load-securities',
] as const
export type LoadKind = (typeof loadKinds)[number]

export const loadStates = ['Running', 'Complete', 'CutOff'] as const

/** A running load that has written nothing for a while was interrupted. */
const state = `case when state = 'Running' and seen_at < clock_timestamp() - ${silenceMaxSeconds} * interval '1 second'
  then 'CutOff' else state end`

export function findLoads(
  tx: Tx,
  filter: { kind: string | undefined; state: string | undefined; source: string | undefined },
  after: readonly [startedAt: string, loadId: string] | undefined,
  most: number,
): Promise<ListedLoad[]> {
  const c = new Conditions()
    .when(filter.kind, (at) => `kind = ${at}`)
    .when(filter.source, (at) => `source = ${at}`)
    .when(filter.state, (at) => `lower(${state}) = lower(${at})`)
  if (after !== undefined)
    c.and(`(started_at, load_id) < (${c.bind(after[0])}::timestamptz, ${c.bind(after[1])}::uuid)`)
  return tx.rows(
    unprepared<ListedLoad>(
      `select load_id, kind, source, ${state} as state, client_id, started_at, ended_at, received, accepted, duplicates, conflicts, rejected,
         looked_by, looked_at
       from clearing.load${c.where()} order by started_at desc, load_id desc limit ${most}`,
    ),
    c.values,
  )
}
