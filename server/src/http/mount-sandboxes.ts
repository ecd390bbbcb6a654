/** Passes calls below `/sandboxes/{sandboxId}` to the isolated sandbox of that address, before a body is read. */
import { reject } from '@clearing/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../sandbox/isolated/isolated-sandboxes.ts'
import { type Outlet, sendFault, sendRejections } from './answer/answer.ts'
import { startCall } from './start-call.ts'

export interface SandboxesToMount {
  /** The sandbox of an address; undefined when there is none. */
  find(sandboxId: string): Promise<Handle | undefined>
  /** Ends the event streams of all sandboxes. */
  closeHttp(): Promise<void>
}

const inSandbox = /^\/sandboxes\/([^/?]*)(.*)$/
/** RFC 8414 puts the well-known part before the path of an issuer. */
const wellKnown = /^(\/\.well-known\/[^/?]+)\/sandboxes\/([^/?]*)(.*)$/
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export function mountSandboxes(app: FastifyInstance, sandboxes: SandboxesToMount, outlet: Outlet): void {
  // Streams never end by themselves, so they are closed before the server waits for its requests.
  app.addHook('preClose', () => sandboxes.closeHttp())
  const pass = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const { sandboxId, url } = readAddress(request.raw.url ?? '')
      const handle = await sandboxes.find(sandboxId)
      if (handle === undefined)
        return sendRejections(outlet, startCall(request, undefined, undefined), reply, [gone])
      reply.hijack()
      request.raw.url = url
      handle(request.raw, reply.raw)
    } catch (fault) {
      sendFault(outlet, startCall(request, undefined, undefined), reply, fault)
    }
  }
  for (const url of [
    '/sandboxes/:sandboxId',
    '/sandboxes/:sandboxId/*',
    '/.well-known/:document/sandboxes/:sandboxId',
  ])
    app.route({ method: [...methods], url, onRequest: pass, handler: () => {} })
}

function readAddress(url: string): { readonly sandboxId: string; readonly url: string } {
  const [, document = '', ofDocument = '', afterDocument = ''] = wellKnown.exec(url) ?? []
  if (document !== '') return { sandboxId: ofDocument, url: document + afterDocument }
  const [, sandboxId = '', rest = ''] = inSandbox.exec(url) ?? []
  return { sandboxId, url: rest.startsWith('/') ? rest : `/${rest}` }
}

const gone = reject(
  'ERR.2027',
  '',
  'There is no sandbox at this address; it was deleted, or had no call for its time.',
)
