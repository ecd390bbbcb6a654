/** The origin of a sign-in: the browser's address and its own description. */
import type { FastifyRequest } from 'fastify'
import type { SignedInFrom } from './sessions.ts'

export const signedInFrom = (request: FastifyRequest): SignedInFrom => ({
  address: request.ip,
  browser: request.headers['user-agent'] ?? '',
})
