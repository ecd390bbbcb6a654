import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import { send, sendRaw, startHttp, type TestHttp } from '../test-service.ts'

let http: TestHttp
let called = 0

before(async () => {
  const echo = async (request: unknown) => {
    called++
    return request
  }
  http = await startHttp({ echo, open: echo, decide: echo, 'get-document': echo })
})
after(() => http[Symbol.asyncDispose]())

function path(operation: string) {
  return `${http.base}/account-api/v1/${operation}`
}
function codes(answer: { json: { errors: { code: string }[] } }) {
  return answer.json.errors.map((error) => error.code)
}
const right = '{"name":"Ada"}'
const traceIdForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/

test('a valid request gets its canonical values in the envelope', async () => {
  const answer = await http.send('echo', '{"NAME":" ada  moreno "}')
  assert.equal(answer.status, 200)
  const { traceId, ...envelope } = answer.json
  assert.deepEqual(envelope, {
    statusCode: 200,
    message: 'Request successful.',
    data: { name: 'ADA MORENO' },
    errors: [],
    hasErrors: false,
  })
  assert.match(traceId, traceIdForm)
  assert.equal(answer.headers.get('traceparent'), traceId)
})

test('a request with its whole address in the first line is the same request', async () => {
  const paths: (string | undefined)[] = []
  await using other = await startHttp(
    { echo: async (request: unknown) => request },
    {
      authenticate: (_token, { presented }) => {
        paths.push(presented?.path)
        return { kind: 'invalid' }
      },
    },
  )
  for (const target of ['http://x', 'HTTPS://x:8443', '']) {
    const answer = await sendRaw(
      other.port,
      `POST ${target}/account-api/v1/echo?a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 401 /)
  }
  assert.deepEqual(paths, Array(3).fill('/account-api/v1/echo'))
})

test('a firm that moves to another cell gets the response to retry later', async () => {
  const before = called
  for (const operation of ['echo', 'open']) {
    const answer = await http.send(operation, right, { authorization: 'Bearer moving' })
    assert.deepEqual([answer.status, codes(answer)], [503, ['ERR.5003']])
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  assert.equal(called, before)
})

test('a response forbids caching and content sniffing, and does not name the server software', async () => {
  const { headers } = await http.send('echo', right)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.match(headers.get('strict-transport-security') ?? '', /max-age=31536000/)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'set-cookie']) {
    assert.equal(headers.get(name), null)
  }
})

test('a valid traceparent is continued with a new span, and an invalid one is ignored', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const { json } = await http.send('echo', right, { traceparent: `00-${trace}-b7ad6b7169203331-00` })
  assert.match(json.traceId, new RegExp(`^00-${trace}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`))
  const other = await http.send('echo', right, { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-00` })
  assert.match(other.json.traceId, traceIdForm)
  assert.doesNotMatch(other.json.traceId, /0{32}/)
})

interface Case {
  readonly sentence: string
  readonly headers: Record<string, string>
  readonly query?: string
  readonly status: number
  readonly code: string
  readonly challenge: RegExp
  readonly reason?: RegExp
}

const cases: readonly Case[] = [
  {
    sentence: 'the challenge for a missing token names no error',
    headers: {},
    status: 401,
    code: 'ERR.3001',
    challenge: /^Bearer realm="[a-z]+"$/,
  },
  {
    sentence: 'another scheme counts as a missing token',
    headers: { authorization: 'Basic YTpi' },
    status: 401,
    code: 'ERR.3001',
    challenge: /^Bearer realm="[a-z]+"$/,
  },
  {
    sentence: 'a token without its scheme is answered with the form of the header',
    headers: { authorization: 'eyJhbGciOi.e30.c2ln' },
    status: 401,
    code: 'ERR.3001',
    challenge: /^Bearer realm="[a-z]+"$/,
    reason: /Send it as Authorization: Bearer, a space and the token\.$/,
  },
  {
    sentence: 'a scheme that is given twice is named',
    headers: { authorization: 'Bearer Bearer good' },
    status: 401,
    code: 'ERR.3002',
    challenge: /error="invalid_token"/,
    reason: /the word Bearer twice/,
  },
  {
    sentence: 'an unknown token is invalid',
    headers: { authorization: 'Bearer nonsense' },
    status: 401,
    code: 'ERR.3002',
    challenge: /error="invalid_token"/,
  },
  {
    sentence: 'a token with other characters is invalid',
    headers: { authorization: 'Bearer a b' },
    status: 401,
    code: 'ERR.3002',
    challenge: /error="invalid_token"/,
  },
  {
    sentence: 'an empty token is invalid',
    headers: { authorization: 'Bearer' },
    status: 401,
    code: 'ERR.3002',
    challenge: /error="invalid_token"/,
  },
  {
    sentence: 'an expired token gets its own error',
    headers: { authorization: 'Bearer old' },
    status: 401,
    code: 'ERR.3003',
    challenge: /error="invalid_token", error_description="The access token has expired\."/,
  },
  {
    sentence: 'a token in the URL is refused, even beside a valid header',
    headers: { authorization: 'Bearer good' },
    query: '?x=1&access_token=good',
    status: 401,
    code: 'ERR.3001',
    challenge: /^Bearer realm="[a-z]+"$/,
  },
  {
    sentence: 'the challenge names the missing scope',
    headers: { authorization: 'bearer reader' },
    status: 403,
    code: 'ERR.3004',
    challenge: /error="insufficient_scope".*scope="accounts:write"/,
  },
]

