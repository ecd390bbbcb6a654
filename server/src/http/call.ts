/** One request of a business path on its way: what is known of it so far, for the answer, the log and the metrics. */
import type { Deprecation, OperationDefinition, Scope } from '@clearing/protocol'
import type { Span } from '@opentelemetry/api'
import type { Pool } from '../database/pool.ts'
import type { Caller } from '../identity/caller.ts'
import type { Firm } from '../store/firm.ts'
import type { RateState } from './admission/rate-limit.ts'
import type { SandboxFault } from './admission/sandbox-fault.ts'

/** An operation at one of its paths. */
export interface Route {
  readonly name: string
  readonly path: string
  readonly operation: OperationDefinition
  readonly scope: Scope
  /** The database as the operation may see it: a firm's rows, or everybody's. */
  readonly pool: Pool
  readonly firmBound: boolean
  /** Of the sandbox's controls: operations may use them without another scope, and then for every firm's accounts. */
  readonly everybody?: Pool
  /** A control of the sandbox, of an operation that has a path of its own. */
  readonly asControl?: true
}

export interface Call {
  /** `00-<32 hex>-<16 hex>-01` (Reading 1.10). */
  readonly traceId: string
  readonly startedMs: number
  /** The address of the caller: the peer, or what a trusted proxy says. */
  readonly address: string
  readonly route: Route | undefined
  readonly span: Span | undefined
  firm: Firm | undefined
  caller: Caller | undefined
  rate: RateState | undefined
  fault: SandboxFault | undefined
  /** Of a member of the request that is on its way out. */
  deprecatedMember: Deprecation | undefined
  /** As the caller spelled it, once it could be read: for the log of calls, which redacts it. */
  bodySent: unknown
  idempotencyKey: string | undefined
  /** Whether the answer is that of an earlier call. */
  replayed: boolean
}

/** What one answer was, for the histogram of durations. */
export interface Observation {
  readonly operation: string
  readonly status: number
  readonly durationMs: number
}
