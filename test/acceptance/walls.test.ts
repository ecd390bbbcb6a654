/** Access control: scopes, masked numbers, other firms, credentials. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  codeLists,
  mayCall,
  type OperationDefinition,
  type OperationName,
  operations,
  pathOf,
} from '@clearing/protocol'
import { TokenRefused } from '@clearing/sdk'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf, fullApplication } from './applications.ts'
import { open, openAndFollow, read, readShape1, refusalOf, until } from './calling.ts'
import { signIn } from './person.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const table = Object.entries(operations) as [OperationName, OperationDefinition][]
const firmScopes = codeLists.scope.filter(({ audience }) => audience === 'firm').map(({ value }) => value)

const contentTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=x',
  lines: 'application/x-ndjson',
} as const

/** Every path of every operation, with its required scope. The sandbox's controls are open to operations too. */
const addresses = table.flatMap(([name, { audience, scope, inSandbox, aliases = [], body }]) => [
  ...[pathOf(name, audience), ...aliases].map((path) => ({
    path,
    scope,
    body,
    open: audience === 'sandbox' ? [scope, 'operations'] : [scope],
  })),
  ...(inSandbox === undefined
    ? []
    : [{ path: pathOf(name, 'sandbox'), scope: inSandbox, body, open: [inSandbox, 'operations'] }]),
])

describe('scopes', () => {
  const granted = new Map<string, string>()
  before(async () => {
    for (const scope of firmScopes) granted.set(scope, await service.token('alpha', undefined, scope))
    granted.set('operations', await service.token('operations'))
  })
  const call = async (path: string, body: keyof typeof contentTypes, token: string) => {
    for (;;) {
      const answer = await service.send(path, {
        headers: { authorization: `Bearer ${token}`, 'content-type': contentTypes[body] },
        // Closing a day in the sandbox moves its clock and ends the tokens of this test.
        body: body !== 'json' ? '' : path.endsWith('/close-business-day') ? '{"date":"none"}' : '{}',
      })
      if (answer.status !== 429) return answer
      await pause(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }

  for (const { path, scope, body, open } of addresses) {
    test(`${path} is closed to every token without ${scope}, and open to a token with it`, async () => {
      for (const [other, token] of granted) {
        const answer = await call(path, body, token)
        if (open.includes(other)) assert.notEqual(answer.status, 403, answer.text)
        else {
          assert.equal(answer.status, 403)
          assert.deepEqual(
            answer.json.errors.map(({ code }: { code: string }) => code),
            ['ERR.3004'],
          )
          assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/)
        }
      }
    })
  }

  test('cannot be requested beyond those of a credential', async () => {
    const client = service.client('alpha', undefined, ['operations'])
    await assert.rejects(
      client.codeLists({}),
      (error) => error instanceof TokenRefused && error.error === 'invalid_scope',
    )
  })
})

describe('personal numbers', () => {
  let accountNumber: string
  before(async () => {
    accountNumber = await openAndFollow(service.alpha, fullApplication())
  })
  const accesses = async (clientId: string) =>
    Number(
      (
        await service.query(
          'select count(*) from clearing.access_record where client_id = $1 and account_number = $2',
          [clientId, accountNumber],
        )
      ).rows[0].count,
    )

  test('are masked for a credential without pii:read, and complete for a credential with it', async () => {
    const { data: firms } = await service.operations.operations.listFirms({})
    const alpha = firms.firms.find(({ name }) => name === 'Alpha Securities')
    const { data: issued } = await service.operations.operations.createCredential({
      firmId: alpha?.firmId ?? '',
      clientId: 'alpha-reports',
      name: 'Reports',
      scopes: ['accounts:read', 'accounts:write'],
    })
    const reports = service.client('alpha-reports', issued.clientSecret)
    const full = await read(service.alpha, accountNumber)
    const masked = await read(reports, accountNumber)
    const numbers = JSON.stringify(full).match(/"(?:taxIdNumber|taxId|idNumber)":"[^"]+"/g) ?? []
    assert.ok(numbers.length >= 8)
    const text = JSON.stringify(masked)
    for (const number of numbers) {
      const value = number.split('"')[3] ?? ''
      assert.ok(!text.includes(value))
      assert.ok(text.includes(`${'*'.repeat(value.length - 4)}${value.slice(-4)}`))
    }
    const masked1 = JSON.stringify(await readShape1(reports, accountNumber))
    assert.match(masked1, /"taxIdNumber":"\*{5}\d{4}"/)
    for (const number of numbers) assert.ok(!masked1.includes(number.split('"')[3] ?? ''))

    const application = applicationFor('Individual')
    const opened = await open(reports, application)
    assert.match(opened.primaryOwner.taxIdNumber ?? '', /^\*{5}\d{4}$/)
    const { data: changed } = await reports.updateAccount({
      accountNumber,
      primaryOwner: { jobTitle: 'Clerk' },
    })
    assert.match(changed.primaryOwner.taxIdNumber ?? '', /^\*{5}\d{4}$/)
    assert.equal(await accesses('alpha-reports'), 0)
  })

  test('are recorded when read: reader, account, time', async () => {
    const before = await accesses('alpha')
    await read(service.alpha, accountNumber)
    await readShape1(service.alpha, accountNumber)
    await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Pilot' } })
    assert.equal(await accesses('alpha'), before + 3)
  })

  test('are recorded for each of several readings, and each response is the current account', async () => {
    const jobTitle = async () => (await read(service.alpha, accountNumber)).primaryOwner.jobTitle
    const before = await accesses('alpha')
    for (const title of ['SAILOR', 'BAKER', 'TAILOR']) {
      await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: title } })
      assert.deepEqual([await jobTitle(), await jobTitle(), await jobTitle()], [title, title, title])
    }
    assert.equal(await accesses('alpha'), before + 12)
    await service.query("update clearing.account set status = 'Restricted' where account_number = $1", [
      accountNumber,
    ])
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Restricted')
    await service.query("update clearing.account set status = 'Open' where account_number = $1", [
      accountNumber,
    ])
  })
})

