/**
 * A row of the table of calls: the members of an operation's definition that a client needs. Absent members have the
 * usual value.
 */
import type { Audience, Body } from '../operation.ts'

export interface CallRow {
  readonly audience?: Exclude<Audience, 'firm'>
  readonly inSandbox?: true
  readonly writes?: true
  readonly body?: Exclude<Body, 'json'>
  readonly answers?: 'file'
  /** The member of `data` that holds the rows of a list in pages. */
  readonly rows?: string
  /** Members of the request that only select the first page. */
  readonly first?: readonly string[]
  /** Names of the decimal members of `data`. */
  readonly decimals?: readonly string[]
}
