/** A request that the provider is handed within the process, and the answer that it gives: nothing of it travels. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** A form posted to one of the provider's paths. */
export class FormMessage extends Readable {
  readonly method = 'POST'
  readonly url: string
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly socket = { encrypted: false, remoteAddress: '127.0.0.1' }
  readonly headers: Readonly<Record<string, string>>
  /** What the provider met that is no answer. */
  fault: unknown

  constructor(path: string, form: URLSearchParams) {
    super()
    this.url = path
    const body = Buffer.from(form.toString())
    this.headers = {
      host: 'localhost',
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    }
    this.push(body)
    this.push(null)
  }
}

/** Keeps what the provider answers. */
export class KeptResponse extends ServerResponse {
  text = ''
  constructor(message: FormMessage) {
    super(message as unknown as IncomingMessage)
  }
  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.text += chunk.toString()
    this.finished = true
    return this
  }
}
