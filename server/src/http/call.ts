/**
 * One request of an operation: the facts that are known so far. The response, the log and the metrics use
 * them.
 */
import type { Deprecation, OperationDefinition, Scope } from '@clearing/protocol'
import type { Span } from '@opentelemetry/api'
import type { Pool } from '../database/pool.ts'
import type { Caller } from '../identity/caller.ts'
import type { Firm } from '../store/firm.ts'
import type { RateState } from './admission/rate-limit.ts'
import type { SandboxFault } from './admission/sandbox-fault.ts'

/** `loads` sees the same rows as `operations`, and its statements may take longer. */
export type RoutePool = 'app' | 'operations' | 'loads'

/** An operation at one of its paths. */
export interface Route {
  readonly name: string
  readonly path: string
  readonly operation: OperationDefinition
  readonly scope: Scope
  /** The pool that sees one firm's rows or all rows, as the operation needs. */
  readonly poolName: RoutePool
  readonly pool: Pool
  readonly firmBound: boolean
  /** Set for the sandbox's controls: a caller with the scope operations may use them for the accounts of every firm. */
  readonly allFirms?: Pool
  /** Set for a sandbox control that serves an operation under a path of its own. */
  readonly asControl?: true
}

export interface Call {
  /** `00-<32 hex>-<16 hex>-01` (Reading 1.10). */
  readonly traceId: string
  readonly startedMs: number
  /** The address of the caller: the peer, or the address that a trusted proxy reports. */
  readonly address: string
  readonly route: Route | undefined
  readonly span: Span | undefined
  firm: Firm | undefined
  caller: Caller | undefined
  rate: RateState | undefined
  fault: SandboxFault | undefined
  /** The deprecation of a member that the request has. */
  deprecatedMember: Deprecation | undefined
  /** The request as the caller spelled it, set once it was read. The request log redacts it. */
  bodySent: unknown
  idempotencyKey: string | undefined
  /**
   * The consistency token that the caller sent: a position of the database's log that the response must include.
   */
  readonly consistencySent: string | undefined
  /** A position of the database's log after this write, or after the events that the response holds. */
  consistency: string | undefined
  /** True when the response is a stored response of an earlier call. */
  replayed: boolean
}

/** Facts of one response, for the histogram of durations. */
export interface Observation {
  readonly operation: string
  readonly status: number
  readonly durationMs: number
  readonly codes?: readonly string[]
}
