/**
 * The public origin of the service in the browser: the configured origin, or in the sandbox the origin of the request.
 */
import type { FastifyRequest } from 'fastify'

export type OriginOf = (request: FastifyRequest) => string

export function originBy({ sandbox, issuer }: { sandbox: boolean; issuer: string }): OriginOf {
  const configured = new URL(issuer).origin
  return (request) => {
    const called = `${request.protocol}://${request.host}`
    return sandbox && URL.canParse(called) ? new URL(called).origin : configured
  }
}