for (const { sentence, headers, query = '', status, code, challenge, reason } of cases) {
  test(sentence, async () => {
    const answer = await send(`${path('open')}${query}`, {
      method: 'POST',
      body: '{ not even json',
      headers: { 'content-type': 'application/json', ...headers },
    })
    assert.equal(answer.status, status)
    assert.deepEqual(codes(answer), [code])
    assert.match(answer.headers.get('www-authenticate') ?? '', challenge)
    if (reason !== undefined) assert.match(`${answer.json.errors?.[0]?.reason}`, reason)
    assert.equal(answer.json.statusCode, status)
    assert.equal(answer.json.hasErrors, true)
    assert.ok(!('data' in answer.json))
    assert.match(answer.json.traceId, traceIdForm)
  })
}

test('two Authorization headers are a bad request', async () => {
  const answer = await sendRaw(
    http.port,
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nAuthorization: Bearer good\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /www-authenticate: .*error="invalid_request"/i)
  assert.match(answer, /"code":"ERR\.2004"/)
})

test('the letter case of the scheme does not matter', async () => {
  const { status } = await http.send('echo', right, { authorization: 'BEARER good' })
  assert.equal(status, 200)
})

test('a request without a token gets its response before its body of 11 MB has been sent', async () => {
  const head = `POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${11 * 1_048_576}\r\n\r\n{`
  const answer = await sendRaw(http.port, head, '"hasErrors":true')
  assert.match(answer, /^HTTP\/1\.1 401 /)
})

test('100 Continue is sent only after the token and its scope are checked', async () => {
  const head = (token: string) =>
    `POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${right.length}\r\nExpect: 100-continue\r\n\r\n`
  assert.match(await sendRaw(http.port, head('good'), '100 Continue'), /^HTTP\/1\.1 100 Continue/)
  const refused = await sendRaw(http.port, head('bad'))
  assert.match(refused, /^HTTP\/1\.1 401 /)
  assert.match(refused, /connection: close/i)
})

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'QUERY']) {
  test(`${method} is not a method of an operation`, async () => {
    const response = await fetch(path('echo'), { method, headers: { authorization: 'Bearer good' } })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'POST')
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    const text = await response.text()
    if (method === 'HEAD') assert.equal(text, '')
    else assert.equal(JSON.parse(text).errors[0].code, 'ERR.2006')
  })
}

for (const address of [
  '/',
  '/account-api/v1/',
  '/account-api/v1/nonsense',
  '/ACCOUNT-API/v1/echo',
  '/account-api/v1/echo/',
  '/account-api/v1/%00',
  '//account-api/v1/echo',
  '/sandbox-api/v1/decide',
]) {
  test(`the path ${address} does not exist`, async () => {
    for (const method of ['POST', 'GET']) {
      const answer = await send(`${http.base}${address}`, {
        method,
        headers: { authorization: 'Bearer good' },
      })
      assert.equal(answer.status, 404)
      assert.deepEqual(codes(answer), ['ERR.2013'])
    }
  })
}

