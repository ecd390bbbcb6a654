/**
 * Damaged forms, other media types and bytes that are not HTTP get a response in the envelope, never a 5xx, and do not
 * change the account. The parser of forms has its own tests in `server/src/http/body`. These tests use the whole
 * service.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { samplePdf, samplePng } from '../../server/src/documents/inspect/sample-files.ts'
import {
  accountNumber,
  answersWell,
  service,
  startBeforeTests,
  testThatNoFaultWasLogged,
} from './malformed-requests.ts'

startBeforeTests()

const boundary = '----form'
function field(name: string, value: string) {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}
function formOf(content: Buffer) {
  return Buffer.concat([
    Buffer.from(
      `${field('documentTypeName', 'Identity Documents')}${field('reference', 'UTIL')}${field('accountNumber', accountNumber)}` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bill.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

describe('a form', () => {
  const sendForm = async (body: Buffer, contentType = `multipart/form-data; boundary=${boundary}`) =>
    service.send('/account-api/v1/add-document', {
      headers: { authorization: `Bearer ${await service.token('alpha')}`, 'content-type': contentType },
      body: new Uint8Array(body),
    })
  const documents = async () =>
    (await service.alpha.getDocumentDetails({ accountNumber, size: 1 })).data.total

  test('truncated at any byte is refused, and stores nothing', async () => {
    const whole = formOf(samplePng())
    const before = await documents()
    // After the last boundary nothing is missing.
    const end = whole.lastIndexOf('--\r\n')
    for (let at = 0; at < end; at += 1) {
      const answer = await sendForm(whole.subarray(0, at))
      answersWell(answer, `cut at ${at}`)
      assert.equal(answer.status, 400, `cut at ${at}: ${answer.text}`)
    }
    assert.equal(await documents(), before)
    assert.equal((await sendForm(whole)).status, 200)
  })

  test('with one changed byte anywhere is accepted or refused, never a fault', async () => {
    const whole = formOf(samplePng())
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0x21
      answersWell(await sendForm(changed), `byte ${at}`)
    }
  })

  test('with 2,000 parts, without a boundary, or of other kinds is refused', async () => {
    const many = Buffer.concat([Buffer.from(field('comments', 'x').repeat(2_000)), formOf(samplePdf())])
    const cases: [Buffer, string | undefined][] = [
      [many, undefined],
      [formOf(samplePng()), 'multipart/form-data'],
      [formOf(samplePng()), 'multipart/form-data; boundary='],
      [formOf(samplePng()), 'multipart/form-data; boundary=other'],
      [formOf(samplePng()), 'multipart/mixed; boundary=----form'],
      [formOf(samplePng()), 'application/json'],
      [formOf(samplePng()), 'application/json\t; boundary=----form'],
      [Buffer.from('{}'), undefined],
      [Buffer.alloc(0), undefined],
      [Buffer.alloc(100_000, '-'), undefined],
      [Buffer.from(`--${boundary}\r\n${'X: y\r\n'.repeat(200_000)}`), undefined],
    ]
    for (const [body, contentType] of cases) {
      const answer = await sendForm(body, contentType)
      answersWell(answer, `${contentType} ${body.subarray(0, 40)}`)
      assert.ok([400, 413, 415].includes(answer.status), answer.text)
    }
  })
})

describe('media types', () => {
  for (const contentType of [
    'application/json\ta',
    ' application/json;charset=utf-7',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/json a',
    'text/json',
    '',
  ]) {
    test(`${JSON.stringify(contentType)} is not supported`, async () => {
      const answer = await service.post('get-account', { accountNumber }, { 'content-type': contentType })
      answersWell(answer, contentType)
      assert.equal(answer.status, 415)
      assert.match(answer.text, /Content-Type must be application\/json, in UTF-8\./)
    })
  }
})

describe('bytes that are not HTTP', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.address)
      const socket = connect(Number(port), hostname, () => socket.end(text))
      let answered = ''
      socket.on('data', (chunk) => {
        answered += chunk
      })
      socket.on('close', () => resolve(answered))
      socket.on('error', reject)
    })
  const path = '/account-api/v1/get-account'
  for (const [what, text] of [
    [
      'a body announced twice',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a bad chunk',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a bad chunk of a token request',
      'POST /identity/connect/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['a folded header', `POST ${path} HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
    ['no host', `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
    ['headers of 20 kB', `POST ${path} HTTP/1.1\r\nHost: a\r\nX-A: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    ['noise', '\x00\x01\x02\x03\r\n\r\n'],
  ] as const) {
    test(`${what}: refused in the envelope, and the connection ends`, async () => {
      const answer = await raw(text)
      assert.match(answer, /^HTTP\/1\.1 4\d\d /)
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      assert.equal(body.hasErrors, true)
    })
  }

  test('a bad chunk after a valid one: refused in the envelope, and the connection ends', async () => {
    const headers = [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${await service.token('alpha')}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]
    const answer = await raw(`${headers.join('\r\n')}\r\n\r\n1\r\n{\r\n-1\r\n}\r\n0\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    assert.equal(body.errors[0].code, 'ERR.2004')
  })

  // `stop` checks these responses against the contract, like all others.
  test('too many headers get the response of the contract, on every kind of path', async () => {
    for (const [method, to] of [
      ['POST', path],
      ['POST', '/identity/connect/token'],
      ['GET', '/account-api/v1/events'],
      ['GET', '/health/live'],
    ] as const) {
      const answer = await service.send(to, { method, headers: { 'x-a': 'b'.repeat(20_000) } })
      assert.equal(answer.status, 431, to)
      assert.equal(answer.json.errors[0].code, 'ERR.2004')
    }
  })
})

testThatNoFaultWasLogged()
