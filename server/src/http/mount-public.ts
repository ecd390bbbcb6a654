/** Serves the pages that need no token: health, metrics, the contract and the documentation. */
import type { ServiceStatus } from '@clearing/protocol'
import type { FastifyInstance } from 'fastify'
import { renderKeySet, type TrustedKeys } from '../audit/other-keys.ts'
import { lazyText } from '../docs-site/lazily.ts'
import { mountDocs, mountStatus } from '../docs-site/mount-docs.ts'

const auditKeysCachedSeconds = 60

/** Monitors and link checkers send HEAD requests (RFC 9110, section 9.3.2). */
const alsoHead = { exposeHeadRoute: true }

export interface PublicPages {
  /** The public address, for the contract's `servers`. */
  readonly serverUrl: string
  /** Resolves to the reason why the service cannot serve now, or undefined. */
  readonly whyNotReady: () => Promise<string | undefined>
  /** False while writes are refused because no synchronous standby confirms commits; reads are served. */
  readonly takesWrites?: () => boolean
  /** Returns the keys that verify signed heads of the audit trail. */
  readonly auditKeys: () => Promise<TrustedKeys>
  readonly readStatus: () => Promise<ServiceStatus>
  /** Serves the documentation. An isolated sandbox serves the documentation of its service. */
  readonly docs: boolean
  /** Undefined when metrics have their own port. */
  readonly renderMetrics: (() => Promise<{ contentType: string; text: string }>) | undefined
}

export function mountPublic(app: FastifyInstance, pages: PublicPages): void {
  app.get('/health/live', alsoHead, (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'live' }),
  )
  app.get('/health/ready', alsoHead, async (_request, reply) => {
    const why = await pages.whyNotReady()
    reply.header('Cache-Control', 'no-store')
    if (why !== undefined) return reply.code(503).send({ status: 'not ready', reason: why })
    return pages.takesWrites?.() === false
      ? { status: 'ready', writes: 'refused: no synchronous standby confirms commits' }
      : { status: 'ready' }
  })
  const { renderMetrics } = pages
  if (renderMetrics) {
    app.get('/metrics', alsoHead, async (_request, reply) => {
      const { contentType, text } = await renderMetrics()
      return reply.type(contentType).send(text)
    })
  }
  app.get('/audit/jwks', alsoHead, async (_request, reply) => {
    const keys = JSON.stringify(renderKeySet(await pages.auditKeys()))
    return reply
      .type('application/jwk-set+json')
      .header('Cache-Control', `public, max-age=${auditKeysCachedSeconds}`)
      .send(keys)
  })
  const contract = lazyText(async () => {
    const { renderOpenApi } = await import('@clearing/protocol/openapi')
    return JSON.stringify(renderOpenApi({ serverUrl: pages.serverUrl }))
  })
  app.get('/openapi.json', alsoHead, async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(await contract()),
  )
  const olderContract = lazyText(async () => {
    const { renderOpenApi, renderOpenApi30 } = await import('@clearing/protocol/openapi')
    return JSON.stringify(renderOpenApi30(renderOpenApi({ serverUrl: pages.serverUrl })))
  })
  app.get('/openapi-3.0.json', alsoHead, async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(await olderContract()),
  )
  app.get('/status.json', alsoHead, async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send(await pages.readStatus()),
  )
  mountStatus(app, pages.readStatus)
  if (pages.docs) mountDocs(app, pages.serverUrl)
}
