/** Serves the metrics on a port of their own, which only the platform's network can reach. */
import type { Started } from '../started.ts'
import type { RenderedMetrics } from './metrics.ts'

export async function serveMetrics(
  host: string,
  port: number,
  render: () => Promise<RenderedMetrics>,
  started: Started,
): Promise<void> {
  const { default: Fastify } = await import('fastify')
  const app = Fastify()
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await render()
    return reply.type(contentType).header('X-Content-Type-Options', 'nosniff').send(text)
  })
  await app.listen({ host, port })
  started.add(() => app.close())
}
