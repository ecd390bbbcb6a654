/**
 * The TLS certificate of a client, by which tokens can be bound (RFC 8705). A trusted proxy ends the TLS connection,
 * verifies the certificate and passes it on in a header; the header of any other peer is not read.
 */
import { hash, X509Certificate } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The thumbprint of the client's certificate, as tokens name it in `cnf.x5t#S256`. */
    readonly clientCertificate: string | undefined
  }
}

/** `header` is the name of the header in lower case; undefined if no proxy passes certificates on. */
export function decorateWithCertificate(app: FastifyInstance, header: string | undefined): void {
  app.decorateRequest('clientCertificate', {
    getter(this: FastifyRequest) {
      // A trusted proxy adds an address to that of the peer. A single address is therefore that of an
      // untrusted peer.
      if (header === undefined || (this.ips?.length ?? 0) < 2) return undefined
      const value = this.headers[header]
      return typeof value === 'string' ? thumbprintOf(value) : undefined
    },
  })
}

/**
 * Reads the forms in which proxies pass a certificate on: that of RFC 9440, PEM with escapes as in a URL, and plain
 * base64.
 */
function thumbprintOf(value: string): string | undefined {
  try {
    const text = value.includes('%') ? decodeURIComponent(value) : value
    const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/[\s:]/g, '')
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
    return hash('sha256', new X509Certificate(Buffer.from(base64, 'base64')).raw, 'base64url')
  } catch {
    return undefined
  }
}
