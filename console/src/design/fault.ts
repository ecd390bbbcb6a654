/** The meaning of a failed call in plain words. */
import {
  CallFailed,
  OutcomeUnknown,
  RequestRejected,
  ServiceFailed,
  ServiceUnavailable,
  SignedOut,
} from '@clearing/sdk'

export interface PlainFault {
  readonly title: string
  readonly text?: string
}

/** Whether the failure is temporary: the service could not be reached or did not respond. */
export function mayPass(fault: unknown): boolean {
  return fault instanceof ServiceUnavailable || fault instanceof OutcomeUnknown
}

/** Whether a repeated read can have another result. A rejected request, such as one with 404, has the same. */
export function canBeRepeated(fault: unknown): boolean {
  return !(fault instanceof RequestRejected) || fault.status === 429
}

export function plainFault(fault: unknown): PlainFault {
  if (fault instanceof SignedOut)
    return { title: 'Your session has ended', text: 'Sign in again. Your text is kept.' }
  if (fault instanceof OutcomeUnknown)
    return {
      title: 'The service did not respond',
      text: 'The request may have taken effect. You can send it again: it takes effect once.',
    }
  if (fault instanceof ServiceUnavailable)
    return fault.status === undefined
      ? { title: 'The service cannot be reached', text: 'Nothing was changed. Try again in a moment.' }
      : { title: 'The service cannot answer now', text: 'Nothing was changed. Try again in a moment.' }
  if (fault instanceof ServiceFailed)
    return { title: 'The service failed', text: 'Report the trace id to the operators of the service.' }
  if (fault instanceof CallFailed) return { title: fault.summary }
  return fault instanceof TypeError
    ? { title: 'The service cannot be reached', text: 'Try again in a moment.' }
    : { title: 'This could not be shown', ...(fault instanceof Error ? { text: fault.message } : {}) }
}
