/**
 * Stops an application: it takes no new connections, lets running requests finish, and after a limited time cuts off
 * the rest.
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
