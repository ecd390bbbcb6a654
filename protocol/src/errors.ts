// The error catalogue: every code with its one HTTP status, condition, example and remedy, in one table.
// The documentation, the operation `code-lists`, OpenAPI and the types of the SDK come from it. Reading 7.

/** The HTTP statuses an error answer can have (Reading 1.8). */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** One row of the error catalogue. */
export interface ErrorDefinition {
  /** `ERR.` and four digits; never reused, never renumbered. */
  readonly code: string
  /** The title of the code, in the words of the catalogue. */
  readonly name: string
  /** The one HTTP status of an answer whose only rejection this is. */
  readonly status: ErrorStatus
  /** When the service answers with this code. */
  readonly condition: string
  /** A rejection as it may be seen; `field` is empty where no field is at fault. */
  readonly example: { readonly field: string; readonly reason: string }
  /** What the caller does about it. */
  readonly remedy: string
}

/** The error catalogue, in order of code. Reading 7; ERR.2012 to ERR.2015 were added so that each code keeps one status. */
export const errorCatalogue = [
  {
    code: 'ERR.1000',
    name: 'Field Can Not Be Empty',
    status: 400,
    condition: 'A required field is absent, null or empty.',
    example: { field: 'primaryOwner.lastName', reason: 'Last name is required.' },
    remedy: 'Send a value for the field.',
  },
  {
    code: 'ERR.1001',
    name: 'Invalid Entity Number',
    status: 400,
    condition: 'entityNumber is not three digits, or no firm has it.',
    example: { field: 'entityNumber', reason: 'Entity number must be 3 digits.' },
    remedy: 'Send one of the entity numbers your firm was given.',
  },
  {
    code: 'ERR.1002',
    name: 'Invalid Rep Code',
    status: 400,
    condition: 'repCode is not four letters or digits, or no firm has it.',
    example: { field: 'main.repCode', reason: 'Rep code must be 4 letters or digits.' },
    remedy: 'Send one of the rep codes your firm was given.',
  },
  {
    code: 'ERR.1003',
    name: 'Access Denied',
    status: 403,
    condition:
      'The request names a value of another firm (entityNumber, repCode), or an operation this client may not call.',
    example: { field: 'entityNumber', reason: 'Entity number belongs to another firm.' },
    remedy: 'Name only values of your own firm; ask your relationship manager when one is missing.',
  },
  {
    code: 'ERR.1004',
    name: 'Currently Update Unavailable',
    status: 503,
    condition: 'Accounts can not be changed now: outside the update hours, or on a holiday.',
    example: {
      field: '',
      reason: 'Accounts can be changed from 07:00 to 19:30 US Eastern on business days.',
    },
    remedy: 'Send the request again after the seconds in Retry-After.',
  },
  {
    code: 'ERR.1005',
    name: 'Invalid City',
    status: 400,
    condition: 'city holds characters that no place name has.',
    example: {
      field: 'mailingAddress.city',
      reason: "City must contain letters, spaces and the marks ' - . only.",
    },
    remedy: 'Correct the city.',
  },
  {
    code: 'ERR.1006',
    name: 'Invalid Country',
    status: 400,
    condition: 'A country is not an ISO 3166-1 alpha-2 code.',
    example: {
      field: 'mailingAddress.country',
      reason: 'Country must be a two-letter code such as US, CA, GB.',
    },
    remedy: 'Send the two-letter country code.',
  },
  {
    code: 'ERR.1007',
    name: 'Invalid Postal Code',
    status: 400,
    condition: 'postalCode does not have the form of its country.',
    example: { field: 'mailingAddress.postalCode', reason: 'A US postal code must be 5 or 9 digits.' },
    remedy: 'Correct the postal code, or the country.',
  },
  {
    code: 'ERR.1008',
    name: 'Invalid State Province',
    status: 400,
    condition: 'stateProvince is absent or unknown for US and CA, or given for any other country.',
    example: {
      field: 'mailingAddress.stateProvince',
      reason: 'State must be a two-letter code of the United States.',
    },
    remedy: 'Send the two-letter code for US and CA, and nothing for other countries.',
  },
  {
    code: 'ERR.1009',
    name: 'Invalid Email',
    status: 400,
    condition: 'An e-mail address does not have the form of one.',
    example: { field: 'electronicDelivery.email', reason: 'E-mail must have the form name@domain.' },
    remedy: 'Correct the e-mail address.',
  },
  {
    code: 'ERR.1010',
    name: 'Maximum Characters Exceeded',
    status: 400,
    condition: 'A text is longer than its field allows.',
    example: { field: 'mailingAddress.city', reason: 'City must be at most 30 characters; got 41.' },
    remedy: 'Shorten the value.',
  },
  {
    code: 'ERR.1011',
    name: 'Invalid Phone Number',
    status: 400,
    condition: 'A phone number is not 6 to 15 digits, or not a number of its region.',
    example: { field: 'primaryOwner.phoneNumberCell', reason: 'Phone number must be 6 to 15 digits.' },
    remedy: 'Send the national number as digits; the region goes into its own field.',
  },
  {
    code: 'ERR.1012',
    name: 'Invalid Birth Date',
    status: 400,
    condition: 'birthDate is not a real date, is in the future, before 1900, or makes an owner too young.',
    example: { field: 'primaryOwner.birthDate', reason: 'Owner must be at least 18 years old.' },
    remedy: 'Correct the birth date, or choose a custodial registration for a minor.',
  },
  {
    code: 'ERR.1013',
    name: 'Invalid Phone Region Code',
    status: 400,
    condition: 'A phone region is not a calling code in use.',
    example: {
      field: 'primaryOwner.phoneRegionCell',
      reason: 'Phone region must be a calling code such as 1, 44, 52.',
    },
    remedy: 'Send the country calling code without + or leading zeros.',
  },
  {
    code: 'ERR.1014',
    name: 'Duplicate Value Found',
    status: 400,
    condition:
      'A property is given twice in one object (also in two spellings), one person is two parties of an account, or the account number is taken.',
    example: { field: 'accountNumber', reason: 'Account number is taken.' },
    remedy: 'Send the value once; choose another account number or leave it to the service.',
  },
  {
    code: 'ERR.1015',
    name: 'Invalid Value',
    status: 400,
    condition: 'A value is outside the allowed list or range, or contradicts another field.',
    example: {
      field: 'registrationType',
      reason: 'Registration type is not in the list; nearest: JointWROS, JointTIC, JointCP.',
    },
    remedy: 'Choose a value of the list (operation code-lists).',
  },
  {
    code: 'ERR.1016',
    name: 'Invalid Pattern',
    status: 400,
    condition:
      'A text has the wrong form, or holds characters that are never accepted (control characters, invisible characters, lone surrogates, direction overrides).',
    example: { field: 'accountNumber', reason: 'Account number must be 8 letters or digits.' },
    remedy: 'Correct the form of the value.',
  },
  {
    code: 'ERR.1017',
    name: 'Phone Number Required',
    status: 400,
    condition: 'An owner or party has no complete phone: a number together with its region.',
    example: {
      field: 'primaryOwner.phoneNumberCell',
      reason: 'At least one phone number with its region is required.',
    },
    remedy: 'Send a cell, home or business phone with its region.',
  },
  {
    code: 'ERR.1020',
    name: 'Delete Feature Unavailable',
    status: 400,
    condition: 'update-account was asked to empty a value; deleting is not supported.',
    example: { field: 'primaryOwner.employerName', reason: 'A value can be replaced, not deleted.' },
    remedy: 'Leave the attribute out, or send its new value.',
  },
  {
    code: 'ERR.1021',
    name: 'Update Feature Unavailable',
    status: 400,
    condition: 'update-account was asked to change an attribute that can not be updated.',
    example: { field: 'registrationType', reason: 'Registration type can not be updated.' },
    remedy: 'Leave the attribute out, or send the value it has.',
  },
  {
    code: 'ERR.1022',
    name: 'File Size Exceeded',
    status: 413,
    condition: 'The uploaded file is larger than 10 MB (10,485,760 bytes).',
    example: { field: 'file', reason: 'File must be at most 10,485,760 bytes.' },
    remedy: 'Send a smaller file, or several documents.',
  },
  {
    code: 'ERR.1023',
    name: 'File Type Not Allowed',
    status: 415,
    condition:
      'The file is not one of .pdf .jpg .jpeg .bmp .png .tiff .tif; or its name, first bytes and structure disagree; or a PDF is encrypted or holds active content.',
    example: { field: 'file', reason: 'The file name says .pdf, its content does not.' },
    remedy: 'Send an allowed file type, unencrypted and without scripts.',
  },
  {
    code: 'ERR.1024',
    name: 'Invalid Date',
    status: 400,
    condition: 'A date is not a real calendar date in a form that the field accepts.',
    example: { field: 'dateFrom', reason: 'Date must be a calendar date such as 2026-01-31.' },
    remedy: 'Send the date as yyyy-MM-dd.',
  },
  {
    code: 'ERR.1025',
    name: 'Invalid Date Range',
    status: 400,
    condition: 'dateFrom is after dateTo, or the range is longer than 10 years.',
    example: { field: 'dateFrom', reason: 'dateFrom must not be after dateTo.' },
    remedy: 'Swap the dates, or ask for a shorter range.',
  },
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
    condition: 'The firm has no account of this number.',
    example: { field: 'accountNumber', reason: 'No account of this number.' },
    remedy: 'Check the account number.',
  },
  {
    code: 'ERR.2004',
    name: 'Malformed Request',
    status: 400,
    condition:
      'The body is not JSON (or not the multipart form) that can be read, is nested too deeply, or the headers contradict each other.',
    example: { field: '', reason: 'The body is not valid JSON.' },
    remedy: 'Correct the request; send UTF-8 JSON.',
  },
  {
    code: 'ERR.2005',
    name: 'Media Type Not Supported',
    status: 415,
    condition: 'Content-Type is absent or not the one of the operation.',
    example: { field: '', reason: 'Content-Type must be application/json.' },
    remedy: 'Send the Content-Type that the operation names.',
  },
  {
    code: 'ERR.2006',
    name: 'Method Not Allowed',
    status: 405,
    condition: 'The path was called with another method than POST.',
    example: { field: '', reason: 'The operation is called with POST.' },
    remedy: 'Call the operation with POST.',
  },
  {
    code: 'ERR.2007',
    name: 'Too Many Requests',
    status: 429,
    condition: 'The client sent more requests than its rate allows.',
    example: { field: '', reason: 'More than 200 requests a second.' },
    remedy: 'Wait for the seconds in Retry-After; spread the requests.',
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
    condition: 'A request with the same Idempotency-Key (or an exact twin) is still running.',
    example: { field: '', reason: 'The first request with this key is still running.' },
    remedy: 'Send the same request again after a moment: it gets the first answer.',
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
    condition: 'The operation needs an account that is Open.',
    example: { field: 'accountNumber', reason: 'The account is Pending.' },
    remedy: 'Wait until the account is Open (operation onboarding-result).',
  },
  {
    code: 'ERR.2012',
    name: 'Duplicate Submission',
    status: 409,
    condition:
      "An account of the same tax id, birth date and registration type exists, and the firm's setting refuses possible duplicates.",
    example: { field: 'primaryOwner.taxIdNumber', reason: 'The firm has such an account already.' },
    remedy: 'Use the account that exists, or ask operations to allow the second.',
  },
  {
    code: 'ERR.2013',
    name: 'Not Found',
    status: 404,
    condition: 'The path, or the document, load or follow-up named, does not exist for this firm.',
    example: { field: '', reason: 'There is no such operation.' },
    remedy: 'Check the path and the id.',
  },
  {
    code: 'ERR.2014',
    name: 'Not Acceptable',
    status: 406,
    condition: 'The Accept header excludes the media type of the answer.',
    example: { field: '', reason: 'The answer is application/json.' },
    remedy: 'Accept application/json.',
  },
  {
    code: 'ERR.2015',
    name: 'Request Too Large',
    status: 413,
    condition: 'The body (uploaded files apart) is larger than 1 MB, or has too many parts.',
    example: { field: '', reason: 'The body must be at most 1,048,576 bytes.' },
    remedy: 'Send less in one request.',
  },
  {
    code: 'ERR.2016',
    name: 'Day Has Not Come',
    status: 409,
    condition:
      'The business day that is to be closed is after the day of the calendar, or of the sandbox’s clock.',
    example: { field: 'date', reason: '2026-11-23 can be closed on that day; today is 2026-11-22.' },
    remedy: 'Wait for the day. In the sandbox its control close-business-day moves the clock.',
  },
  {
    code: 'ERR.2017',
    name: 'Open Items',
    status: 409,
    condition:
      'Something is open that a business day is not closed with: loads, rejects, breaks, stale prices.',
    example: { field: 'acceptOpen', reason: 'Breaks: 3 of severity Medium.' },
    remedy: 'Settle what is open, or accept it with acceptOpen and a reason.',
  },
  {
    code: 'ERR.2018',
    name: 'Contents Conflict',
    status: 409,
    condition: 'A line of a load has the id or the key of one that is kept, and other contents.',
    example: { field: 'quantity', reason: 'A line with this externalId is kept with another quantity.' },
    remedy: 'Send what changed as a cancel and a rebill, or give the line an id of its own.',
  },
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
    condition: 'The token is not one of ours, is meant for another service, or its client is disabled.',
    example: { field: '', reason: 'The access token is not valid.' },
    remedy: 'Request a new token from the token endpoint.',
  },
  {
    code: 'ERR.3003',
    name: 'Token Expired',
    status: 401,
    condition: 'The token is past its 10 hours.',
    example: { field: '', reason: 'The access token has expired.' },
    remedy: 'Request a new token from the token endpoint.',
  },
  {
    code: 'ERR.3004',
    name: 'Scope Missing',
    status: 403,
    condition: 'The token lacks the scope of the operation.',
    example: { field: '', reason: 'The operation needs the scope accounts:write.' },
    remedy: 'Request a token with the scope; ask operations when the client was not granted it.',
  },
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

