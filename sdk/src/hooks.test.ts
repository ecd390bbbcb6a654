import assert from 'node:assert/strict'
import test from 'node:test'
import { startService, success } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import type { Attempt, EndedAttempt } from './settings.ts'

test('hooks receive every attempt of a call with its trace and outcome', async () => {
  await using service = await startService({ script: [{ status: 503, text: '' }, success({ next: '' })] })
  const [begun, ended]: [Attempt[], EndedAttempt[]] = [[], []]
  const client = createClient({
    ...service.settings,
    onRequest: (attempt) => begun.push(attempt),
    onResponse: (attempt) => ended.push(attempt),
  })
  await client.createWebhook({ url: 'https://receiver.example' })
  assert.deepEqual(
    ended.map(({ operation, status }) => `${operation} ${status}`),
    ['create-webhook 503', 'create-webhook 200'],
  )
  assert.equal(begun.length, 2)
  assert.ok(begun[0]?.idempotencyKey !== undefined && begun[0].idempotencyKey === begun[1]?.idempotencyKey)
  assert.match(begun[0].traceId, /^00-[0-9a-f]{32}-/)
  assert.ok(begun[0].url.endsWith('/account-api/v1/create-webhook'))
})

test('hooks receive an attempt without a response', async () => {
  const ended: EndedAttempt[] = []
  const service = await startService()
  await service[Symbol.asyncDispose]()
  const client = createClient({
    baseUrl: service.settings.baseUrl,
    accessToken: () => 't',
    retries: 0,
    onResponse: (attempt) => ended.push(attempt),
  })
  await assert.rejects(client.listCalls(), /Check that the service runs at baseUrl/)
  assert.deepEqual(
    ended.map(({ status }) => status),
    [undefined],
  )
})
