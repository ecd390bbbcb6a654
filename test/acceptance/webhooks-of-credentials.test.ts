/** Webhooks outlive the credential that created them, until they are disabled with it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

test('a disabled credential names the webhooks whose address it set, and ends them on request', async () => {
  const { createCredential, disableCredential, listFirms } = service.operations.operations
  const firmId =
    (await listFirms({})).data.firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
  const { data } = await createCredential({ firmId, clientId: 'stolen', name: 'Stolen' })
  const stolen = service.client('stolen', data.clientSecret)
  const { data: good } = await createCredential({ firmId, clientId: 'owner', name: 'Owner' })
  const owner = service.client('owner', good.clientSecret)
  const hook = (port: number) => ({ url: `http://127.0.0.1:${port}/hook` })
  const { webhookId: own } = (await owner.createWebhook(hook(9_101))).data
  const { webhookId: moved } = (await owner.createWebhook(hook(9_102))).data
  const { webhookId: made } = (await stolen.createWebhook(hook(9_103))).data
  await stolen.updateWebhook({ webhookId: own, description: 'Another text', ...hook(9_101) })
  await stolen.updateWebhook({ webhookId: moved, ...hook(9_104) })
  const seen = async () => {
    const { webhooks } = (await owner.listWebhooks({})).data
    return [own, moved, made].map((id) => {
      const found = webhooks.find(({ webhookId }) => webhookId === id)
      return [found?.addressSetBy, found?.disabled]
    })
  }
  const before = (await disableCredential({ clientId: 'stolen' })).data.webhooks
  assert.deepEqual(
    before.map(({ webhookId, disabled }) => [webhookId, disabled]),
    [moved, made].map((id) => [id, false]),
  )
  assert.deepEqual(await seen(), [
    ['owner', false],
    ['stolen', false],
    ['stolen', false],
  ])
  const ended = (await disableCredential({ clientId: 'stolen', endWebhooks: true })).data.webhooks
  assert.deepEqual(
    ended.map(({ disabled }) => disabled),
    [true, true],
  )
  assert.deepEqual(await seen(), [
    ['owner', false],
    ['stolen', true],
    ['stolen', true],
  ])
  assert.deepEqual(
    (
      await refusalOf(disableCredential({ clientId: 'stolen', disabled: false, endWebhooks: true }))
    ).rejections.map(({ code, field }) => `${code} ${field}`),
    ['ERR.1015 endWebhooks'],
  )
  for (const webhookId of [own, moved, made]) await owner.deleteWebhook({ webhookId })
})

test('a new secret and new keys name the webhooks that outlive the old ones', async () => {
  const { createCredential, listFirms, replaceClientKeys, rotateCredential } = service.operations.operations
  const firmId =
    (await listFirms({})).data.firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
  const { data } = await createCredential({ firmId, clientId: 'leaked', name: 'Leaked' })
  const leaked = service.client('leaked', data.clientSecret)
  const { webhookId, url } = (await leaked.createWebhook({ url: 'http://127.0.0.1:9105/hook' })).data
  const outliving = [{ webhookId, url, disabled: false }]
  const rotated = await rotateCredential({ clientId: 'leaked', overlapHours: 0 })
  assert.deepEqual(rotated.data.webhooks, outliving)
  const replaced = await replaceClientKeys({ clientId: 'leaked', keys: [], endTokens: true })
  assert.deepEqual(replaced.data.webhooks, outliving)
})
