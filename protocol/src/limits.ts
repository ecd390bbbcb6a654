// Every limit that a caller of the service can reach, each with one name. Units come last in the name.
// Source: Readings 8 and 3.5. Limits marked (ours) are set by this service.

/** The limits of the service. A megabyte is 1,048,576 bytes. */
export const limits = {
  // Requests

  /** Size of a request body. Uploads and loads have limits of their own. Reading 8. */
  bodySizeBytesMax: 1_048_576,
  /** Nesting of objects and arrays in a JSON body. Reading 8. */
  jsonDepthMax: 32,
  /** Items of any array in a request. Reading 8. */
  arrayItemsMax: 100,
  /** Errors in one response; further errors are left out (ours). */
  rejectionsMax: 1_000,
  /** Allowed values named in the reason of an ERR.1015 (ours). */
  nearestCodesMax: 3,
  /** Size of all request headers together; larger headers get 431 (ours). */
  headersSizeBytesMax: 16_384,
  /** Time for the headers of a request to arrive (ours). */
  headersTimeoutMs: 10_000,
  /** Longest pause in the arrival of a body (ours). */
  bodyIdleTimeoutMs: 15_000,

  // Identity

  /** Lifetime of an access token: 10 hours. Specification, Limits. */
  tokenLifetimeSeconds: 36_000,
  /** Size of a request body at the token endpoint (ours: 8 kB). */
  tokenFormSizeBytesMax: 8_192,
  /** Allowed clock skew in the check of a token's times (ours). */
  clockSkewSecondsMax: 60,
  /** Time until a disabled client's tokens are refused on every instance. Reading 2.2. */
  disabledClientSecondsMax: 5,
  /** Secrets of a client that are valid at the same time, so that they can be rotated without outage (ours). */
  liveSecretsMax: 2,
  /** Hours for which an old secret can remain valid beside the new one (ours). */
  secretOverlapHoursMax: 720,
  /** Wrong secrets per minute for one client id from one address; further attempts get 429 (ours). */
  tokenFailuresPerMinuteMax: 100,
  /** Minutes of inactivity after which a staff session ends (ours). */
  sessionIdleMinutes: 30,
  /** Hours after which a staff session ends (ours). */
  sessionHoursMax: 12,

  // Rate

  /** Sustained requests per second of one client. Reading 8; a setting of the firm. */
  rateRequestsPerSecond: 200,
  /** Burst of requests of one client. Reading 8; a setting of the firm. */
  rateBurstRequests: 400,
  /** Highest rate that can be set for a firm (ours). */
  rateRequestsPerSecondMax: 10_000,

  // Idempotency

  /** Length of an Idempotency-Key, from 1 printable character. Reading 1.12. */
  idempotencyKeyLengthMax: 255,
  /** Days for which an idempotency key and its response are kept. Reading 1.12. */
  idempotencyKeptDays: 7,
  /** Minutes in which an identical request without a key gets the first response. Reading 3.6. */
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

  // Names, addresses and texts

  /** Characters of a name part, from 1. Reading 3.5. */
  namePartLengthMax: 30,
  /** Characters of an e-mail address. Reading 3.5. */
  emailLengthMax: 70,
  /** Fewest digits of a phone number. Reading 3.5. */
  phoneNumberDigitsMin: 6,
  /** Most digits of a phone number. Reading 3.5. */
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
  /** Characters of a text without a limit of its own: job title, employer, trusted contact, affiliation (ours). */
  freeTextLengthMax: 60,
  /** Characters of the whole name of a beneficiary, and of a name that is searched (ours). */
  fullNameLengthMax: 100,
  /** Characters of idNumber of a government identification (ours). */
  governmentIdNumberLengthMax: 30,
  /** Characters of main.catAccountIdentifier (ours). */
  catAccountIdentifierLengthMax: 40,
  /** Characters of a note or reason that a person writes: restrictions, decisions, approvals (ours). */
  noteLengthMax: 500,
  /** Characters of a path in the record, in a request for information (ours). */
  fieldPathLengthMax: 100,

  // Persons

  /** Minimum age of an owner, except for custodial minors. Reading 3.6. */
  ownerAgeYearsMin: 18,
  /** Earliest birth date and other date of a person. Reading 3.6. */
  birthDateMin: '1900-01-01',
  /** Digits of dependents (ours). */
  dependentsDigitsMax: 2,

  // Screening

  /** Lowest score of a match whose clearance needs a second person (ours). */
  secondPersonMatchScoreMin: 95,

  // Documents

  /** Size of an uploaded file, inclusive. Specification, Limits; Reading 5.3. */
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

  /** Default number of entries of a page. Reading 5.5. */
  pageSizeDefault: 25,
  /** Entries of a page at most (ours). */
  pageSizeMax: 100,
  /** Names of an item of the checklist before a close. */
  checkItemNamesMax: 1_000,
  /** Margin calls of a page, both the maximum and the default (ours). */
  callsPageSizeMax: 200,
  /** Characters of the id of an announced corporate action (ours). */
  corporateActionIdLengthMax: 60,
  /** Pending lines of a page, both the maximum and the default (ours). */
  pendingLinesPageSizeMax: 200,
  /** Closed days that a page of corrections compares (ours). */
  correctedDaysPageSizeMax: 100,
  /** Breaks of a page, both the maximum and the default (ours). */
  breaksPageSizeMax: 1_000,
  /** Characters of a rejected line that is kept as it was sent (ours). */
  rejectedLineLengthMax: 8_000,
  /** Rows of a list that are counted at most (ours). */
  countedMax: 10_000,
  /** Loads without a review whose failures `list-failures` counts, the newest first (ours). */
  failedLoadsCountedMax: 100,
  /**
   * For so many hours a person does not approve changes of the person who created them or reset their password, second
   * factor or role (decision 182).
   */
  newAccessHours: 72,
  /** Characters of the `after` of a page (ours). */
  cursorLengthMax: 6_000,
  /** Characters of the id of an item of work (ours). */
  workIdLengthMax: 120,
  /** Characters of the title of an incident (ours). */
  incidentTitleLengthMax: 120,
  /** Days for which the status page shows a resolved incident (ours). */
  incidentShownDays: 90,
  /** Characters of the name and of the screen of a saved view (ours). */
  viewNameLengthMax: 60,
  /** Characters of the filters, order and columns of a saved view (ours). */
  viewSearchLengthMax: 2_000,
  /** Saved views of one person (ours). */
  viewsPerPersonMax: 100,
  /** Characters of a note that staff write on an account (ours). */
  staffNoteLengthMax: 2_000,
  /** Persons whom one note mentions (ours). */
  noteMentionsMax: 20,
  /** Years between dateFrom and dateTo. Reading 8. */
  activityRangeYearsMax: 10,
  /** First and last year of a tax report (ours). */
  taxYearMin: 1900,
  taxYearMax: 9999,
  /** Characters of a CUSIP. */
  cusipLength: 9,

  // Events

  /** Default number of events of a page (ours). */
  eventPageSizeDefault: 100,
  /** Events of a page at most (ours). */
  eventPageSizeMax: 1_000,
  /** Types and wildcards of one filter (ours). */
  eventFilterTypesMax: 50,
  /** Lines of one `activity.restated` at most (ours). */
  restatedLinesOfEventMax: 100,
  /** Days for which an event stays in the log (ours). */
  eventKeptDays: 400,
  /** Open event streams of one client on one instance (ours). */
  eventStreamsPerClientMax: 100,
  /** Seconds without an event after which a stream gets a comment (ours). */
  eventHeartbeatSeconds: 15,
  /** Webhooks of one firm (ours). */
  webhooksPerFirmMax: 50,
  /** Characters of a webhook's address (ours). */
  webhookUrlLengthMax: 2_000,
  /** Active secrets of a webhook (ours). */
  webhookSecretsMax: 5,
  /** Time for the response of a webhook's receiver (ours). */
  webhookTimeoutMs: 10_000,
  /** Characters kept of a receiver's response (ours). */
  webhookAnswerLengthMax: 500,
  /** Events that one request can resend (ours). */
  webhookResendEventsMax: 10_000,
  /** Deliveries of a webhook that may wait when events are sent again (ours). */
  webhookWaitingMax: 100_000,
  /** Days for which a delivery stays in the delivery log (ours). */
  webhookDeliveryKeptDays: 30,
  /** Difference between a webhook's time stamp and the receiver's clock. Standard Webhooks. */
  webhookToleranceSeconds: 300,

  /** Days for which a call stays in the log of calls (ours). */
  requestKeptDays: 30,
  /** Characters kept of the request and of the response of a call (ours). */
  requestBodyKeptLengthMax: 8_192,

  /**
   * Unavailable account numbers that a firm may name in an hour. After that, every number that the firm did not
   * reserve is refused. Reading 3.1.
   */
  refusedNumbersPerHourMax: 100,

  // Loads

  /** Size of one file of a watch list; the SDN list has about 6 MB (ours). */
  watchListPartSizeBytesMax: 67_108_864,
  /** Rejects in the response of a load; `get-load` returns all of them. docs/books.md, Facts. */
  loadRejectsMax: 1_000,
  /** Size of one line of a load. The load itself has no size limit (ours). */
  loadLineSizeBytesMax: 65_536,
  /** Digits before the decimal point of any number (ours). */
  wholeDigitsMax: 18,
  /** Decimal places of a price. docs/books.md, Numbers. */
  pricePlacesMax: 8,
  /** Decimal places of a quantity. docs/books.md, Numbers. */
  quantityPlacesMax: 8,
  /** Decimal places of an exchange rate. docs/books.md, Numbers. */
  fxRatePlacesMax: 10,

  // The sandbox

  /** Days by which one request can move the clock (ours). */
  sandboxAdvanceDaysMax: 366,
  /** Snapshots of the sandbox (ours). */
  sandboxSnapshotsMax: 20,
  /** Trades that one request can generate (ours). */
  sandboxTradesMax: 500,
  /** Isolated sandboxes of one firm (ours). */
  sandboxesPerFirmMax: 10,
  /** Minutes without a call after which an isolated sandbox is removed (ours). */
  sandboxIdleMinutesDefault: 120,
  /** The longest time without a call that can be set (ours: a week). */
  sandboxIdleMinutesMax: 10_080,

  // Time limits of processes

  /** Days after which an unanswered follow-up expires (ours). */
  followUpDueDays: 30,
  /** Fewest days between the announcement of a removal and the removal. Reading 9. */
  deprecationNoticeDaysMin: 180,
} as const