/** The parts in which two responses can differ. The next cursor of a list belongs to the log. */
function withoutTrace({ status, json, headers }: RawAnswer) {
  const { traceId, ...envelope } = json
  if (envelope.data?.nextCursor !== undefined) delete envelope.data.nextCursor
  assert.match(traceId, /^00-/)
  const names = [...headers.keys()].filter((name) => name !== 'ratelimit').sort()
  return { status, envelope, headers: names }
}

describe('an account of another firm', () => {
  const others: Record<string, string> = {}
  before(async () => {
    others.open = await openAndFollow(service.alpha, applicationFor('Individual'))
    others.pending = (await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))).accountNumber
    others.waiting = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
    const reserve = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
    others.reserved = (await service.alpha.accountNumber(reserve)).data.accountNumber
    const { data } = await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      accountNumber: others.open,
      file: { name: 'bill.pdf', content: samplePdf() },
    })
    documentId = data.documentId
  })
  let documentId: string

  const requests: Partial<Record<OperationName, object>> = {
    'get-account': {},
    'update-account': { primaryOwner: { jobTitle: 'Thief' } },
    'withdraw-update': { changeId: '019ab3c0-2e47-7b19-9d03-a1f86c24b5e0' },
    'withdraw-application': {},
    'onboarding-result': {},
    'trade-activity': { dateFrom: '2026-01-01', dateTo: '2026-12-31' },
    'tax-report': { year: 2026 },
    'form-8949': { year: 2026 },
    'get-document-details': {},
    'answer-follow-up': { followUpId: 'FU-1', text: 'It is his name.' },
    'generate-document': { reference: 'W9' },
    'get-statement': { kind: 'Statement', periodTo: '2026-01-30' },
    'make-statement': { kind: 'Statement', periodTo: '2026-01-30' },
    elect: { corporateActionId: 'NONE', elections: [] },
  }
  const askAsBeta = async (path: string, request: object, key = '') =>
    service.send(path, {
      headers: {
        authorization: `Bearer ${await service.token('beta')}`,
        'content-type': 'application/json',
        ...(key === '' ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(request),
    })

  const requiredOf = (request: OperationDefinition['request']) =>
    (request as { required?: string[] }).required ?? []
  /** Operations that need an account, and those whose reading can be limited to one. */
  const accountOperations = table.filter(
    ([name, { audience, inSandbox, body, request, writes }]) =>
      (audience === 'firm' || inSandbox !== undefined) &&
      body === 'json' &&
      name !== 'new-account' &&
      'accountNumber' in ((request as { properties?: object }).properties ?? {}) &&
      (!writes || requiredOf(request).includes('accountNumber')),
  )
  /** The required fields of an operation but the account number. */
  const filled = (name: OperationName) => {
    const fill: Record<string, unknown> = {
      documentId,
      decision: 'Approved',
      dateFrom: '2026-01-01',
      dateTo: '2026-12-31',
      requests: [{ code: 'AddressDocument', reason: 'A bill with the street.' }],
    }
    const required = requiredOf(operations[name].request).filter((field) => field !== 'accountNumber')
    return { ...Object.fromEntries(required.map((field) => [field, fill[field]])), ...requests[name] }
  }
  for (const [name, { audience, request }] of accountOperations) {
    test(`and a missing one get the same response from ${name}`, async () => {
      const required = requiredOf(request)
      const path = pathOf(name, audience === 'firm' ? 'firm' : 'sandbox')
      const ask = (accountNumber: string) => askAsBeta(path, { accountNumber, ...filled(name) })
      const unknown = withoutTrace(await ask('ZZZZZZZZ'))
      const codes = unknown.envelope.errors.map(({ code }: { code: string }) => code)
      if (required.includes('accountNumber')) assert.deepEqual([unknown.status, ...codes], [404, 'ERR.2003'])
      else assert.ok(unknown.status < 500)
      for (const [state, accountNumber] of Object.entries(others)) {
        assert.deepEqual(withoutTrace(await ask(accountNumber)), unknown, state)
      }
    })
  }

  test('with entityNumber too, and with the entity number of the other firm', async () => {
    const path = pathOf('get-account', 'firm')
    const ask = async (accountNumber: string, entityNumber: string) =>
      withoutTrace(await askAsBeta(path, { accountNumber, entityNumber }))
    assert.deepEqual(await ask(others.open ?? '', '302'), await ask('ZZZZZZZZ', '302'))
    const foreign = await ask(others.open ?? '', '301')
    assert.deepEqual(foreign, await ask('ZZZZZZZZ', '301'))
    assert.equal(foreign.status, 403)
    assert.equal((await ask(others.open ?? '', '999')).status, 400)
  })

  test('accepts no document, with the same words', async () => {
    const add = async (accountNumber: string) => {
      const form = new FormData()
      form.set('documentTypeName', 'Identity Documents')
      form.set('reference', 'UTIL')
      form.set('accountNumber', accountNumber)
      form.set('file', new Blob([new Uint8Array(samplePdf())]), 'bill.pdf')
      const headers = { authorization: `Bearer ${await service.token('beta')}` }
      return withoutTrace(await service.send(pathOf('add-document', 'firm'), { headers, body: form }))
    }
    const unknown = await add('ZZZZZZZZ')
    assert.equal(unknown.status, 404)
    for (const accountNumber of Object.values(others)) assert.deepEqual(await add(accountNumber), unknown)
  })

  test('that is missing is described to the staff without a firm of their own', async () => {
    const principal = await signIn(service, 'principal@example.com')
    for (const [name, { request }] of accountOperations) {
      if (!requiredOf(request).includes('accountNumber') || !mayCall('principal', name)) continue
      const { status, json } = await principal.call(name, { ...filled(name), accountNumber: 'ZZZZZZZZ' })
      const reasons = json.errors.map(({ reason }: { reason: string }) => reason)
      assert.deepEqual([status, ...reasons], [404, 'There is no account with this number.'], name)
    }
  })

  test('is not visible in responses to the own firm about the same person', async () => {
    const application = applicationFor('Individual')
    const accountNumber = await openAndFollow(service.alpha, application)
    const ofBeta = { ...application, entityNumber: '302', main: { repCode: 'BB01' } }
    const betas = await openAndFollow(service.beta, ofBeta)
    const [one, two] = await Promise.all([
      service.alpha.onboardingResult({ accountNumber }),
      service.beta.onboardingResult({ accountNumber: betas }),
    ])
    assert.deepEqual(two.data.state, one.data.state)
    assert.deepEqual(
      two.data.followUps.map(({ dueBy: _, ...asked }) => asked),
      one.data.followUps.map(({ dueBy: _, ...asked }) => asked),
    )
  })
})

