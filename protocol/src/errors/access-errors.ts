// ERR.3001 to ERR.3999: the caller is not authenticated, or not authorized for the operation.
import type { ErrorDefinition } from './error-definition.ts'

export const accessErrors = [
  {
    code: 'ERR.3001',
    name: 'Token Missing',
    status: 401,
    condition: 'The request has no bearer token.',
    example: { field: '', reason: 'An access token is required.' },
    remedy: 'Send the header Authorization: Bearer with a token.',
  },
  {
    code: 'ERR.3002',
    name: 'Token Invalid',
    status: 401,
    condition:
      'The token was not issued by this service, is meant for another service, or its client is disabled.',
    example: { field: '', reason: 'The access token is not valid.' },
    remedy: 'Request a new token from the token endpoint.',
  },
  {
    code: 'ERR.3003',
    name: 'Token Expired',
    status: 401,
    condition: 'The token is older than 10 hours.',
    example: { field: '', reason: 'The access token has expired.' },
    remedy: 'Request a new token from the token endpoint.',
  },
  {
    code: 'ERR.3004',
    name: 'Scope Missing',
    status: 403,
    condition: 'The token lacks the scope of the operation.',
    example: { field: '', reason: 'The operation needs the scope accounts:write.' },
    remedy: 'Request a token with the scope; ask operations if the client was not granted it.',
  },
] as const satisfies readonly ErrorDefinition[]
