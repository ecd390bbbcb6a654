/**
 * Converts a caller's text to the canonical request: normalizes names, codes and texts, and finds all errors at once.
 */

export { compareReading, memberAsSent, type ReadValue } from './compare-reading.ts'
export { namesAsSent, rejectionsAsSent } from './field-as-sent.ts'
export { type JsonPath, type ParsedJson, parseJson } from './json-text.ts'
export { checkAddress } from './kinds/address.ts'
export { parseDate, parseInstant, parseRangeDate } from './kinds/dates.ts'
export { faultOfPersonName, slowLastName } from './kinds/name.ts'
export { plainMarks } from './kinds/plain-marks.ts'
export { maskFieldName } from './mask-name.ts'
export { nearestName } from './nearest-name.ts'
export { prepareReading, type Reading, type ReadingSettings, readRequest } from './read-request.ts'
export { redactAnswer, redactRequest } from './redact.ts'