describe('a credential', () => {
  let firmId: string
  test('and its firm are created by operations, open accounts, and see only theirs', async () => {
    const { data: firm } = await service.operations.operations.createFirm({
      name: 'Delta Advisers',
      entityNumbers: ['404'],
      repCodes: ['DA01'],
    })
    firmId = firm.firmId
    const { data: issued } = await service.operations.operations.createCredential({ firmId, name: 'First' })
    const delta = service.client(issued.clientId, issued.clientSecret)
    const application = applicationFor('Individual', { entityNumber: '404', main: { repCode: 'da01' } })
    const accountNumber = await openAndFollow(delta, application)
    assert.equal((await read(delta, accountNumber)).subNumber, '404')
    assert.equal((await refusalOf(read(service.alpha, accountNumber))).status, 404)
    const listed = (await service.operations.operations.listFirms({})).data.firms.find(
      (one) => one.firmId === firmId,
    )
    assert.deepEqual(
      listed?.credentials.map(({ clientId }) => clientId),
      [issued.clientId],
    )
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(issued.clientSecret))
  })

  test('is rotated without an outage: the old and the new secret work, then only the new one', async () => {
    const { createCredential, rotateCredential } = service.operations.operations
    const { data: first } = await createCredential({ firmId, clientId: 'rotating', name: 'Rotating' })
    const { data: second } = await rotateCredential({ clientId: 'rotating' })
    assert.notEqual(second.clientSecret, first.clientSecret)
    for (const secret of [first.clientSecret, second.clientSecret])
      await service.client('rotating', secret).codeLists({ name: 'scope' })
    const old = service.client('rotating', first.clientSecret)
    await old.codeLists({ name: 'scope' })
    const { data: third } = await rotateCredential({ clientId: 'rotating', overlapHours: 0 })
    await assert.rejects(
      until(
        () => old.codeLists({ name: 'scope' }),
        () => false,
      ),
      TokenRefused,
    )
    await service.client('rotating', third.clientSecret).codeLists({ name: 'scope' })
  })

  test('that is disabled stops working within five seconds, and works again when enabled', async () => {
    const { createCredential, disableCredential } = service.operations.operations
    const { data } = await createCredential({ firmId, clientId: 'switched', name: 'Switched' })
    const token = await service.token('switched', data.clientSecret)
    const ask = () =>
      service.send(pathOf('code-lists', 'firm'), {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"name":"scope"}',
      })
    assert.equal((await ask()).status, 200)
    await disableCredential({ clientId: 'switched' })
    const refused = await until(ask, ({ status }) => status === 401)
    assert.deepEqual(
      refused.json.errors.map(({ code }: { code: string }) => code),
      ['ERR.3002'],
    )
    await disableCredential({ clientId: 'switched', disabled: false })
    await service.client('switched', data.clientSecret).codeLists({ name: 'scope' })
  })

  test('of a firm is refused every operation of the clearing firm', async () => {
    for (const call of [
      service.alpha.operations.listFirms({}),
      service.alpha.operations.verifyAudit({}),
      service.alpha.operations.createFirm({ name: 'X', entityNumbers: ['999'], repCodes: ['XX99'] }),
    ]) {
      assert.equal((await refusalOf(call)).status, 403)
    }
  })
})

