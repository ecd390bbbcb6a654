import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { until } from '../../database/test-waiting.ts'
import { sendRaw, startHttp, type TestHttp } from '../test-service.ts'

let http: TestHttp

before(async () => {
  http = await startHttp(
    { echo: async (request: unknown) => request },
    {
      limits: {
        bodyTimeoutMs: 1_500,
        bodyIdleTimeoutMs: 300,
        headersTimeoutMs: 500,
        lingerMs: 100,
        slowConnectionsCheckMs: 100,
      },
    },
  )
})
after(() => http[Symbol.asyncDispose]())

function bytes(...codes: number[]) {
  return Uint8Array.from(codes)
}
function wrap(before: string, middle: Uint8Array, after: string) {
  return new Uint8Array(Buffer.concat([Buffer.from(before), middle, Buffer.from(after)]))
}

// Invalid JSON texts (RFC 8259), grouped by the rule of the grammar that they break.
const notJson: Record<string, readonly (string | Uint8Array)[]> = {
  nothing: ['', ' ', '\n', '\t\r\n', '\ufeff', bytes(0xef, 0xbb)],
  literals: [
    'nul',
    'tru',
    'True',
    'TRUE',
    'fals',
    'falsE',
    'nan',
    'NaN',
    'undefined',
    'Infinity',
    '-Infinity',
    'truefalse',
    'nulll',
    'a',
    'å',
    '*',
    '\u2060',
    'True',
  ],
  numbers: [
    '01',
    '-01',
    '+1',
    '-',
    '--1',
    '1.',
    '.1',
    '-.1',
    '1.e1',
    '1e',
    '1e+',
    '1E',
    '1eE2',
    '0e',
    '0.3e',
    '0x1',
    '1_000',
    '1 000',
    '1,000',
    '1a',
    '-a',
    '0.1.2',
    '９',
    '1\u0660',
    '- 1',
    '++1',
    '2.e3',
    '1e1.5',
  ],
  strings: [
    '"',
    '"a',
    'a"',
    "'a'",
    '"\n"',
    '"\t"',
    '"\0"',
    '"\u001f"',
    '"\\',
    '"\\"',
    '"\\x00"',
    '"\\a"',
    '"\\u"',
    '"\\u12"',
    '"\\u00G0"',
    '"\\uD800\\u"',
    '"\\\\\\"',
    '"\\🌀"',
    '`a`',
    '"a" "b"',
    '\\n"',
  ],
  arrays: [
    '[',
    ']',
    '[1',
    '[1,',
    '[1,]',
    '[,]',
    '[,1]',
    '[1,,2]',
    '[1 2]',
    '[1;2]',
    '[1:2]',
    '[}',
    '[]]',
    '[[]',
    '[a]',
    '["',
    '[*]',
    '[""]x',
    '[\u000b1]',
    '[\f]',
    '[1]]',
    '[<null>]',
  ],
  objects: [
    '{',
    '}',
    '{a:1}',
    "{'a':1}",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":1,,"b":2}',
    '{"a" 1}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    '{"a"}',
    '{1:1}',
    '{null:1}',
    '{"a":1}}',
    '{"a":1}#',
    '{"a":1}//',
    '{"a":/**/1}',
    '{"a":1;}',
    '{[:1}',
    '{"a":1}{',
    '{"a":1} {"b":2}',
    '{"a":\u00a01}',
    '{"a",1}',
    '{"a":"b}',
  ],
  encodings: [
    bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
    bytes(0xfe, 0xff, 0, 0x7b, 0, 0x7d),
    wrap('{"name":"', bytes(0xff), '"}'),
    wrap('{"name":"', bytes(0xc0, 0xaf), '"}'),
    wrap('{"name":"', bytes(0xe0, 0x80, 0xaf), '"}'),
    wrap('{"name":"', bytes(0xed, 0xa0, 0x80), '"}'),
    wrap('{"name":"', bytes(0xf4, 0xbf, 0xbf, 0xbf), '"}'),
    wrap('{"name":"', bytes(0xe2, 0x82), '"}'),
    wrap('{"na', bytes(0x80), 'me":"a"}'),
  ],
}

for (const [part, texts] of Object.entries(notJson)) {
  describe(`a body that breaks the grammar of ${part} is a malformed request`, () => {
    for (const text of texts) {
      test(JSON.stringify(typeof text === 'string' ? text : [...text]), async () => {
        const answer = await http.send('echo', text)
        assert.equal(answer.status, 400)
        assert.deepEqual(
          answer.json.errors.map((error: { code: string }) => error.code),
          ['ERR.2004'],
        )
      })
    }
  })
}

