// Every limit of the service that a caller can meet, each with one name. Units come last in the name.
// Reading 8 and 3.5; limits marked (ours) fill what neither names.

/** The limits of the service. A megabyte is 1,048,576 bytes. */
export const limits = {
  // Requests

  /** Size of a request body; uploads and loads have their own. Reading 8. */
  bodySizeBytesMax: 1_048_576,
  /** Nesting of objects and arrays in a JSON body. Reading 8. */
  jsonDepthMax: 32,
  /** Items of any array in a request. Reading 8. */
  arrayItemsMax: 100,
  /** Errors in one answer; an answer with more is cut here (ours). */
  rejectionsMax: 1_000,
  /** Allowed values named in the reason of an ERR.1015 (ours). */
  nearestCodesMax: 3,
  /** All request headers together; more is answered 431 (ours). */
  headersSizeBytesMax: 16_384,
  /** Time for the headers of a request to arrive (ours). */
  headersTimeoutMs: 10_000,
  /** Time a body may stand still while it arrives (ours). */
  bodyIdleTimeoutMs: 15_000,

  // Identity

  /** Life of an access token: 10 hours. Specification, Limits. */
  tokenLifetimeSeconds: 36_000,
  /** Size of a request body at the token endpoint (ours: 8 kB). */
  tokenFormSizeBytesMax: 8_192,
  /** Difference of clocks allowed when a token's times are checked (ours). */
  clockSkewSecondsMax: 60,
  /** Time until a disabled client's tokens are refused on every instance. Reading 2.2. */
  disabledClientSecondsMax: 5,
  /** Secrets of a client that are valid at the same time, so that they can be rotated without outage (ours). */
  liveSecretsMax: 2,
  /** Hours an old secret may go on working beside the new one (ours). */
  secretOverlapHoursMax: 720,
  /** Wrong secrets a minute for one client id from one address, before 429 (ours). */
  tokenFailuresPerMinuteMax: 100,
  /** Minutes without a sign of the person after which a session of staff ends (ours). */
  sessionIdleMinutes: 30,
  /** Hours after which a session of staff ends (ours). */
  sessionHoursMax: 12,

  // Rate

  /** Requests a second of one client, lasting. Reading 8; a setting per client. */
  rateRequestsPerSecond: 200,
  /** Requests of one client at once. Reading 8; a setting per client. */
  rateBurstRequests: 400,
  /** Highest rate that a firm can be given (ours). */
  rateRequestsPerSecondMax: 10_000,

  // Writing once

  /** Length of an Idempotency-Key, from 1 printable character. Reading 1.12. */
  idempotencyKeyLengthMax: 255,
  /** Days an idempotency key and its answer are kept. Reading 1.12. */
  idempotencyKeptDays: 7,
  /** Minutes in which an exact repeat without a key is answered like the first. Reading 3.6. */
  repeatWindowMinutes: 10,

  // Numbers and codes with a fixed length

  /** Characters of accountNumber. Specification, Limits. */
  accountNumberLength: 8,
  /** Digits of entityNumber. Specification, Limits. */
  entityNumberDigits: 3,
  /** Characters of repCode. Reading 3.5. */
  repCodeLength: 4,
  /** Digits of taxIdNumber. Reading 3.5. */
  taxIdNumberDigits: 9,
  /** Digits of customerId. Reading 3.8. */
  customerIdDigits: 18,

  // Names, addresses, texts

  /** Characters of a name part, from 1. Reading 3.5. */
  namePartLengthMax: 30,
  /** Characters of an e-mail address. Reading 3.5. */
  emailLengthMax: 70,
  /** Digits of a phone number at least. Reading 3.5. */
  phoneNumberDigitsMin: 6,
  /** Digits of a phone number at most. Reading 3.5. */
  phoneNumberDigitsMax: 15,
  /** Digits of employerPhoneExtension, from 1. Reading 3.5. */
  phoneExtensionDigitsMax: 5,
  /** Characters of one line of street. Reading 3.5. */
  streetLineLengthMax: 30,
  /** Characters of street in all. Reading 3.5. */
  streetLengthMax: 60,
  /** Characters of city. Reading 3.5. */
  cityLengthMax: 30,
  /** Characters of postalCode. Reading 3.5. */
  postalCodeLengthMax: 10,
  /** Characters of a free text without a limit of its own: job title, employer, organisation (ours). */
  freeTextLengthMax: 60,
  /** Characters of a whole name in one field: trusted contact, beneficiary, affiliation (ours). */
  fullNameLengthMax: 100,
  /** Characters of idNumber of a government identification (ours). */
  governmentIdNumberLengthMax: 30,
  /** Characters of main.catAccountIdentifier (ours). */
  catAccountIdentifierLengthMax: 40,
  /** Characters of a note or reason that a person writes: restrictions, decisions, approvals (ours). */
  noteLengthMax: 500,

  // Persons

  /** Age of an owner, custodial minors apart. Reading 3.6. */
  ownerAgeYearsMin: 18,
  /** Earliest birthDate and other dates of a person. Reading 3.6. */
  birthDateMin: '1900-01-01',
  /** Digits of dependents (ours). */
  dependentsDigitsMax: 2,

  // Screening

  /** Score from which a match that a person clears needs a second person (ours). */
  secondPersonMatchScoreMin: 95,

  // Documents

  /** Size of an uploaded file; this many bytes pass. Specification, Limits; Reading 5.3. */
  uploadSizeBytesMax: 10_485_760,
  /** Files in one upload (ours). */
  uploadFilesMax: 1,
  /** Text fields in one upload (ours). */
  uploadFieldsMax: 20,
  /** Parts of one upload: text fields and files (ours). */
  uploadPartsMax: 21,
  /** Characters of the name of a form field (ours). */
  uploadFieldNameLengthMax: 100,
  /** Size of one text field of an upload (ours). */
  uploadFieldSizeBytesMax: 8_192,
  /** Size of the headers of one part (ours). */
  uploadPartHeadersSizeBytesMax: 8_192,
  /** Characters of the file's name (ours). */
  fileNameLengthMax: 255,
  /** Characters of documentTypeName. Reading 5.1. */
  documentTypeNameLengthMax: 60,
  /** Characters of reference. Reading 5.1. */
  documentReferenceLengthMax: 100,
  /** Characters of comments (ours). */
  documentCommentsLengthMax: 500,
  /** Characters of displayName (ours). */
  documentDisplayNameLengthMax: 255,
  /** Pixels of an image, read from its header (ours). */
  imagePixelsMax: 100_000_000,
  /** Pages of a document, and directories of a TIFF (ours). */
  documentPagesMax: 2_000,
  /** Documents of one account (ours). */
  documentsPerAccountMax: 1_000,
  /** Size of all documents of one account: 1 GB (ours). */
  documentsPerAccountSizeBytesMax: 1_073_741_824,

  // Reading

  /** Entries of a page when the request does not say. Reading 5.5. */
  pageSizeDefault: 25,
  /** Entries of a page at most (ours). */
  pageSizeMax: 100,
  /** Margin calls of a page, at most and when the request does not say (ours). */
  callsPageSizeMax: 200,
  /** Breaks of a page, at most and when the request does not say (ours). */
  breaksPageSizeMax: 1_000,
  /** Characters of the `after` of a page (ours). */
  cursorLengthMax: 6_000,
  /** Characters of the id of an item of work (ours). */
  workIdLengthMax: 120,
  /** Characters of a note that staff write on an account (ours). */
  staffNoteLengthMax: 2_000,
  /** Years between dateFrom and dateTo. Reading 8. */
  activityRangeYearsMax: 10,
  /** Years that a tax report can be of (ours). */
  taxYearMin: 1900,
  taxYearMax: 9999,
  /** Characters of a CUSIP. */
  cusipLength: 9,

  // Events

  /** Events of a page when the request does not say (ours). */
  eventPageSizeDefault: 100,
  /** Events of a page at most (ours). */
  eventPageSizeMax: 1_000,
  /** Types and wildcards of one filter (ours). */
  eventFilterTypesMax: 50,
  /** Days an event stays in the log (ours). */
  eventKeptDays: 400,
  /** Streams that one client has open on one instance (ours). */
  eventStreamsPerClientMax: 100,
  /** Time after which a silent stream is sent a comment (ours). */
  eventHeartbeatSeconds: 15,
  /** Webhooks of one firm (ours). */
  webhooksPerFirmMax: 50,
  /** Characters of a webhook's address (ours). */
  webhookUrlLengthMax: 2_000,
  /** Secrets of a webhook that sign at the same time (ours). */
  webhookSecretsMax: 5,
  /** Time for a webhook's receiver to answer (ours). */
  webhookTimeoutMs: 10_000,
  /** Characters kept of a receiver's answer (ours). */
  webhookAnswerLengthMax: 500,
  /** Events sent again by one request (ours). */
  webhookResendEventsMax: 10_000,
  /** Days a delivery stays in the log of deliveries (ours). */
  webhookDeliveryKeptDays: 30,
  /** Difference between a webhook's time stamp and the receiver's clock. Standard Webhooks. */
  webhookToleranceSeconds: 300,

  /** Days a call stays in the log of calls (ours). */
  requestKeptDays: 30,
  /** Characters kept of the body of a call, and of its answer (ours). */
  requestBodyKeptLengthMax: 8_192,

  // Loads

  /** Size of one file of a watch list; the SDN list has about 6 MB (ours). */
  watchListPartSizeBytesMax: 67_108_864,
  /** Rejects in the answer of a load; `get-load` has them all. Books 1. */
  loadRejectsMax: 1_000,
  /** Size of one line of a load; the load itself has no limit (ours). */
  loadLineSizeBytesMax: 65_536,
  /** Digits before the decimal point of any number (ours). */
  wholeDigitsMax: 18,
  /** Decimal places of a price. Books 2. */
  pricePlacesMax: 8,
  /** Decimal places of a quantity. Books 2. */
  quantityPlacesMax: 8,
  /** Decimal places of an exchange rate. Books 2. */
  fxRatePlacesMax: 10,

  // The sandbox

  /** Days that its clock is moved on by one request (ours). */
  sandboxAdvanceDaysMax: 366,
  /** Snapshots that it keeps (ours). */
  sandboxSnapshotsMax: 20,
  /** Trades made by one request (ours). */
  sandboxTradesMax: 500,

  // Promises in time

  /** Days a follow-up may stay unanswered (ours). */
  followUpDueDays: 30,
  /** Days between the announcement that something ends and its end. Reading 9. */
  deprecationNoticeDaysMin: 180,
} as const
