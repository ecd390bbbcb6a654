/** Stops an application: no new connections, running requests finish, and after a bounded time whatever is left is cut. */
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
