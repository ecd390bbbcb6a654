/** The meaning of a failed call in plain words. */
import {
  CallFailed,
  OutcomeUnknown,
  RequestRejected,
  ServiceFailed,
  ServiceUnavailable,
  SignedOut,
} from '@clearing/sdk'
import { ForeignResponse } from '../session/read-json.ts'

/** A part of the console whose script could not be loaded. */
export class NotLoaded extends Error {
  constructor(options: ErrorOptions) {
    super('A part of the console could not be loaded.', options)
  }
}

export interface PlainFault {
  readonly title: string
  readonly text?: string
}

/** Whether the failure is temporary: the service could not be reached or did not respond. */
export function mayPass(fault: unknown): boolean {
  return fault instanceof ServiceUnavailable || fault instanceof OutcomeUnknown
}

/** Whether a proxy or another part of the network sent the response. The service names at least one error. */
function isForeign(fault: CallFailed): boolean {
  return fault.rejections.length === 0 && !(fault instanceof SignedOut)
}

/** Whether the service rejected the request for the reasons that the rejections name. */
export function isRejection(fault: unknown): fault is RequestRejected {
  return fault instanceof RequestRejected && !isForeign(fault)
}

/** Whether a repeated read can have another result. A rejected request, such as one with 404, has the same. */
export function canBeRepeated(fault: unknown): boolean {
  return !isRejection(fault) || fault.status === 429
}

/** A response that is not in the form of the service. */
function plainForeign(status: number): PlainFault {
  return status >= 502
    ? { title: 'The service cannot answer now', text: 'Try again in a moment.' }
    : {
        title: 'The response is not from the service',
        text: `A proxy or another part of the network sent it (status ${status}). Try again in a moment. If this does not help, report it to the operators of the service.`,
      }
}

export function plainFault(fault: unknown): PlainFault {
  if (fault instanceof SignedOut)
    return { title: 'Your session has ended', text: 'Sign in again. Your text is kept.' }
  if (fault instanceof OutcomeUnknown)
    return {
      title: 'The service did not respond',
      text: 'The request may have taken effect. You can send it again: it takes effect once.',
    }
  if (fault instanceof ServiceUnavailable && fault.status === 200)
    return { title: 'The response broke off', text: 'Nothing was changed. Try again in a moment.' }
  if (fault instanceof ServiceUnavailable)
    return fault.status === undefined
      ? { title: 'The service cannot be reached', text: 'Nothing was changed. Try again in a moment.' }
      : { title: 'The service cannot answer now', text: 'Nothing was changed. Try again in a moment.' }
  if (fault instanceof NotLoaded)
    return {
      title: 'This part of the console cannot be loaded',
      text: 'It is tried again every few seconds. Your text is kept. If the service responds and this does not help, the console was updated: reload the page. Text that is not sent is then lost.',
    }
  if (fault instanceof ForeignResponse) return plainForeign(fault.status)
  if (fault instanceof CallFailed && fault.status !== undefined && isForeign(fault))
    return plainForeign(fault.status)
  if (fault instanceof ServiceFailed)
    return { title: 'The service failed', text: 'Report the trace id to the operators of the service.' }
  if (fault instanceof CallFailed) return { title: fault.summary }
  return fault instanceof TypeError
    ? { title: 'The service cannot be reached', text: 'Try again in a moment.' }
    : { title: 'This could not be shown', ...(fault instanceof Error ? { text: fault.message } : {}) }
}
