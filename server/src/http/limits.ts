/** Limits of connections and of time that are the service's own; those that a caller reads about are in the protocol. */
import { limits } from '@clearing/protocol'

export const httpLimits = {
  /** Open connections of one instance; further ones are closed at once. */
  connectionsMax: 4_000,
  /** How long a connection may wait for its next request. */
  keepAliveTimeoutMs: 65_000,
  /** How often slow headers are looked for. */
  slowConnectionsCheckMs: 1_000,
  headersTimeoutMs: limits.headersTimeoutMs as number,
  /** Time for a whole JSON body to arrive. */
  bodyTimeoutMs: 60_000,
  /** Time a body of any kind may stand still. */
  bodyIdleTimeoutMs: limits.bodyIdleTimeoutMs as number,
  /** Time for a whole upload to arrive. */
  uploadTimeoutMs: 300_000,
  /** From the end of the body to the answer; a stream of lines and an answer that has begun are not bound by it. */
  handlingTimeoutMs: 30_000,
  /** How long the rest of a body is taken in after an answer that did not need it, so that the client can read it. */
  lingerMs: 2_000,
  /** How long an answer that is written in parts waits for a client that does not read. */
  slowReaderTimeoutMs: 30_000,
  /** How long a request waits for its twin before it is answered ERR.2009. */
  duplicateWaitMs: 5_000,
  /** Running requests may take this long when the service stops. */
  closeTimeoutMs: 20_000,
}

export type HttpLimits = typeof httpLimits
