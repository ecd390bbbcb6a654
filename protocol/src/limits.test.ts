// Limits: the numbers that the specification and the readings fix, by name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from './limits.ts'
import { type Deprecation, deprecatedMembers, type OperationDefinition } from './operation.ts'
import { operations } from './operations/index.ts'

test('limits have the values of the specification and the readings', () => {
  const fixed: Partial<Record<keyof typeof limits, number | string>> = {
    bodySizeBytesMax: 1_048_576,
    jsonDepthMax: 32,
    arrayItemsMax: 100,
    tokenLifetimeSeconds: 36_000,
    rateRequestsPerSecond: 200,
    rateBurstRequests: 400,
    idempotencyKeyLengthMax: 255,
    idempotencyKeptDays: 7,
    repeatWindowMinutes: 10,
    accountNumberLength: 8,
    entityNumberDigits: 3,
    repCodeLength: 4,
    taxIdNumberDigits: 9,
    customerIdDigits: 18,
    namePartLengthMax: 30,
    emailLengthMax: 70,
    phoneNumberDigitsMin: 6,
    phoneNumberDigitsMax: 15,
    phoneExtensionDigitsMax: 5,
    streetLineLengthMax: 30,
    streetLengthMax: 60,
    cityLengthMax: 30,
    postalCodeLengthMax: 10,
    ownerAgeYearsMin: 18,
    birthDateMin: '1900-01-01',
    uploadSizeBytesMax: 10_485_760,
    documentTypeNameLengthMax: 60,
    documentReferenceLengthMax: 100,
    pageSizeDefault: 25,
    activityRangeYearsMax: 10,
    loadRejectsMax: 1_000,
    deprecationNoticeDaysMin: 180,
  }
  for (const [name, value] of Object.entries(fixed))
    assert.equal(limits[name as keyof typeof limits], value, name)
})

test('the limits of an upload allow all of its fields and one file', () => {
  assert.equal(limits.uploadPartsMax, limits.uploadFieldsMax + limits.uploadFilesMax)
  assert.ok(limits.documentCommentsLengthMax * 4 <= limits.uploadFieldSizeBytesMax)
})

function endsTooSoon({ since, sunset }: Deprecation): boolean {
  const noticeDays = (Date.parse(sunset ?? '9999-12-31') - Date.parse(since)) / 86_400_000
  return !(noticeDays >= limits.deprecationNoticeDaysMin)
}

test('the end of an operation or member is announced at least 180 days in advance', () => {
  const all = Object.values<OperationDefinition>(operations).flatMap((operation) => [
    ...(operation.deprecated ? [operation.deprecated] : []),
    ...deprecatedMembers(operation).values(),
  ])
  assert.deepEqual(all.filter(endsTooSoon), [])
  assert.ok(endsTooSoon({ since: '2027-01-01', sunset: '2027-06-29', instead: '' }))
  assert.ok(!endsTooSoon({ since: '2027-01-01', sunset: '2027-06-30', instead: '' }))
})
