/**
 * Limits on connections and time that are internal to the service. Limits that matter to callers are in the protocol.
 */
import { limits } from '@clearing/protocol'

export const httpLimits = {
  /** Open connections of one instance; further connections are closed at once. */
  connectionsMax: 4_000,
  /** How long an idle connection may wait for its next request. */
  keepAliveTimeoutMs: 65_000,
  /** Interval of the search for slow headers. */
  slowConnectionsCheckMs: 1_000,
  headersTimeoutMs: limits.headersTimeoutMs as number,
  /** Time for a whole JSON body to arrive. */
  bodyTimeoutMs: 60_000,
  /** Time for which a body of any kind may stall. */
  bodyIdleTimeoutMs: limits.bodyIdleTimeoutMs as number,
  /** Time for a whole upload to arrive. */
  uploadTimeoutMs: 300_000,
  /**
   * Time from the end of the body to the response. It does not limit streams of lines or responses that have
   * begun.
   */
  handlingTimeoutMs: 30_000,
  /** How long the rest of an unneeded body is read after the response, so that the client can read the response. */
  lingerMs: 2_000,
  /** How long a response waits for a client that does not read. */
  slowReaderTimeoutMs: 30_000,
  /** How long a concurrent duplicate waits for the first request before it gets ERR.2009. */
  duplicateWaitMs: 5_000,
  /** How long running requests may take when the service stops. */
  closeTimeoutMs: 20_000,
}

export type HttpLimits = typeof httpLimits
