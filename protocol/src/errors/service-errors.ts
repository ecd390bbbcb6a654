// ERR.4000 and above: the service, or a system that it needs, failed.
import type { ErrorDefinition } from './error-definition.ts'

export const serviceErrors = [
  {
    code: 'ERR.4000',
    name: 'Backend Error',
    status: 500,
    condition:
      'The account system refused or failed a step of an account creation; usually reported in errorResponses of onboarding-result.',
    example: { field: '', reason: 'The account system did not answer.' },
    remedy: 'Read onboarding-result again later; contact operations when it stays.',
  },
  {
    code: 'ERR.5000',
    name: 'Internal Error',
    status: 500,
    condition: 'The service failed.',
    example: { field: '', reason: 'The service failed; the traceId tells operations where.' },
    remedy: 'Send the request again with the same Idempotency-Key; report the traceId.',
  },
  {
    code: 'ERR.5003',
    name: 'Service Unavailable',
    status: 503,
    condition:
      'The service can not do this now: its database or a part it needs is away. A write may or may not have happened.',
    example: { field: '', reason: 'The service can not answer now.' },
    remedy: 'Send the request again with the same Idempotency-Key after the seconds in Retry-After.',
  },
] as const satisfies readonly ErrorDefinition[]
