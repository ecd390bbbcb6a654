/**
 * Lets the sandbox call itself on behalf of a user, through the user's own operations over the loopback. It
 * needs no secret of the firm. Its tokens exist only in this process, and only while they are used.
 */
import { randomBytes } from 'node:crypto'
import {
  type Data,
  type OperationName,
  operations,
  pathOf,
  type Rejection,
  type Request,
} from '@clearing/protocol'
import type { Authenticate } from '../identity/authenticate.ts'
import type { Caller } from '../identity/caller.ts'
import type { Firm } from '../store/firm.ts'

/** A file to upload. */
export interface LoopbackFile {
  readonly name: string
  readonly content: Uint8Array
}

export interface LoopbackCaller {
  /** Throws LoopbackRefused. */
  call<N extends OperationName>(name: N, request: Request<N>, settings?: CallSettings): Promise<Data<N>>
}

interface CallSettings {
  /** Uses the path below /sandbox-api/ of an operation that has one. */
  readonly inSandbox?: boolean
  readonly file?: LoopbackFile
}

/** An operation was refused. */
export class LoopbackRefused extends Error {
  override readonly name = 'LoopbackRefused'
  readonly rejections: readonly Rejection[]
  constructor(operation: string, rejections: readonly Rejection[]) {
    super(`${operation} was refused: ${rejections.map(({ code, field }) => `${code} ${field}`).join(', ')}`)
    this.rejections = rejections
  }
}

export class Loopback {
  readonly #callers = new Map<
    string,
    { readonly kind: 'known'; readonly firm: Firm; readonly caller: Caller }
  >()
  #address: string | undefined

  /** Sets the address of the service. */
  listensAt(address: string): void {
    this.#address = address
  }

  /** Authenticates the tokens of the loopback, and passes every other token to `others`. */
  authenticate(others: Authenticate): Authenticate {
    return (token, sender) => this.#callers.get(token) ?? others(token, sender)
  }

  /** Does work on behalf of a caller. */
  async as<T>(firm: Firm, caller: Caller, work: (caller: LoopbackCaller) => Promise<T>): Promise<T> {
    if (this.#address === undefined) throw new Error('the service does not listen yet')
    const token = randomBytes(32).toString('base64url')
    this.#callers.set(token, { kind: 'known', firm, caller })
    try {
      return await work(callerAt(this.#address, token))
    } finally {
      this.#callers.delete(token)
    }
  }
}

function callerAt(address: string, token: string): LoopbackCaller {
  return {
    async call<N extends OperationName>(name: N, request: Request<N>, settings: CallSettings = {}) {
      const { inSandbox = false, file } = settings
      const answer = await fetch(address + pathOf(name, inSandbox ? 'sandbox' : operations[name].audience), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(file === undefined ? { 'content-type': 'application/json' } : {}),
        },
        body: file === undefined ? JSON.stringify(request) : formOf(request as Record<string, string>, file),
      })
      const { data, errors } = (await answer.json()) as { data: Data<N>; errors: Rejection[] }
      if (answer.status !== 200) throw new LoopbackRefused(name, errors)
      return data
    },
  }
}

function formOf(fields: Record<string, string>, { name, content }: LoopbackFile): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([new Uint8Array(content)], name))
  return form
}
