/** A request that is passed to the provider within the process, and its response. Neither uses the network. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** A form that is posted to one of the provider's paths. */
export class FormMessage extends Readable {
  readonly method = 'POST'
  readonly url: string
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly socket = { encrypted: false, remoteAddress: '127.0.0.1' }
  readonly headers: Readonly<Record<string, string>>
  /** A fault that the provider met instead of sending a response. */
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

/** Holds the response of the provider. */
export class CapturedResponse extends ServerResponse {
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