/** A code of the error catalogue, such as `ERR.1000`. */
export type ErrorCode = (typeof errorCatalogue)[number]['code']

/**
 * What a caller did wrong: the specification's Error object. A value, never thrown by a rule.
 * `field` is the dotted path in the specification's spelling (`associatedParties[0].birthDate`), empty where no field
 * is at fault; `reason` is a sentence that helps and never repeats personal data. Specification, Response envelope;
 * Reading 1.9.
 */
export interface Rejection {
  readonly code: ErrorCode
  readonly field: string
  readonly reason: string
}

/** Makes a rejection. */
export function reject(code: ErrorCode, field: string, reason: string): Rejection {
  return { code, field, reason }
}

const definitionByCode: ReadonlyMap<string, (typeof errorCatalogue)[number]> = new Map(
  errorCatalogue.map((definition) => [definition.code, definition]),
)

/** Whether the text is a code of this catalogue; a later version may answer codes that this one does not know. */
export function isErrorCode(text: string): text is ErrorCode {
  return definitionByCode.has(text)
}

/** The catalogue's row of a code. */
export function definitionOf(code: ErrorCode): ErrorDefinition {
  const definition = definitionByCode.get(code)
  if (definition === undefined) throw new Error(`${code} is not in the error catalogue`)
  return definition
}

/**
 * Which status an answer with several rejections has: the first of this list that any of them has. Who calls comes
 * first, then what the service can do at all, then whether the thing named exists, then how it was sent, then the
 * fields. 400 is before 409: a request that is wrong in itself stays wrong once the conflict is gone.
 */
export const statusPrecedence = [
  401, 429, 403, 500, 503, 404, 405, 406, 413, 415, 422, 400, 409,
] as const satisfies readonly ErrorStatus[]

/** The HTTP status of an answer with these rejections; throws when there are none, since that is no error answer. */
export function statusOf(rejections: readonly Rejection[]): ErrorStatus {
  const statuses = new Set(rejections.map((rejection) => definitionOf(rejection.code).status))
  const status = statusPrecedence.find((candidate) => statuses.has(candidate))
  if (status === undefined) throw new Error('an error answer needs at least one rejection')
  return status
}
