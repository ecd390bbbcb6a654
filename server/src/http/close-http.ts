/**
 * Stops an application: it takes no new connections, lets running requests finish, and closes those that
 * exceed the time limit.
 */
import type { FastifyInstance } from 'fastify'
import { httpLimits } from './limits.ts'

export async function closeHttp(
  app: FastifyInstance,
  timeoutMs: number = httpLimits.closeTimeoutMs,
): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
