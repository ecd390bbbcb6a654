/** From a caller's text to the canonical request: names, codes and texts folded, everything wrong found at once. */

export { type JsonPath, type ParsedJson, parseJson } from './json-text.ts'
export { checkAddress } from './kinds/address.ts'
export { parseDate, parseRangeDate } from './kinds/dates.ts'
export { slowLastName } from './kinds/name.ts'
export { prepareReading, type Reading, type ReadingSettings, readRequest } from './read-request.ts'
export { redactAnswer, redactRequest } from './redact.ts'
