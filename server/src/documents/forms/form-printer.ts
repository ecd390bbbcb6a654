/**
 * Draws forms in a separate thread, one after the other, because drawing takes long enough to delay every other
 * request. Firms take turns. The first form starts the thread; after the thread ended, the next form starts another.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

import { PartUnavailable } from '../../part-unavailable.ts'
import { FairQueue } from '../fair-queue.ts'
import type { Form } from './form.ts'
import type { PrintAnswer, PrintRequest } from './print-worker.ts'
import type { FormHeading } from './sheet.ts'

const waitingOfFirmMax = 32
const waitingMax = 128
const memoryMegabytesMax = 256
/** The time after which a thread that has completed no form is ended. */
const FORM_TIMEOUT_MS = 60_000

interface Waiting {
  readonly request: PrintRequest
  readonly resolve: (pdf: Buffer) => void
  readonly reject: (fault: Error) => void
}

/** Too many forms wait, one takes too long, or the service stops. */
function notNow(reason: string): PartUnavailable {
  return new PartUnavailable('forms cannot be drawn now', { cause: new Error(reason) })
}

export interface PrinterSettings {
  readonly timeoutMs?: number
  /** A program instead of print-worker, for tests of failures. */
  readonly workerFile?: string | URL
}

export class FormPrinter {
  readonly #timeoutMs: number
  readonly #workerFile: string | URL
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #number = 0
  readonly #waiting = new FairQueue<Waiting>()
  #drawing: Waiting | undefined

  constructor(settings: PrinterSettings = {}) {
    const ownFile = new URL(`./print-worker${extname(import.meta.filename)}`, import.meta.url)
    this.#workerFile = settings.workerFile ?? ownFile
    this.#timeoutMs = settings.timeoutMs ?? FORM_TIMEOUT_MS
  }

  print(firmId: string, form: Form, heading: FormHeading): Promise<Buffer> {
    if (this.#waiting.sizeOf(firmId) >= waitingOfFirmMax || this.#waiting.size >= waitingMax) {
      const reason = `more than ${waitingOfFirmMax} forms of the firm, or ${waitingMax} in all, wait to be drawn`
      return Promise.reject(notNow(reason))
    }
    const request: PrintRequest = { number: ++this.#number, form, heading }
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.add(firmId, { request, resolve, reject })
    this.#drawNext()
    return promise
  }

  #drawNext(): void {
    if (this.#drawing !== undefined) return
    this.#drawing = this.#waiting.take(() => true)
    if (this.#drawing === undefined) return
    this.#worker ??= this.#start()
    this.#limit()
    this.#worker.postMessage(this.#drawing.request)
  }

  /** Ends the thread; forms in progress are refused. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#end(worker, notNow('the service stops'))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#workerFile, {
      // Addresses and secrets of the service are not passed to it.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytesMax },
    })
    worker.unref()
    worker.on('message', (answer: PrintAnswer) => {
      const drawn = this.#drawing
      if (drawn?.request.number !== answer.number) return
      this.#drawing = undefined
      clearTimeout(this.#timer)
      if ('pdf' in answer) drawn.resolve(Buffer.from(answer.pdf))
      else drawn.reject(new Error(`a form could not be drawn: ${answer.fault}`))
      this.#drawNext()
    })
    worker.on('error', (fault) =>
      this.#end(worker, new Error('the thread of forms failed', { cause: fault })),
    )
    worker.on('exit', () => this.#end(worker, new Error('the thread of forms ended')))
    return worker
  }

  /** Starts the time limit of the form that is drawn. */
  #limit(): void {
    this.#timer = setTimeout(() => {
      const worker = this.#worker
      this.#end(worker, notNow(`no form was drawn within ${this.#timeoutMs} ms`))
      worker?.terminate()
    }, this.#timeoutMs)
  }

  #end(worker: Worker | undefined, fault: Error): void {
    if (worker === undefined || this.#worker !== worker) return
    this.#worker = undefined
    const lost = this.#drawing === undefined ? [] : [this.#drawing, ...this.#waiting.takeAll()]
    this.#drawing = undefined
    clearTimeout(this.#timer)
    for (const { reject } of lost) reject(fault)
  }
}
