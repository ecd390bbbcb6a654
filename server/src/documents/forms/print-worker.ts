/**
 * The thread that draws forms: it receives a filled form and its heading, and returns the bytes of the PDF or the
 * reason of a failure.
 */
import { parentPort } from 'node:worker_threads'
import { drawForm } from './draw-form.ts'
import type { Form } from './form.ts'
import type { FormHeading } from './sheet.ts'

export interface PrintRequest {
  readonly number: number
  readonly form: Form
  readonly heading: FormHeading
}

export type PrintAnswer =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly fault: string }

parentPort?.on('message', async ({ number, form, heading }: PrintRequest) => {
  const answer = await drawForm(form, heading).then(
    (pdf): PrintAnswer => ({ number, pdf }),
    (fault: Error): PrintAnswer => ({ number, fault: fault.stack ?? fault.message }),
  )
  parentPort?.postMessage(answer)
})
