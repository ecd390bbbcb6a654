import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, startService, success } from '../test/scripted-service.ts'
import { createSandbox } from './create-sandbox.ts'
import { RequestRejected } from './failures.ts'

const created = success({
  sandboxId: 'abcdefghijklmnopqrst',
  baseUrl: 'http://127.0.0.1:1/sandboxes/abcdefghijklmnopqrst',
  credentials: [{ clientId: 'alpha', clientSecret: 'secret' }],
})

test('the end of a block deletes the sandbox, also one that no longer exists', async () => {
  for (const end of [success({}), failure(404, [{ code: 'ERR.2027' }])]) {
    await using service = await startService({ script: [created, end] })
    {
      await using sandbox = await createSandbox(service.settings)
      assert.equal(sandbox.sandboxId, 'abcdefghijklmnopqrst')
    }
    assert.equal(service.calls.at(-1)?.path, '/sandbox-api/v1/delete-sandbox')
  }
})

test('other failures of the deletion are thrown, and delete reports a sandbox that does not exist', async () => {
  await using service = await startService({ script: [created, failure(403, [{ code: 'ERR.1003' }])] })
  const sandbox = await createSandbox(service.settings)
  await assert.rejects(async () => sandbox[Symbol.asyncDispose](), RequestRejected)
  await using other = await startService({ script: [created, failure(404, [{ code: 'ERR.2027' }])] })
  await assert.rejects((await createSandbox(other.settings)).delete(), RequestRejected)
})
