// ERR.4000 and above: the service, or a system that it needs, failed.
import type { ErrorDefinition } from './error-definition.ts'

export const serviceErrors = [
  {
    code: 'ERR.4000',
    name: 'Backend Error',
    status: 500,
    condition:
      'A step of an account creation failed in the account system; usually reported in errorResponses of onboarding-result.',
    example: { field: '', reason: 'The account system did not answer.' },
    remedy: 'Read onboarding-result again later; contact operations if the error persists.',
  },
  {
    code: 'ERR.5000',
    name: 'Internal Error',
    status: 500,
    condition: 'The service failed.',
    example: { field: '', reason: 'The service failed; the traceId identifies the failure.' },
    remedy: 'Send the request again with the same Idempotency-Key; report the traceId.',
  },
  {
    code: 'ERR.5003',
    name: 'Service Unavailable',
    status: 503,
    condition:
      'The service cannot process the request now: its database or another component is not available. A write may or may not have been committed.',
    example: { field: '', reason: 'The service can not answer now.' },
    remedy:
      'Send the request again with the same Idempotency-Key after the number of seconds in Retry-After.',
  },
] as const satisfies readonly ErrorDefinition[]
