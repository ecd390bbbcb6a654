/** The messages between the parent and its processes, and the signals that end them. */
import type { Registry } from 'prom-client'

/** Supervisors stop a process with SIGTERM or SIGINT; a closed terminal sends SIGHUP. All three drain it. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The assignment of a process by the parent. */
export interface Assignment {
  /** The number of the process, from 1, for its log. */
  readonly number: number
  readonly port: number
  /** The address of the embedded PostgreSQL, which the parent runs; undefined when the settings name a database. */
  readonly databaseUrl: string | undefined
}

/**
 * Requests that a client made at one process: the name of the limit, client, number of requests, rate of the client.
 */
export type Taken = readonly [limit: string, clientId: string, count: number, ratePerSecond: number]

export type ToProcess =
  | { readonly kind: 'start'; readonly assignment: Assignment }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** The answer to `open port`: the parent does not hold the port. */
  | { readonly kind: 'port is free' }
  | { readonly kind: 'taken'; readonly taken: readonly Taken[] }
  | { readonly kind: 'read metrics'; readonly id: number }
  /** A process that hangs does not answer. */
  | { readonly kind: 'are you there' }
  /** Another process has moved the clock of a sandbox; `sandboxId` is empty for the service's own. */
  | { readonly kind: 'read clock'; readonly id: number; readonly sandboxId: string }
  | { readonly kind: 'clock read by all'; readonly id: number }
  | {
      readonly kind: 'metrics of all'
      readonly id: number
      readonly contentType: string
      readonly text: string
    }

export type ToParent =
  /** The process can receive its assignment. */
  | { readonly kind: 'here' }
  | { readonly kind: 'still there' }
  /** The process opens the port when the parent has answered. */
  | { readonly kind: 'open port' }
  | { readonly kind: 'ready'; readonly address: string; readonly staffPassword: string | undefined }
  | { readonly kind: 'taken'; readonly taken: readonly Taken[] }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricsJson }
  | { readonly kind: 'read metrics of all'; readonly id: number }
  | { readonly kind: 'clock moved'; readonly id: number; readonly sandboxId: string }
  | { readonly kind: 'clock read'; readonly id: number }
