/**
 * Serves the files of the console below /console/ as Vite built them. Browsers cache the hashed assets
 * without limit and load the page again each time. The policy of the page forbids foreign and inline scripts.
 * Every console address returns the page, and the page chooses the screen.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const built = resolve(import.meta.dirname, '../../../console/dist')
const nonceMark = /NONCE-OF-THE-ANSWER/g
/** Allows no separator and no leading dot, so that a name cannot leave its folder. */
const fileName = /^[\w-]+(\.[\w-]+)*$/
const forEver = 'public, max-age=31536000, immutable'
const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}

/** The component library adds style elements at run time; they carry the nonce. Image decoders run as WebAssembly. */
function policyOf(nonce: string) {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "worker-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Operations console</title></head>
<body><h1>The console is not built</h1>
<p>Build it in the folder of the service, with its development packages installed: <code>npm run build --workspace console</code>. Then load this page again.</p>
</body></html>
`

const alsoHead = { exposeHeadRoute: true }

export function mountConsole(app: FastifyInstance): void {
  app.register(async (part) => {
    part.addHook('onSend', async (_request, reply) => {
      reply
        .header('X-Content-Type-Options', 'nosniff')
        .header('Referrer-Policy', 'same-origin')
        .header('Cross-Origin-Opener-Policy', 'same-origin')
    })
    part.get<{ Params: { name: string } }>('/console/assets/:name', alsoHead, (request, reply) =>
      sendAsset(request, reply, request.params.name),
    )
    part.get<{ Params: { folder: string; name: string } }>(
      '/console/pdf/:folder/:name',
      alsoHead,
      (request, reply) => {
        const { folder, name } = request.params
        return sendFile(reply, ['pdf', folder, name], 'public, max-age=86400')
      },
    )
    part.get('/console/mark.svg', alsoHead, (_request, reply) =>
      sendFile(reply, ['mark.svg'], 'public, max-age=86400'),
    )
    part.get('/console', alsoHead, (_request, reply) => reply.redirect('/console/', 308))
    part.get('/console/*', alsoHead, (_request, reply) => sendPage(reply))
  })
}

async function sendPage(reply: FastifyReply): Promise<FastifyReply> {
  const page = await readIfThere(resolve(built, 'index.html'))
  const nonce = randomBytes(16).toString('base64')
  reply
    .type('text/html; charset=utf-8')
    .header('Cache-Control', 'no-cache')
    .header('Content-Security-Policy', policyOf(nonce))
  if (page === undefined) return reply.code(503).send(notBuilt)
  return reply.send(page.toString('utf8').replace(nonceMark, nonce))
}

/** Sends the compressed file when the build made one and the browser accepts it. */
async function sendAsset(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.header('Vary', 'Accept-Encoding')
  for (const [encoding, suffix] of packings) {
    if (!fileName.test(name) || !accepted.includes(encoding)) continue
    const packed = await readIfThere(resolve(built, 'assets', name + suffix))
    if (packed === undefined) continue
    reply.header('Content-Encoding', encoding).header('Cache-Control', forEver)
    return reply.type(mediaTypeOf(name)).send(packed)
  }
  return sendFile(reply, ['assets', name], forEver)
}

async function sendFile(
  reply: FastifyReply,
  path: readonly string[],
  caching: string,
): Promise<FastifyReply> {
  const content = path.every((part) => fileName.test(part))
    ? await readIfThere(resolve(built, ...path))
    : undefined
  if (content === undefined)
    return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n')
  return reply
    .header('Cache-Control', caching)
    .type(mediaTypeOf(path.at(-1) ?? ''))
    .send(content)
}

function mediaTypeOf(name: string) {
  return mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') return undefined
    throw fault
  }
}
