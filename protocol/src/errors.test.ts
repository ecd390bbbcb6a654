// The error catalogue: every code of the readings, each with one status, condition, example and remedy.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  definitionOf,
  type ErrorCode,
  type ErrorStatus,
  errorCatalogue,
  isErrorCode,
  reject,
  statusOf,
  statusPrecedence,
} from './errors.ts'

const named: readonly (readonly [ErrorCode, string, ErrorStatus])[] = [
  ['ERR.1000', 'Field Can Not Be Empty', 400],
  ['ERR.1001', 'Invalid Entity Number', 400],
  ['ERR.1002', 'Invalid Rep Code', 400],
  ['ERR.1003', 'Access Denied', 403],
  ['ERR.1004', 'Currently Update Unavailable', 503],
  ['ERR.1005', 'Invalid City', 400],
  ['ERR.1006', 'Invalid Country', 400],
  ['ERR.1007', 'Invalid Postal Code', 400],
  ['ERR.1008', 'Invalid State Province', 400],
  ['ERR.1009', 'Invalid Email', 400],
  ['ERR.1010', 'Maximum Characters Exceeded', 400],
  ['ERR.1011', 'Invalid Phone Number', 400],
  ['ERR.1012', 'Invalid Birth Date', 400],
  ['ERR.1013', 'Invalid Phone Region Code', 400],
  ['ERR.1014', 'Duplicate Value Found', 400],
  ['ERR.1015', 'Invalid Value', 400],
  ['ERR.1016', 'Invalid Pattern', 400],
  ['ERR.1017', 'Phone Number Required', 400],
  ['ERR.1020', 'Delete Feature Unavailable', 400],
  ['ERR.1021', 'Update Feature Unavailable', 400],
  ['ERR.1022', 'File Size Exceeded', 413],
  ['ERR.1023', 'File Type Not Allowed', 415],
  ['ERR.1024', 'Invalid Date', 400],
  ['ERR.1025', 'Invalid Date Range', 400],
  ['ERR.2001', 'Unknown Field', 400],
  ['ERR.2002', 'Wrong Type', 400],
  ['ERR.2003', 'Account Not Found', 404],
  ['ERR.2004', 'Malformed Request', 400],
  ['ERR.2005', 'Media Type Not Supported', 415],
  ['ERR.2006', 'Method Not Allowed', 405],
  ['ERR.2007', 'Too Many Requests', 429],
  ['ERR.2008', 'Idempotency Key Reused', 422],
  ['ERR.2009', 'In Progress', 409],
  ['ERR.2010', 'Version Conflict', 409],
  ['ERR.2011', 'Account Not Open', 409],
  ['ERR.2012', 'Duplicate Submission', 409],
  ['ERR.2013', 'Not Found', 404],
  ['ERR.2014', 'Not Acceptable', 406],
  ['ERR.2015', 'Request Too Large', 413],
  ['ERR.2016', 'Day Has Not Come', 409],
  ['ERR.2017', 'Open Items', 409],
  ['ERR.2018', 'Contents Conflict', 409],
  ['ERR.2027', 'Sandbox Not Found', 404],
  ['ERR.2028', 'Sandbox Not Available', 409],
  ['ERR.2029', 'Address Not Allowed', 403],
  ['ERR.2030', 'Proof Missing', 401],
  ['ERR.2031', 'Proof Invalid', 401],
  ['ERR.2046', 'Incident Resolved', 409],
  ['ERR.2047', 'Entitlement Requirement Missing', 409],
  ['ERR.2048', 'Entitlement In Use', 409],
  ['ERR.2049', 'Election Closed', 409],
  ['ERR.2050', 'Action Announced Twice', 409],
  ['ERR.2051', 'No Specified Adult', 409],
  ['ERR.2053', 'Identity Document Missing', 409],
  ['ERR.2054', 'Identity Conflict', 409],
  ['ERR.3001', 'Token Missing', 401],
  ['ERR.3002', 'Token Invalid', 401],
  ['ERR.3003', 'Token Expired', 401],
  ['ERR.3004', 'Scope Missing', 403],
  ['ERR.4000', 'Backend Error', 500],
  ['ERR.5000', 'Internal Error', 500],
  ['ERR.5003', 'Service Unavailable', 503],
]

test('the catalogue has exactly the codes of the readings, in order, each with its name and one status', () => {
  assert.deepEqual(
    errorCatalogue.map(({ code, name, status }) => [code, name, status]),
    named,
  )
})

test('every code has a condition, an example and a remedy written as sentences', () => {
  for (const { code, condition, example, remedy } of errorCatalogue) {
    for (const sentence of [condition, example.reason, remedy]) assert.match(sentence, /^\S.{8,}\.$/, code)
  }
})

test('a code that is not in the catalogue is recognized as unknown', () => {
  assert.equal(isErrorCode('ERR.1000'), true)
  assert.equal(isErrorCode('ERR.1018'), false)
  assert.equal(isErrorCode('err.1000'), false)
  assert.equal(definitionOf('ERR.1022').status, 413)
})

test('a response with one rejection has the status of its code', () => {
  for (const { code, status } of errorCatalogue) assert.equal(statusOf([reject(code, '', '')]), status)
})

test('a response with several rejections has the status of the highest precedence', () => {
  const rows: readonly (readonly [readonly ErrorCode[], ErrorStatus])[] = [
    [['ERR.1000', 'ERR.1010', 'ERR.2001'], 400],
    [['ERR.1000', 'ERR.1003'], 403],
    [['ERR.1002', 'ERR.2003'], 404],
    [['ERR.2010', 'ERR.1000'], 400],
    [['ERR.1000', 'ERR.1022'], 413],
    [['ERR.1023', 'ERR.1022'], 413],
    [['ERR.1023', 'ERR.1000'], 415],
    [['ERR.3004', 'ERR.3003'], 401],
    [['ERR.2007', 'ERR.3002'], 401],
    [['ERR.1000', 'ERR.5003'], 503],
  ]
  for (const [codes, status] of rows) {
    const rejections = codes.map((code) => reject(code, 'field', 'Reason.'))
    assert.equal(statusOf(rejections), status, codes.join())
    assert.equal(statusOf(rejections.toReversed()), status, codes.join())
  }
})

test('the precedence contains every status of the catalogue once', () => {
  const statuses = new Set<number>(errorCatalogue.map(({ status }) => status))
  assert.deepEqual([...statusPrecedence].sort(), [...statuses].sort())
})

test('a response without rejections has no error status', () => {
  assert.throws(() => statusOf([]), /at least one rejection/)
})