test('a URL that cannot be decoded is a bad request', async () => {
  const answer = await sendRaw(
    http.port,
    'POST /account-api/v1/%zz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /"code":"ERR\.2004"/)
})

test('an Accept header that excludes JSON is refused, except for files', async () => {
  const answer = await http.send('echo', right, { accept: 'text/html' })
  assert.equal(answer.status, 406)
  assert.deepEqual(codes(answer), ['ERR.2014'])
  assert.equal((await http.send('get-document', '{}', { accept: 'application/pdf' })).status, 200)
})

for (const contentType of [
  'text/plain',
  'application/json garbage',
  'application/json; charset=utf-16',
  'application/json; a',
  'application/json\t;x',
]) {
  test(`the Content-Type ${JSON.stringify(contentType)} is not supported`, async () => {
    const answer = await http.send('echo', right, { 'content-type': contentType })
    assert.equal(answer.status, 415)
    assert.deepEqual(codes(answer), ['ERR.2005'])
  })
}

test('a missing or repeated Content-Type and an encoded body are not supported', async () => {
  const head =
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nConnection: close\r\n'
  const tail = `Content-Length: ${right.length}\r\n\r\n${right}`
  const json = 'Content-Type: application/json\r\n'
  assert.match(await sendRaw(http.port, head + tail), /^HTTP\/1\.1 415 /)
  assert.match(await sendRaw(http.port, head + json + json + tail), /^HTTP\/1\.1 415 /)
  assert.match(
    await sendRaw(http.port, `${head}${json}Content-Encoding: gzip\r\n${tail}`),
    /^HTTP\/1\.1 415 /,
  )
})

test('a value in the query is refused, not ignored', async () => {
  const answer = await send(`${path('echo')}?name=Ada`, {
    method: 'POST',
    body: right,
    headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    answer.json.errors.map((error: { code: string; field: string }) => [error.code, error.field]),
    [['ERR.2001', 'name']],
  )
  assert.equal(
    (
      await send(`${path('echo')}?`, {
        method: 'POST',
        body: right,
        headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      })
    ).status,
    200,
  )
})

test('a client that exceeded its rate is admitted again after the time in Retry-After', async () => {
  const answers = []
  for (let sent = 0; sent < 4; sent++)
    answers.push(await http.send('echo', right, { authorization: 'Bearer slow' }))
  const refused = answers.find((answer) => answer.status === 429)
  assert.ok(refused)
  assert.deepEqual(codes(refused), ['ERR.2007'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"client";r=0;t=[0-9]+$/)
  assert.equal((await http.send('echo', right)).status, 200)
})

test('no refused request reaches a handler', async () => {
  called = 0
  await http.send('open', right, { authorization: 'Bearer reader' })
  await http.send('echo', '{}')
  await http.send('echo', '{"name":5}')
  assert.equal(called, 0)
})

test('each request writes one log line, which omits the contents of the request', async () => {
  http.log.length = 0
  const answer = await http.send('echo', '{"name":"Canary","note":"Canary\\r\\n"}')
  assert.equal(answer.status, 400)
  assert.equal(http.log.length, 1)
  const { time, durationMs, pid, hostname, address, ...line } = http.log[0] as Record<string, unknown>
  assert.deepEqual(line, {
    level: 30,
    traceId: answer.json.traceId,
    operation: 'echo',
    firmId: line.firmId,
    clientId: 'alpha',
    status: 400,
    codes: ['ERR.1016'],
    msg: 'request',
  })
  assert.equal(address, '127.0.0.1')
  assert.equal(typeof durationMs, 'number')
  assert.doesNotMatch(http.logText(), /Canary|Bearer|good/i)
  assert.equal(http.observations.at(-1)?.status, 400)
})

test('X-Forwarded-For is ignored, except from a trusted proxy', async () => {
  http.log.length = 0
  await http.send('echo', right, { 'x-forwarded-for': '203.0.113.9' })
  assert.equal(http.log[0]?.address, '127.0.0.1')
  await using behind = await startHttp({ echo: async () => ({}) }, { trustedProxies: ['127.0.0.1'] })
  await behind.send('echo', right, { 'x-forwarded-for': '203.0.113.9' })
  assert.equal(behind.log[0]?.address, '203.0.113.9')
})

const forwarded: readonly [header: string, address: string][] = [
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[::ffff:cb00:7109]:1', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['198.51.100.1, 203.0.113.9:4711', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9:4711, 10.0.0.5:80', '203.0.113.9'],
  ['203.0.113.9, garbage', '127.0.0.1'],
  ['203.0.113.9, garbage, 10.0.0.5:80', '10.0.0.5'],
  ['unknown', '127.0.0.1'],
  ['203.0.113.9:99999x', '127.0.0.1'],
  ['[203.0.113.9]:1', '127.0.0.1'],
]
test('the last entry of X-Forwarded-For that is no trusted proxy gives the plain address of the caller', async () => {
  const trustedProxies = ['loopback', '::ffff:10.0.0.0/104']
  await using behind = await startHttp({ echo: async () => ({}) }, { trustedProxies })
  for (const [header] of forwarded) await behind.send('echo', right, { 'x-forwarded-for': header })
  const lines = behind.log as readonly { address?: string; entry?: string; proxy?: string }[]
  assert.deepEqual(
    lines.filter(({ address }) => address !== undefined).map(({ address }) => address),
    forwarded.map(([, address]) => address),
  )
  const warnings = lines.filter(({ entry }) => entry !== undefined)
  assert.deepEqual(
    warnings.map(({ entry, proxy }) => [entry, proxy]),
    [['garbage', '127.0.0.1']],
  )
})

test('the number of errors in a response is limited', async () => {
  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1])),
  )
  assert.equal((await http.send('echo', many)).json.errors.length, limits.rejectionsMax)
  const listOf = (length: number) => Array.from({ length }, () => reject('ERR.1000', 'name', 'Missing.'))
  const lengths = [limits.rejectionsMax - 1, limits.rejectionsMax, limits.rejectionsMax + 1, 1_450]
  const received = await Promise.all(
    lengths.map(async (length) => {
      await using refusing = await startHttp({ echo: async () => new Rejected(listOf(length)) })
      return (await refusing.send('echo', right)).json.errors.length
    }),
  )
  assert.deepEqual(received, [999, 1_000, 1_000, 1_000])
})
