/**
 * Every response of a deprecated operation contains the headers, also if the request is refused. Responses of other
 * operations do not.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHttp, testOperations } from '../test-service.ts'

const deprecated = { since: '2027-01-01', sunset: '2028-01-01', instead: 'Use list.' }

test('the responses of a deprecated operation contain Deprecation, Sunset and a link', async () => {
  await using http = await startHttp(
    { echo: async () => ({}), list: async () => ({}) },
    { operations: { echo: { ...testOperations.echo, deprecated }, list: testOperations.list } },
  )
  for (const [body, status] of [
    ['{"name":"A"}', 200],
    ['{}', 400],
  ] as const) {
    const answer = await http.send('echo', body)
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('deprecation'), `@${Date.UTC(2027, 0, 1) / 1_000}`)
    assert.equal(answer.headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT')
    assert.match(answer.headers.get('link') ?? '', /rel="deprecation"/)
  }
  const other = await http.send('list', '{}')
  assert.deepEqual(
    [other.status, other.headers.get('deprecation'), other.headers.get('sunset')],
    [200, null, null],
  )
})

test('an operation without an end date has no Sunset header', async () => {
  const { sunset: _, ...open } = deprecated
  await using http = await startHttp(
    { echo: async () => ({}) },
    { operations: { echo: { ...testOperations.echo, deprecated: open } } },
  )
  const answer = await http.send('echo', '{"name":"A"}')
  assert.deepEqual([answer.headers.get('deprecation') !== null, answer.headers.get('sunset')], [true, null])
})