// Valid JSON texts that are not requests of this operation.
const otherJson = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '"a"',
  '[]',
  '[[[]]]',
  '{}',
  '{"name":null}',
  '{"name":{}}',
  '{"name":1e999}',
  '{"":1}',
  '[{"name":"a"}]',
  '123123e100000',
  '{"name":"\\uDEAD"}',
  '{"name":"\\u0000"}',
  '{"__proto__":{"name":"a"}}',
  '{"name":"a","name":"b"}',
  '{"name":"a","NAME":"b"}',
  '{"name":"a","\\u006eame":"b"}',
]

for (const text of otherJson) {
  test(`${text} is refused with an error for each field`, async () => {
    const answer = await http.send('echo', text)
    assert.equal(answer.status, 400)
    assert.ok(answer.json.errors.length > 0)
    for (const { code } of answer.json.errors) assert.notEqual(code, 'ERR.2004')
  })
}

test('a byte order mark is ignored', async () => {
  assert.equal((await http.send('echo', wrap('', bytes(0xef, 0xbb, 0xbf), '{"name":"a"}'))).status, 200)
})

test('a body of exactly 1 MB is read, and one more byte is too large', async () => {
  const body = (size: number) => `{"name":"a"}${' '.repeat(size - 12)}`
  assert.equal((await http.send('echo', body(limits.bodySizeBytesMax))).status, 200)
  const larger = await http.send('echo', body(limits.bodySizeBytesMax + 1))
  assert.equal(larger.status, 413)
  assert.equal(larger.json.errors[0].code, 'ERR.2015')
})

test('a chunked body that grows too large is refused before it ends', async () => {
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  const answer = await sendRaw(
    http.port,
    `POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
    '"hasErrors":true',
  )
  assert.match(answer, /^HTTP\/1\.1 413 /)
})

test('a deeply nested body is refused before it is parsed', async () => {
  const answer = await http.send('echo', '['.repeat(100_000))
  assert.equal(answer.status, 400)
  assert.match(answer.json.errors[0].reason, /nested deeper than 32/)
})

const malformedHttp: Record<string, string> = {
  'no version': 'POST /account-api/v1/echo\r\n\r\n',
  'a version that does not exist': 'POST / HTTP/9.9\r\nHost: x\r\n\r\n',
  garbage: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'no Host': 'POST /account-api/v1/echo HTTP/1.1\r\n\r\n',
  'a header without a colon': 'POST / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
  'a space before the colon': 'POST / HTTP/1.1\r\nHost : x\r\n\r\n',
  'a folded header': 'POST / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
  'a bare line feed': 'POST / HTTP/1.1\nHost: x\n\n',
  'a bare carriage return in a value': 'POST / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n',
  'NUL in a value': 'POST / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n',
  'both lengths':
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'two lengths':
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd',
  'a length that is not a number':
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4x\r\n\r\nabcd',
  'a negative length': 'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'a chunk size that is not a number':
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  'chunked not last':
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
}

for (const [sentence, text] of Object.entries(malformedHttp)) {
  test(`${sentence} is refused and ends the connection`, async () => {
    const answer = await sendRaw(http.port, text)
    for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
      assert.ok(Number(status) >= 400 && Number(status) < 500, answer)
    assert.doesNotMatch(answer, /HTTP\/1\.1 (?:200|5)/)
  })
}

test('a request without a Host header is refused in the envelope', async () => {
  const answer = await sendRaw(http.port, 'POST /account-api/v1/echo HTTP/1.1\r\nContent-Length: 0\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /"code":"ERR\.2004"/)
  assert.match(answer, /connection: close/i)
})

test('a request with two Host headers is refused in the envelope', async () => {
  for (const second of ['x', 'y']) {
    const answer = await sendRaw(
      http.port,
      `POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nHost: ${second}\r\nContent-Length: 0\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /"code":"ERR\.2004","field":"","reason":"The header Host must be given once\."/)
    assert.match(answer, /connection: close/i)
  }
})

