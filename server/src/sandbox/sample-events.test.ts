import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLists, eventDataShapes } from '@clearing/protocol'
import { Value } from 'typebox/value'
import { sampleEvents } from './sample-events.ts'

for (const { value: type } of codeLists.eventType) {
  test(`the sample of ${type} has the shape of its data`, () => {
    assert.deepEqual(Value.Errors(eventDataShapes[type], sampleEvents[type]), [])
  })
}