describe('the database', () => {
  test('shows a role of the service no row of a firm until a firm is set', async () => {
    const { rows } = await service.query(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'clearing' and c.relkind in ('r', 'p')
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'firm_id' and not a.attisdropped)
         and has_table_privilege('clearing_app', c.oid, 'select')`,
    )
    assert.ok(rows.length >= 10)
    for (const { name, walled } of rows) {
      assert.ok(walled, `${name} has no forced row-level security`)
      const counted = await service.query(
        `begin; set local role clearing_app; select count(*) from clearing.${name}; rollback`,
      )
      const [, , answer] = counted as unknown as { rows: { count: string }[] }[]
      assert.equal(Number(answer?.rows[0]?.count), 0, name)
    }
  })
})
test('every page and response restricts browsers to HTTPS and to its content type', async () => {
  const paths = [
    ...[
      '/',
      '/console/',
      '/console/mark.svg',
      '/docs',
      '/docs/operating',
      '/docs/assets/site.css',
      '/postman.json',
    ],
    ...['/openapi.json', '/health/live', '/health/ready', '/metrics', '/audit/jwks', '/no-such-page'],
    ...['/identity/jwks', '/.well-known/oauth-authorization-server', '/account-api/v1/get-account'],
  ]
  for (const path of paths) {
    const { headers } = await fetch(service.address + path, { redirect: 'manual' })
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
  }
})

test('HEAD of every public page has the status and the type of GET, and no body', async () => {
  const contract = (await (await fetch(`${service.address}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { security?: unknown[] } }>
  }
  const declared = Object.entries(contract.paths).flatMap(([path, { get }]) =>
    get?.security?.length === 0 ? [path] : [],
  )
  assert.ok(declared.length >= 6)
  const paths = [
    ...['/docs', '/docs/', '/docs/operations', '/docs/operating', '/status'],
    ...['/docs/assets/site.css', '/docs/assets/search.json', '/console', '/console/', '/console/accounts'],
    ...[
      '/console/mark.svg',
      '/openapi.json',
      '/openapi-3.0.json',
      '/asyncapi.json',
      '/arazzo.json',
      '/postman.json',
      '/llms.txt',
    ],
    ...['/metrics', '/.well-known/openid-configuration', ...declared],
  ]
  for (const path of paths) {
    const [got, headed] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(service.address + path, { method, redirect: 'manual' })),
    )
    assert.ok(got?.ok || got?.status === 308, path)
    assert.equal(headed?.status, got.status, path)
    assert.equal(headed.headers.get('content-type'), got.headers.get('content-type'), path)
    assert.equal(await headed.text(), '')
  }
})

test('a page that is only read is called with GET or HEAD', async () => {
  const pages = [
    '/docs',
    '/docs/operating',
    '/status',
    '/console/',
    '/console/accounts',
    '/console/assets/none.js',
  ]
  for (const path of [
    ...pages,
    '/openapi.json',
    '/health/ready',
    '/metrics',
    '/audit/jwks',
    '/identity/jwks',
  ]) {
    for (const method of ['POST', 'OPTIONS', 'QUERY']) {
      const { status, headers, json } = await service.send(path, { method })
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`)
      assert.deepEqual(
        [json.errors[0].code, json.errors[0].reason],
        ['ERR.2006', 'This path is called with GET or HEAD.'],
      )
    }
  }
  const queried = await service.send('/identity/connect/token', { method: 'QUERY' })
  assert.deepEqual([queried.status, queried.headers.get('allow')], [405, 'POST'])
})

test('the stream of events is opened only with GET', async () => {
  for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    const { status, headers } = await fetch(`${service.address}/account-api/v1/events`, { method })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET'], method)
  }
})
