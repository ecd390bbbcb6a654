/** The meaning of a failed call in plain words. */
import { CallFailed, OutcomeUnknown, ServiceFailed, ServiceUnavailable, SignedOut } from '@clearing/sdk'

export interface PlainFault {
  readonly title: string
  readonly text?: string
}

/** Whether the service could not be reached or did not respond, which may end without action. */
export function mayPass(fault: unknown): boolean {
  return fault instanceof ServiceUnavailable || fault instanceof OutcomeUnknown
}

export function plainFault(fault: unknown): PlainFault {
  if (fault instanceof SignedOut)
    return { title: 'Your session has ended', text: 'Sign in again. What you typed is kept.' }
  if (fault instanceof OutcomeUnknown)
    return {
      title: 'The service did not answer',
      text: 'It may have been done already. You can send it again: it is done once all the same.',
    }
  if (fault instanceof ServiceUnavailable)
    return fault.status === undefined
      ? { title: 'The service cannot be reached', text: 'Nothing was changed. Try again in a moment.' }
      : { title: 'The service cannot answer now', text: 'Nothing was changed. Try again in a moment.' }
  if (fault instanceof ServiceFailed)
    return { title: 'The service failed', text: 'Give the trace id to the people who operate the service.' }
  if (fault instanceof CallFailed) return { title: fault.summary }
  return fault instanceof TypeError
    ? { title: 'The service cannot be reached', text: 'Try again in a moment.' }
    : { title: 'This could not be shown', ...(fault instanceof Error ? { text: fault.message } : {}) }
}
