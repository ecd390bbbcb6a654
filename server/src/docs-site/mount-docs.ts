/**
 * Serves the documentation at `/docs`: its pages with the search and the reference, and the contract in the
 * formats of other tools.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceStatus } from '@clearing/protocol'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { listChapters, listPagePaths, listPictures, projectRoot } from './contents.ts'
import { renderFrame } from './frame.ts'
import { lazily, lazyText } from './lazily.ts'
import { renderLlms } from './llms.ts'
import { packAnswers } from './pack-answers.ts'
import { renderStatusPage } from './status-page.ts'

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const html = 'text/html; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const text = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'

const require = createRequire(import.meta.url)
function own(name: string) {
  return fileURLToPath(new URL(`./assets/${name}`, import.meta.url))
}

const assets: readonly (readonly [name: string, type: string, file: string])[] = [
  ['site.css', style, own('site.css')],
  ['find.js', script, own('find.js')],
  ['site.js', script, own('site.js')],
  ['reference.js', script, own('reference.js')],
  ['minisearch.js', script, resolve(require.resolve('minisearch'), '../../umd/index.js')],
]

/**
 * The page at `/status`, for the service and for each isolated sandbox. It has the style of the
 * documentation.
 */
export function mountStatus(app: FastifyInstance, readStatus: () => Promise<ServiceStatus>): void {
  app.register(async (part) => {
    protectPages(part)
    part.get('/status', { exposeHeadRoute: true }, async (_request, reply) => {
      const framed = { path: '/status', title: 'Status', html: renderStatusPage(await readStatus()) }
      return reply
        .type(html)
        .headers({ 'Cache-Control': 'no-store', Refresh: '60' })
        .send(renderFrame(listChapters(), framed))
    })
  })
}

function protectPages(part: FastifyInstance): void {
  part.addHook('onSend', async (_request, reply) => {
    reply
      .header('Content-Security-Policy', pagePolicy)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Referrer-Policy', 'no-referrer')
  })
}

/** The modules that render pages and contracts are loaded by the first request for one: they take 2.5 MB of memory. */
export function mountDocs(app: FastifyInstance, serverUrl: string): void {
  const site = lazily(async () => (await import('./site.ts')).openSite(serverUrl))
  const contracts = () => import('@clearing/protocol/openapi')
  const paths = listPagePaths()
  app.register(async (part) => {
    packAnswers(part)
    protectPages(part)
    const get = (path: string, handler: RouteHandlerMethod) =>
      part.get(path, { exposeHeadRoute: true }, handler)
    for (const path of paths) {
      get(path, async (_request, reply) => reply.type(html).send((await site()).page(path)))
    }
    for (const page of listChapters().flatMap(({ pages }) => pages)) {
      if (page.file === undefined) continue
      get(`${page.path}.md`, async (_request, reply) => reply.type(text).send((await site()).markdown(page)))
    }
    get('/', (_request, reply) => reply.redirect('/docs'))
    get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
    get('/docs/operations', (_request, reply) => reply.redirect('/docs/reference', 308))
    get('/docs/*', async (request, reply) => {
      const path = new URL(request.url, serverUrl).pathname.replace(/\/$/, '')
      if (paths.includes(path)) return reply.redirect(path, 308)
      return reply
        .code(404)
        .type(html)
        .send((await site()).missing())
    })
    get('/docs/assets/search.json', async (_request, reply) =>
      reply.type(json).send((await site()).searchIndex()),
    )
    for (const { path, file = '' } of listPictures()) {
      get(path, async (_request, reply) =>
        reply.type('image/png').send(await readFile(resolve(projectRoot, file))),
      )
    }
    for (const [name, type, file] of assets) {
      get(`/docs/assets/${name}`, async (_request, reply) =>
        reply
          .type(type)
          .header('Cache-Control', 'public, max-age=3600')
          .send(await readFile(file)),
      )
    }
    const events = lazyText(async () =>
      JSON.stringify((await contracts()).renderAsyncApi({ serverUrl }), undefined, 2),
    )
    get('/asyncapi.json', async (_request, reply) => reply.type(json).send(await events()))
    const workflows = lazyText(async () => JSON.stringify((await contracts()).renderArazzo(), undefined, 2))
    get('/arazzo.json', async (_request, reply) => reply.type(json).send(await workflows()))
    get('/llms.txt', (_request, reply) => reply.type(text).send(renderLlms(serverUrl)))
    const collection = lazyText(async () =>
      JSON.stringify((await contracts()).renderPostmanCollection({ serverUrl }), undefined, 2),
    )
    get('/postman.json', async (_request, reply) =>
      reply
        .type(json)
        .header('Content-Disposition', 'attachment; filename="clearing.postman_collection.json"')
        .send(await collection()),
    )
  })
}
