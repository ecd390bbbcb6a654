/** The origin of a sign-in: the browser's address and its own description. */
import type { FastifyRequest } from 'fastify'
import { addressOf } from '../caller-address.ts'
import type { SignedInFrom } from './sessions.ts'

export function signedInFrom(request: FastifyRequest): SignedInFrom {
  return {
    address: addressOf(request),
    browser: request.headers['user-agent'] ?? '',
  }
}
