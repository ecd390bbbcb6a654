// types.test.ts checks the types.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { CloudEvent } from './events.ts'
import { isEvent } from './is-event.ts'

test('an event is recognized by its type, also a type of a later version of the service', () => {
  const event = (type: string): CloudEvent => ({
    specversion: '1.0',
    id: 'E1',
    source: 'http://127.0.0.1:1',
    type,
    time: '2026-01-05T12:00:00Z',
    datacontenttype: 'application/json',
    data: {},
    cursor: 'C1',
    traceparent: '00-1-1-01',
  })
  assert.equal(isEvent(event('account.opened'), 'account.opened'), true)
  assert.equal(isEvent(event('account.closed'), 'account.opened', 'account.closed'), true)
  assert.equal(isEvent(event('account.updated'), 'account.opened', 'account.closed'), false)
  assert.equal(isEvent(event('account.of.tomorrow'), 'account.opened'), false)
})
