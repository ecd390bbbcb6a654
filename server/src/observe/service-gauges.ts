/**
 * Gauges of the whole service, which every process reads from the database when its metrics are requested:
 * the job queue, the business day, verifications, webhooks, the event log, moving firms, standbys and the
 * schema. While the database is unavailable they are absent, and `clearing_figures_up` is 0.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  type ReplicationSlot,
  readReplicationSlots,
  readSchemaFigures,
  readServiceFigures,
  type SchemaFigures,
  type ServiceFigures,
} from '../store/service-figures.ts'

/** The time for which several scrapers share one result. */
const keptMs = 5_000

interface Reading {
  readonly figures: ServiceFigures
  readonly slots: readonly ReplicationSlot[]
  readonly schema: SchemaFigures | undefined
}

export interface FigurePools {
  readonly operations: Pool
  readonly owner: Pool
}

const plain: readonly [
  name: string,
  help: string,
  value: (figures: ServiceFigures, schema: SchemaFigures | undefined) => number | null,
][] = [
  [
    'clearing_queue_oldest_seconds',
    'Age of the oldest job that is due and not done; 0 for none.',
    (figures) => figures.oldest_job_seconds,
  ],
  [
    'clearing_business_date_timestamp_seconds',
    'Midnight UTC of the open business date; absent before the first close.',
    (figures) => figures.business_date_seconds,
  ],
  [
    'clearing_close_running_seconds',
    'How long the close that runs has taken; absent when none runs.',
    (figures) => figures.close_running_seconds,
  ],
  [
    'clearing_close_timestamp_seconds',
    'When the last close of a business day ended.',
    (figures) => figures.last_closed_seconds,
  ],
  [
    'clearing_close_duration_seconds',
    'How long the last close of a business day took.',
    (figures) => figures.last_close_took_seconds,
  ],
  [
    'clearing_proof_timestamp_seconds',
    'When the nightly proof last verified the audit trail; when the schema was made, if it never did.',
    // An alert on its age also fires in a service that never had a proof.
    (figures, schema) => figures.proof_seconds ?? schema?.made_seconds ?? null,
  ],
  [
    'clearing_proof_held',
    'Whether the audit trail held at the last nightly proof: 1 or 0.',
    (figures) => (figures.proof_held === null ? null : Number(figures.proof_held)),
  ],
  [
    'clearing_audit_unsigned_seconds',
    'Age of the oldest row of the audit trail that no signed head covers; 0 for none.',
    (figures) => figures.unsigned_seconds,
  ],
  [
    'clearing_webhook_oldest_seconds',
    'Age of the oldest delivery that waits; 0 for none.',
    (figures) => figures.oldest_delivery_seconds,
  ],
  [
    'clearing_event_lag_seconds',
    'Age of the oldest event that an active webhook has not taken; 0 for none.',
    (figures) => figures.event_lag_seconds,
  ],
]

export function addServiceGauges(registry: Registry, { operations, owner }: FigurePools): void {
  let reading: Promise<Reading | undefined> | undefined
  const read = () => {
    if (reading === undefined) {
      reading = readAll(operations, owner).catch(() => undefined)
      const timer = setTimeout(() => {
        reading = undefined
      }, keptMs)
      timer.unref()
    }
    return reading
  }
  const registers = [registry]
  for (const [name, help, value] of plain)
    new Gauge({
      name,
      help,
      registers,
      aggregator: 'max',
      async collect() {
        const found = await read()
        const number = found === undefined ? null : value(found.figures, found.schema)
        if (number === null) this.remove()
        else this.set(number)
      },
    })
  const labelled = (
    name: string,
    help: string,
    labelNames: readonly [string],
    rows: (read: Reading) => [label: string, value: number][],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      aggregator: 'max',
      async collect() {
        this.reset()
        const found = await read()
        for (const [label, value] of found === undefined ? [] : rows(found))
          this.set({ [labelNames[0]]: label }, value)
      },
    })
  labelled('clearing_queue_jobs', 'Jobs that are due, and jobs that failed.', ['state'], ({ figures }) => [
    ['waiting', figures.jobs_waiting],
    ['failed', figures.jobs_failed],
  ])
  labelled(
    'clearing_webhook_deliveries',
    'Deliveries that wait, and deliveries that were given up.',
    ['state'],
    ({ figures }) => [
      ['waiting', figures.deliveries_waiting],
      ['failed', figures.deliveries_failed],
    ],
  )
  labelled(
    'clearing_moving_firm_seconds',
    'How long a firm has been frozen here for its move to another cell, or has been arriving, at most; 0 for none.',
    ['state'],
    ({ figures }) => [
      ['frozen', figures.frozen_seconds],
      ['arriving', figures.arriving_seconds],
    ],
  )
  labelled(
    'clearing_replica_lag_bytes',
    'Write-ahead log that the standby of a replication slot has not confirmed.',
    ['slot'],
    ({ slots }) => slots.map(({ name, behind }) => [name, behind]),
  )
  labelled('clearing_schema_version', 'Number of the newest migration.', ['migration'], ({ schema }) => [
    [schema?.newest ?? '', Number.parseInt(schema?.newest ?? '', 10) || 0],
  ])
  new Gauge({
    name: 'clearing_figures_up',
    help: 'Whether the database answered for the figures of the whole service: 1 or 0.',
    registers,
    aggregator: 'min',
    async collect() {
      this.set((await read()) === undefined ? 0 : 1)
    },
  })
}

async function readAll(operations: Pool, owner: Pool): Promise<Reading> {
  const scope = { firm: null, readOnly: true } as const
  const [[figures, slots], schema] = await Promise.all([
    inTransaction(operations, scope, (tx) => Promise.all([readServiceFigures(tx), readReplicationSlots(tx)])),
    inTransaction(owner, scope, readSchemaFigures),
  ])
  return { figures, slots, schema }
}
