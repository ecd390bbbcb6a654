/** The public origin of the service as a browser sees it: as configured, in the sandbox as it was called. */
import type { FastifyRequest } from 'fastify'

export type OriginOf = (request: FastifyRequest) => string

export const originBy = ({ sandbox, issuer }: { sandbox: boolean; issuer: string }): OriginOf => {
  const configured = new URL(issuer).origin
  return (request) => {
    const called = `${request.protocol}://${request.host}`
    return sandbox && URL.canParse(called) ? new URL(called).origin : configured
  }
}
