/** Where a browser signs in from: its address, and what it calls itself. */
import type { FastifyRequest } from 'fastify'
import type { SignedInFrom } from './sessions.ts'

export const signedInFrom = (request: FastifyRequest): SignedInFrom => ({
  address: request.ip,
  browser: request.headers['user-agent'] ?? '',
})
