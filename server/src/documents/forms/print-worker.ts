/** The thread in which forms are drawn: it gets a filled form and its heading, and answers the bytes of the PDF or why there are none. */
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
