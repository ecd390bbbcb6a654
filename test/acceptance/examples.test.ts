/** Every example of every operation of the contract runs as it stands against the sandbox, and is answered as its schema says. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OperationDefinition, operations, pathOf } from '@clearing/protocol'
import { Value } from 'typebox/value'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

const table = Object.entries(operations) as [string, OperationDefinition][]

const bodyOf = ({ body }: OperationDefinition, request: Record<string, unknown>) => {
  switch (body) {
    case 'json':
      return { body: JSON.stringify(request), headers: { 'content-type': 'application/json' }, query: '' }
    case 'multipart': {
      const form = new FormData()
      for (const [name, value] of Object.entries(request)) form.set(name, String(value))
      form.set('file', new Blob([new Uint8Array(samplePdf())]), 'example.pdf')
      return { body: form, headers: {}, query: '' }
    }
    case 'lines': {
      const { lines, ...members } = request
      const query = new URLSearchParams(members as Record<string, string>)
      const text = Array.isArray(lines) ? lines.map((line) => JSON.stringify(line)).join('\n') : String(lines)
      const contentType = Array.isArray(lines) ? 'application/x-ndjson' : 'text/csv'
      return { body: text, headers: { 'content-type': contentType }, query: `?${query}` }
    }
    default:
      return body satisfies never
  }
}

const accountExists = async (accountNumber: string): Promise<boolean> =>
  (await service.query('select from clearing.account where account_number = $1', [accountNumber]))
    .rowCount === 1

for (const [name, operation] of table) {
  describe(name, () => {
    for (const { title, request, data } of operation.examples) {
      test(title, async (context) => {
        const given = request as Record<string, unknown>
        const { accountNumber } = given
        if (typeof accountNumber === 'string' && !(await accountExists(accountNumber))) {
          return context.skip(`the demonstration account ${accountNumber} is not there`)
        }
        const { body, headers, query } = bodyOf(operation, given)
        const path = pathOf(name, operation.audience) + query
        const token = await service.token(operation.audience === 'operations' ? 'operations' : 'alpha')
        const answer = await service.send(path, {
          body,
          headers: { ...headers, authorization: `Bearer ${token}` } as Record<string, string>,
        })
        assert.equal(answer.status, 200, answer.text)
        if (operation.answers === 'file') return
        assert.deepEqual(answer.json.errors, [])
        assert.deepEqual([...Value.Errors(operation.data, answer.json.data)], [])
        if (data !== undefined) assert.deepEqual(answer.json.data, data)
      })
    }
  })
}

test('the operations of the specification have an example each', () => {
  for (const [name, { origin, examples }] of table) {
    if (origin === 'specification') assert.ok(examples.length > 0, name)
  }
})
