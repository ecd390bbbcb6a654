import assert from 'node:assert/strict'
import test from 'node:test'
import { operations, pathOf } from '@clearing/protocol'
import { startService, success, traceId } from '../test/scripted-service.ts'
import { audiencesOf, createClient, methodName, methodOf } from './client.ts'

const offline = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' }

const bodies = {
  json: {},
  multipart: { file: { name: 'a.pdf', content: new Uint8Array(1) } },
  lines: { lines: { csv: 'a\n' } },
}

test('every operation is a method of the group of its path', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  const expected: string[] = []
  for (const [name, operation] of Object.entries(operations)) {
    for (const audience of audiencesOf(operation)) {
      const method = methodOf(client, name as keyof typeof operations, audience)
      assert.ok(method, name)
      const answer = await method(bodies[operation.body])
      await ('body' in answer ? answer.body.cancel() : undefined)
      expected.push(pathOf(name, audience))
    }
  }
  assert.deepEqual(
    service.calls.map((call) => call.path),
    expected,
  )
  assert.equal(typeof client.getAccount, 'function')
  assert.equal(typeof client.operations.createFirm, 'function')
  assert.equal(typeof client.operations.decideOnboarding, 'function')
  assert.equal(typeof client.sandbox.decideOnboarding, 'function')
  assert.equal(methodOf(client, 'get-account', 'sandbox'), undefined)
})

test('the client and its groups have no member named then, so they are not awaited as promises', () => {
  const client = createClient(offline)
  assert.equal('then' in client || 'then' in client.operations || 'then' in client.sandbox, false)
})

test('the members file and lines of the methods are in no request', () => {
  for (const [name, operation] of Object.entries(operations)) {
    const members = Object.keys(operation.request.properties)
    assert.equal(operation.body === 'multipart' && members.includes('file'), false, name)
    assert.equal(operation.body === 'lines' && members.includes('lines'), false, name)
  }
})

test('the name of a method is that of its operation in camel case', () => {
  assert.equal(methodName('get-document-details'), 'getDocumentDetails')
})

test('a call sends the request as JSON and returns data, message and trace', async () => {
  const data = { accountNumber: '30100009', accountStatus: 'Reserved' }
  await using service = await startService({
    script: [success(data, { 'idempotent-replayed': 'true', sunset: 'Thu, 01 Jan 2032 00:00:00 GMT' })],
  })
  const client = createClient({ ...service.settings, baseUrl: `${service.baseUrl}/` })
  const request = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const answer = await client.accountNumber(request, { headers: { 'x-note': 'n' } })
  assert.deepEqual(answer.data, data)
  assert.equal(answer.message, 'Request successful.')
  assert.equal(answer.traceId, traceId)
  assert.equal(answer.replayed, true)
  assert.equal(answer.headers.get('sunset'), 'Thu, 01 Jan 2032 00:00:00 GMT')
  const [call] = service.calls
  assert.deepEqual(JSON.parse(call?.text ?? ''), request)
  assert.equal(call?.headers.authorization, 'Bearer token-1')
  assert.equal(call?.headers['content-type'], 'application/json')
  assert.equal(call?.headers.accept, 'application/json')
  assert.equal(call?.headers['x-note'], 'n')
  assert.equal(call?.headers['idempotency-key'], answer.idempotencyKey)
  assert.match(call?.headers.traceparent as string, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
})

test('a read has no idempotency key, and a write has the given key or a new one', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  const request = { entityNumber: 301, repCode: 'JC01', registrationType: 'Individual' }
  assert.equal((await client.getAccount({ accountNumber: '30100001' })).idempotencyKey, undefined)
  await client.accountNumber(request)
  await client.accountNumber(request)
  await client.accountNumber(request, { idempotencyKey: 'mine' })
  const [read, first, second, third] = service.calls.map((call) => call.headers['idempotency-key'])
  assert.equal(read, undefined)
  assert.match(String(first), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(String(second), /^[0-9a-f-]{36}$/)
  assert.notEqual(first, second)
  assert.equal(third, 'mine')
})

test('unknown members and values are returned unchanged', async () => {
  await using service = await startService({
    script: [success({ currentState: 'OnTheMoon', novelty: { a: 1 } })],
  })
  const { data } = await createClient(service.settings).onboardingResult({ accountNumber: '30100001' })
  assert.deepEqual(data, { currentState: 'OnTheMoon', novelty: { a: 1 } })
})

test('decimals are returned as the exact text on request, and integers stay numbers', async () => {
  const json =
    '{"statusCode":200,"message":"","errors":[],"traceId":"t","hasErrors":false,"data":{"totalCash":12345678901234567.89,' +
    '"portfolios":[{"price":1.10,"currencyCode":840,"unrealizedGainLoss":{"cost":-0.0000000001,"acctType":1}}]}}'
  await using service = await startService({ script: [{ text: json }] })
  const exact = createClient({ ...service.settings, decimals: 'string' })
  const { data } = await exact.positionSummary({ accountNumber: '30100001' })
  assert.equal(data.totalCash, '12345678901234567.89')
  assert.equal(data.portfolios[0]?.price, '1.10')
  assert.equal(data.portfolios[0]?.currencyCode, 840)
  assert.equal(data.portfolios[0]?.unrealizedGainLoss.cost, '-0.0000000001')
  assert.equal(data.portfolios[0]?.unrealizedGainLoss.acctType, 1)
  const plain = await createClient(service.settings).positionSummary({ accountNumber: '30100001' })
  assert.equal(plain.data.portfolios[0]?.price, 1.1)
})

test('decimals that can be null are exact text or null', async () => {
  const json =
    '{"statusCode":200,"message":"","errors":[],"traceId":"t","hasErrors":false,"data":{"next":"","interest":[' +
    '{"debit":12345678901234567.89,"debitBefore":12345678901234567.88,"nights":[]},{"debit":1.10,"debitBefore":null,"nights":[]}]}}'
  await using service = await startService({ script: [{ text: json }] })
  const exact = createClient({ ...service.settings, decimals: 'string' })
  const { data } = await exact.listMarginInterest({ accountNumber: '30100001' })
  const before: (string | null)[] = data.interest.map(({ debitBefore }) => debitBefore)
  assert.deepEqual(before, ['12345678901234567.88', null])
})

test('the given fetch is the only one that is used', async () => {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input))
    const body = {
      access_token: 't',
      data: { a: 1 },
      errors: [],
      hasErrors: false,
      traceId: 't',
      message: '',
    }
    return Response.json(body)
  }
  const client = createClient({ ...offline, baseUrl: 'https://clearing.example/prefix', fetch })
  await client.codeLists()
  assert.deepEqual(urls, [
    'https://clearing.example/prefix/identity/connect/token',
    'https://clearing.example/prefix/account-api/v1/code-lists',
  ])
})

test('only the first attempt has the header for a sandbox fault', async () => {
  await using service = await startService({ script: [{ status: 503, json: {} }, success({})] })
  await createClient(service.settings).codeLists({}, { sandboxFault: '503' })
  assert.deepEqual(
    service.calls.map((call) => call.headers['x-sandbox-fault']),
    ['503', undefined],
  )
})

test('an invalid base address is reported at once', () => {
  assert.throws(() => createClient({ ...offline, baseUrl: 'clearing' }), /baseUrl must begin with http/)
})
