/**
 * Draws forms in a separate thread, one after the other, because drawing takes long enough to delay every other
 * request. The first form starts the thread; after the thread ended, the next form starts another.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

import type { Form } from './form.ts'
import type { PrintAnswer, PrintRequest } from './print-worker.ts'
import type { FormHeading } from './sheet.ts'

/** Too many forms wait; the response is 503. */
export class PrinterBusy extends Error {}

const waitingMax = 32
const memoryMegabytesMax = 256

interface Waiting {
  readonly resolve: (pdf: Buffer) => void
  readonly reject: (fault: Error) => void
}

export class FormPrinter {
  #worker: Worker | undefined
  #number = 0
  readonly #waiting = new Map<number, Waiting>()

  print(form: Form, heading: FormHeading): Promise<Buffer> {
    if (this.#waiting.size >= waitingMax) {
      return Promise.reject(new PrinterBusy(`more than ${waitingMax} forms wait to be drawn`))
    }
    this.#worker ??= this.#start()
    const request: PrintRequest = { number: ++this.#number, form, heading }
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.set(request.number, { resolve, reject })
    this.#worker.postMessage(request)
    return promise
  }

  /** Ends the thread; forms in progress are refused. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#end(worker, new PrinterBusy('the service stops'))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL(`./print-worker${extname(import.meta.filename)}`, import.meta.url), {
      // Addresses and secrets of the service are not passed to it.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytesMax },
    })
    worker.unref()
    worker.on('message', (answer: PrintAnswer) => {
      const waiting = this.#waiting.get(answer.number)
      this.#waiting.delete(answer.number)
      if ('pdf' in answer) waiting?.resolve(Buffer.from(answer.pdf))
      else waiting?.reject(new Error(`a form could not be drawn: ${answer.fault}`))
    })
    worker.on('error', (fault) =>
      this.#end(worker, new Error('the thread of forms failed', { cause: fault })),
    )
    worker.on('exit', () => this.#end(worker, new Error('the thread of forms ended')))
    return worker
  }

  #end(worker: Worker | undefined, fault: Error): void {
    if (worker === undefined || this.#worker !== worker) return
    this.#worker = undefined
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(fault)
  }
}