test('a body with another coding of its transfer than chunked is refused in the envelope', async () => {
  const head =
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n'
  const chunk = '\r\ne\r\n{"name":"Ada"}\r\n0\r\n\r\n'
  for (const coding of ['gzip, chunked', 'identity,chunked', 'gzip\r\nTransfer-Encoding: chunked']) {
    const answer = await sendRaw(http.port, `${head}Transfer-Encoding: ${coding}\r\n${chunk}`)
    assert.match(answer, /^HTTP\/1\.1 400 /, coding)
    assert.match(answer, /"reason":"The Transfer-Encoding must be chunked alone/)
    assert.match(answer, /connection: close/i)
  }
  for (const coding of ['chunked', 'Chunked', ', chunked'])
    assert.match(
      await sendRaw(http.port, `${head}Transfer-Encoding: ${coding}\r\n${chunk}`, 'ADA'),
      /^HTTP\/1\.1 200 /,
    )
})

test('an unknown expectation is ignored', async () => {
  const head = 'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n'
  const right = `${head}Authorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"Ada"}`
  assert.match(await sendRaw(http.port, right), /^HTTP\/1\.1 200 /)
})

test('headers of more than 16 kB are too large', async () => {
  const answer = await sendRaw(http.port, `POST / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 431 /)
  assert.match(answer, /"statusCode":431/)
})

test('a connection whose headers do not end is closed', async () => {
  assert.match(await sendRaw(http.port, 'POST / HTTP/1.1\r\nHost: x\r\n'), /^HTTP\/1\.1 408 |^$/)
})

const begin =
  'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'

const tooSlow =
  /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"statusCode":408[\s\S]*"code":"ERR\.2004"[\s\S]*did not arrive in time/i

test('a body that stalls is answered with 408, and the connection is closed', async () => {
  http.log.length = 0
  const answer = await sendRaw(http.port, begin)
  assert.match(answer, tooSlow)
  const lines = () => http.log.filter(({ operation }) => operation === 'echo')
  await until('the log of the request', () => lines().length > 0)
  assert.deepEqual(
    lines().map(({ status, codes }) => [status, codes]),
    [[408, ['ERR.2004']]],
  )
  assert.ok(answer.includes(String(lines()[0]?.traceId)), 'the response and the log name the same call')
})

test('a body that stalls behind a response on its connection breaks nothing off before it', async () => {
  const whole = begin.replace('1000', '14').replace(/\{$/, '{"name":"Ada"}')
  const answer = await sendRaw(http.port, whole + begin)
  assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 408'])
})

test('a body that arrives too slowly is answered with 408, and the connection is closed', async () => {
  let received = ''
  await new Promise<void>((resolve) => {
    const socket = connect(http.port, '127.0.0.1', () => socket.write(begin))
    const drops = setInterval(() => socket.write(' '), 100)
    socket.on('data', (piece) => {
      received += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drops)
      resolve()
    })
  })
  assert.match(received, tooSlow)
})

test('the service does not wait for the rest of a body that it does not need', {
  timeout: 10_000,
}, async () => {
  const answer = await sendRaw(http.port, begin.replace('Bearer good', 'Bearer bad'))
  assert.match(answer, /^HTTP\/1\.1 401 /)
})

test('two hundred slow connections do not block other clients', async () => {
  const slow = Array.from({ length: 200 }, () => {
    const socket = connect(http.port, '127.0.0.1', () => socket.write('POST / HTTP/1.1\r\nHost:'))
    socket.on('error', () => {})
    return socket
  })
  assert.equal((await http.send('echo', '{"name":"a"}')).status, 200)
  for (const socket of slow) socket.destroy()
})

test('a client that disconnects while sending its body causes one log line and no fault', async () => {
  http.log.length = 0
  await new Promise<void>((resolve) => {
    const socket = connect(http.port, '127.0.0.1', () => {
      socket.write(begin)
      setTimeout(() => socket.destroy(), 50)
    })
    socket.on('close', () => resolve())
  })
  const lines = () => http.log.filter(({ operation }) => operation === 'echo')
  await until('the log of the request', () => lines().length > 0)
  assert.deepEqual(
    lines().map(({ status, msg }) => [status, msg]),
    [[499, 'request']],
  )
})

test('a request that is followed by other bytes is answered, and ends the connection', async () => {
  const head =
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n'
  const right = await sendRaw(http.port, `${head}Content-Length: 14\r\n\r\n{"name":"Ada"}\n\nmore`)
  assert.match(right, /^HTTP\/1\.1 200 /)
  assert.match(right, /connection: close/i)
  // A Content-Length in characters instead of bytes.
  const short = await sendRaw(http.port, `${head}Content-Length: 14\r\n\r\n{"name":"Zoë"}`)
  assert.match(short, /^HTTP\/1\.1 400 /)
  assert.match(short, /"code":"ERR\.2004"/)
  assert.equal(right.match(/HTTP\/1\.1 /g)?.length, 1)
})

test('a client that ends its side of the connection after a request is answered', async () => {
  const one =
    'POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"Ada"}'
  for (const requests of [1, 2]) {
    const answer = await sendAndEnd(one.repeat(requests))
    assert.equal(answer.match(/HTTP\/1\.1 200 /g)?.length, requests)
  }
  assert.equal(await sendAndEnd(one.slice(0, -1)), '')
})

function sendAndEnd(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port: http.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.end(text),
    )
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

test('two requests on one connection are answered in order', async () => {
  const one = (name: string) => {
    const body = `{"name":"${name}"}`
    return `POST /account-api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const answer = await sendRaw(http.port, one('first') + one('second'), 'SECOND')
  assert.ok(answer.indexOf('FIRST') < answer.indexOf('SECOND'))
})
