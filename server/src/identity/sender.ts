/**
 * The sender of a token: the address, and the proofs that the sender may use a token that is bound to a key.
 */

/** The sender of a token, or of a request for one. */
export interface Sender {
  /** The address of the peer, or the address that a trusted proxy reports. */
  readonly address: string
  /** The trace id of the call; empty at the token endpoint. */
  readonly traceId: string
  /**
   * The proofs. Undefined for a token whose proof was checked earlier, such as the token of an open stream.
   */
  readonly presented: Presented | undefined
}

export interface Presented {
  /** The scheme of the Authorization header. */
  readonly scheme: 'Bearer' | 'DPoP'
  /** Each DPoP header of the request. */
  readonly proofs: readonly string[]
  readonly method: string
  /** The path of the request, without its query. */
  readonly path: string
  /** The thumbprint of the certificate of the TLS connection, from a trusted proxy. */
  readonly certificate: string | undefined
}
