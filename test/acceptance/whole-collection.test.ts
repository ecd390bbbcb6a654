/**
 * The Postman collection that the service offers runs against it from its first request to its last, without manual
 * steps.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OperationDefinition, operations } from '@clearing/protocol'
import { type Collection, runCollection } from './run-collection.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

test('every request of the collection succeeds, and each example of an operation is one', async () => {
  const collection = (await (await fetch(`${service.address}/postman.json`)).json()) as Collection
  const here = collection.variable.map((pair) =>
    pair.key === 'baseUrl' ? { key: pair.key, value: service.address } : pair,
  )
  const { sent, failures } = await runCollection({ ...collection, variable: here }, service.contract.fetch)
  assert.deepEqual(failures, [])
  const examples = (Object.entries(operations) as [string, OperationDefinition][]).flatMap(
    ([name, operation]) => operation.examples.map(({ title }) => `${name}: ${title}`),
  )
  assert.deepEqual(
    examples.filter((example) => !sent.includes(example)),
    [],
  )
})
