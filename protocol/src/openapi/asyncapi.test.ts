import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLists } from '../codes/index.ts'
import { eventDataShapes } from '../event-data.ts'
import { renderAsyncApi } from './asyncapi.ts'

const rendered = renderAsyncApi({ serverUrl: 'https://clearing.example' })

/** The value that a JSON pointer of the document names. */
function at(pointer: string): unknown {
  const steps = pointer.slice(2).split('/')
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    rendered,
  )
}

test('the messages of both channels are exactly the types of events, with the members of their data', () => {
  const types = codeLists.eventType.map(({ value }) => value).sort()
  assert.deepEqual(Object.keys(eventDataShapes).sort(), types)
  for (const pointer of [
    '#/components/messages',
    '#/channels/webhook/messages',
    '#/channels/stream/messages',
  ])
    assert.deepEqual(Object.keys(at(pointer) as object).sort(), types, pointer)
  for (const [type, { properties }] of Object.entries(eventDataShapes)) {
    const message = JSON.stringify(at(`#/components/messages/${type}`))
    // The data of some types is a named shape.
    const named = [...message.matchAll(/"data":\{"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => at(pointer))
    const text = message + JSON.stringify(named)
    assert.ok(text.includes(`{"const":"${type}"}`), type)
    for (const member of Object.keys(properties))
      assert.ok(text.includes(`"${member}":`), `${type} ${member}`)
  }
})

test('every reference of the document resolves', () => {
  const references = [...JSON.stringify(rendered).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, pointer = '']) => pointer,
  )
  assert.ok(references.length > 60)
  for (const pointer of new Set(references)) assert.notEqual(at(pointer), undefined, pointer)
})

test('the document has the members that AsyncAPI 3.0 requires, and the address of the service', () => {
  const { asyncapi, info, servers } = rendered as {
    asyncapi: string
    info: { title: string; version: string }
    servers: { service: { host: string; protocol: string } }
  }
  assert.equal(asyncapi, '3.0.0')
  assert.ok(info.title.length > 0 && /^\d+\.\d+\.\d+$/.test(info.version))
  assert.deepEqual([servers.service.host, servers.service.protocol], ['clearing.example', 'https'])
})
