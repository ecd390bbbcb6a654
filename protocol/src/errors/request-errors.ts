// ERR.2001 to ERR.2999: a request is wrong as a whole, or conflicts with the stored state. ERR.2012 to ERR.2015 were
// added so that each code keeps one status.
import type { ErrorDefinition } from './error-definition.ts'

export const requestErrors = [
  {
    code: 'ERR.2001',
    name: 'Unknown Field',
    status: 400,
    condition: 'A property is not part of the operation.',
    example: { field: 'primaryOwner.nickname', reason: 'The operation has no such field.' },
    remedy: 'Remove the property, or correct its spelling.',
  },
  {
    code: 'ERR.2002',
    name: 'Wrong Type',
    status: 400,
    condition: 'A value has the wrong JSON type; types are not coerced.',
    example: { field: 'accountNumber', reason: 'Account number must be a string.' },
    remedy: 'Send the type that the specification names.',
  },
  {
    code: 'ERR.2003',
    name: 'Account Not Found',
    status: 404,
    condition: 'The firm has no account with this number.',
    example: { field: 'accountNumber', reason: 'No account of this number.' },
    remedy: 'Check the account number.',
  },
  {
    code: 'ERR.2004',
    name: 'Malformed Request',
    status: 400,
    condition:
      'The body is not readable JSON (or not a readable multipart form), is nested too deeply, or the headers contradict each other.',
    example: { field: '', reason: 'The body is not valid JSON.' },
    remedy: 'Correct the request; send UTF-8 JSON.',
  },
  {
    code: 'ERR.2005',
    name: 'Media Type Not Supported',
    status: 415,
    condition: 'Content-Type is absent or is not the media type of the operation.',
    example: { field: '', reason: 'Content-Type must be application/json, in UTF-8.' },
    remedy: 'Send the Content-Type that the operation names.',
  },
  {
    code: 'ERR.2006',
    name: 'Method Not Allowed',
    status: 405,
    condition: 'The path was called with a method that it does not have. Operations are called with POST.',
    example: { field: '', reason: 'The operation is called with POST.' },
    remedy: 'Use a method of the header Allow: POST for operations.',
  },
  {
    code: 'ERR.2007',
    name: 'Too Many Requests',
    status: 429,
    condition:
      'The client sent more requests than its rate allows, or its firm named too many unavailable account numbers in an hour.',
    example: { field: '', reason: 'More than 200 requests a second.' },
    remedy: 'Wait for the number of seconds in Retry-After, and spread the requests.',
  },
  {
    code: 'ERR.2008',
    name: 'Idempotency Key Reused',
    status: 422,
    condition: 'The Idempotency-Key was used before with another body.',
    example: { field: '', reason: 'The idempotency key was used with another body.' },
    remedy: 'Use a new key for a new request.',
  },
  {
    code: 'ERR.2009',
    name: 'In Progress',
    status: 409,
    condition:
      'A request with the same Idempotency-Key, or an identical request without a key, is still running.',
    example: { field: '', reason: 'The first request with this key is still running.' },
    remedy: 'Send the same request again after a moment: it gets the first response.',
  },
  {
    code: 'ERR.2010',
    name: 'Version Conflict',
    status: 409,
    condition: 'The record changed since the version named in expectedVersion.',
    example: { field: 'expectedVersion', reason: 'The account is at a later version.' },
    remedy: 'Read the account again and repeat the change on it.',
  },
  {
    code: 'ERR.2011',
    name: 'Account Not Open',
    status: 409,
    condition: 'The status of the account, or a restriction in force, does not allow the operation.',
    example: { field: 'accountNumber', reason: 'The account is Pending.' },
    remedy:
      'Wait until a Pending account is Open (operation onboarding-result), or until the restriction ends. A Closed or Rejected account cannot be changed.',
  },
  {
    code: 'ERR.2012',
    name: 'Duplicate Submission',
    status: 409,
    condition:
      "An account with the same tax id, birth date and registration type exists, and the firm's setting rejects possible duplicates.",
    example: { field: 'primaryOwner.taxIdNumber', reason: 'The firm has such an account already.' },
    remedy: 'Use the existing account, or ask operations to allow the second.',
  },
  {
    code: 'ERR.2013',
    name: 'Not Found',
    status: 404,
    condition: 'The path, or the named document, load or follow-up, does not exist for this firm.',
    example: { field: '', reason: 'There is no such operation.' },
    remedy: 'Check the path and the id.',
  },
  {
    code: 'ERR.2014',
    name: 'Not Acceptable',
    status: 406,
    condition: 'The Accept header excludes the media type of the response.',
    example: { field: '', reason: 'The answer is application/json.' },
    remedy: 'Accept application/json.',
  },
  {
    code: 'ERR.2015',
    name: 'Request Too Large',
    status: 413,
    condition: 'The body, without uploaded files, is larger than 1 MB, or has too many parts.',
    example: { field: '', reason: 'The body must be at most 1,048,576 bytes.' },
    remedy: 'Send less in one request.',
  },
  {
    code: 'ERR.2016',
    name: 'Day Has Not Come',
    status: 409,
    condition:
      'The business day to close is after the current date, or after the date of the sandbox’s clock.',
    example: { field: 'date', reason: '2026-11-23 can be closed on that day; today is 2026-11-22.' },
    remedy: 'Wait for the day. In the sandbox, the control close-business-day moves the clock.',
  },
  {
    code: 'ERR.2017',
    name: 'Open Items',
    status: 409,
    condition:
      'Items are open that prevent the close of the business day: loads, rejects, breaks, locations, stale prices.',
    example: { field: 'acceptOpen', reason: 'Breaks: 3 of severity Medium.' },
    remedy: 'Settle the open items, or accept them with acceptOpen and a reason.',
  },
  {
    code: 'ERR.2018',
    name: 'Contents Conflict',
    status: 409,
    condition: 'A line of a load has the id or the key of a stored line, and other contents.',
    example: { field: 'quantity', reason: 'A line with this externalId is stored with another quantity.' },
    remedy:
      'Send a correction as a cancel and a rebill, or with a correctionId, or give the line an id of its own.',
  },
  {
    code: 'ERR.2027',
    name: 'Sandbox Not Found',
    status: 404,
    condition: 'There is no isolated sandbox of this id or address, or it belongs to another firm.',
    example: {
      field: '',
      reason: 'There is no sandbox at this address; it was deleted, or had no call for its time.',
    },
    remedy: 'Create a sandbox with create-sandbox, and use the baseUrl that it returns.',
  },
  {
    code: 'ERR.2028',
    name: 'Sandbox Not Available',
    status: 409,
    condition:
      'No further isolated sandbox can be created: the limit is reached, or this service cannot create sandboxes.',
    example: { field: '', reason: 'The firm has 10 sandboxes; delete one.' },
    remedy: 'Delete a sandbox with delete-sandbox, or wait until one has expired.',
  },
  {
    code: 'ERR.2029',
    name: 'Address Not Allowed',
    status: 403,
    condition:
      'The credential may be used only from certain networks, and the call comes from another address.',
    example: { field: '', reason: 'The credential may not be used from this address.' },
    remedy: 'Call from a network of the credential, or ask operations to add yours.',
  },
  {
    code: 'ERR.2030',
    name: 'Proof Missing',
    status: 401,
    condition:
      'The access token is bound to a key of the client, and the request does not show that its sender has the key.',
    example: {
      field: '',
      reason: 'The access token is bound to a key: send Authorization: DPoP and a DPoP proof.',
    },
    remedy: 'Send the token with Authorization: DPoP and a DPoP proof of its own (RFC 9449).',
  },
  {
    code: 'ERR.2031',
    name: 'Proof Invalid',
    status: 401,
    condition:
      'The DPoP proof does not match the request: it has another key, method, address or token, is too old, was used before, or was sent with a token that is not bound to a key.',
    example: { field: '', reason: 'htm of the DPoP proof must be POST.' },
    remedy: 'Make a proof for each request, with the key to which the token is bound (RFC 9449).',
  },
  {
    code: 'ERR.2046',
    name: 'Incident Resolved',
    status: 409,
    condition: 'The incident is resolved and accepts no further reports.',
    example: { field: 'incidentId', reason: 'The incident was resolved on 2026-11-20.' },
    remedy: 'Open another incident.',
  },
  {
    code: 'ERR.2047',
    name: 'Entitlement Requirement Missing',
    status: 409,
    condition:
      'The account lacks what margin or the option level requires: an approved agreement, facts of the owner, or margin for an option level that borrows.',
    example: {
      field: 'marginIndicator',
      reason: 'Margin needs the margin agreement (MRGN), approved on this account, and there is none.',
    },
    remedy:
      'Add the document or the facts that the reason names, have the document approved, and repeat the request.',
  },
  {
    code: 'ERR.2048',
    name: 'Entitlement In Use',
    status: 409,
    condition: 'The account holds positions or owes money, which lower entitlements do not permit.',
    example: {
      field: 'marginIndicator',
      reason: 'The account owes 100 USD. Request a deposit first.',
    },
    remedy: 'Have the positions closed out or moved and the debit paid, and repeat the request.',
  },
  {
    code: 'ERR.2049',
    name: 'Election Closed',
    status: 409,
    condition:
      'The corporate action accepts no election: its deadline has passed, it was cancelled, or it leaves no choice.',
    example: {
      field: 'corporateActionId',
      reason: 'The deadline was 2026-02-20, and the business date is 2026-02-23.',
    },
    remedy: 'Read the action with list-corporate-actions. After the deadline the default option applies.',
  },
  {
    code: 'ERR.2050',
    name: 'Action Announced Twice',
    status: 409,
    condition:
      'An announcement with another externalId has the same security, type, ex-date, pay date and terms. Both would be booked.',
    example: {
      field: 'externalId',
      reason: 'HRBR-2099-1 has the same security, type, dates and terms. Both would be booked.',
    },
    remedy:
      'Send nothing if both announcements are the same action. If two equal actions are due, amend the first one to the sum of both.',
  },
  {
    code: 'ERR.2051',
    name: 'No Specified Adult',
    status: 409,
    condition:
      'A temporary hold (ProtectedAdult) protects a natural person with authority over the account who is 65 or older, or 18 or older with an impairment, and the account has none.',
    example: {
      field: 'holdGround',
      reason: 'No person with authority over the account is 65 or older.',
    },
    remedy:
      'State holdGround Impairment, and the facts in reason, if an adult has an impairment. Otherwise place another restriction, such as SuspectedFraud.',
  },
  {
    code: 'ERR.2053',
    name: 'Identity Document Missing',
    status: 409,
    condition: 'No approved document that the request names shows the new tax id or citizenship.',
    example: { field: 'documentIds', reason: 'A tax id needs an approved tax form that certifies it: W9.' },
    remedy: 'Have the document added and approved, and name it in documentIds.',
  },
  {
    code: 'ERR.2054',
    name: 'Identity Conflict',
    status: 409,
    condition:
      'The new tax id or citizenship contradicts the record, or the tax id is that of another person.',
    example: { field: 'taxIdNumber', reason: 'A person with another birth date has the same tax id.' },
    remedy: 'Compare the document with the record, and correct the value that is wrong first.',
  },
] as const satisfies readonly ErrorDefinition[]
