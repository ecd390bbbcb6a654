import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { limits } from '@clearing/protocol'
import fc from 'fast-check'
import { until } from '../../database/test-waiting.ts'
import type { Context } from '../../operations/context.ts'
import { send, sendRaw, startHttp, type TestAnswer, type TestHttp } from '../test-service.ts'

let http: TestHttp
const seen: { request: unknown; fileName: string; bytes: number; sha256: string }[] = []

before(async () => {
  const addDocument = async (request: unknown, { body }: Context) => {
    if (body.kind !== 'file') throw new Error('no file')
    const { fileName, upload } = body.file
    seen.push({ request, fileName, bytes: upload.bytes, sha256: upload.sha256.toString('hex') })
    return { fileName, bytes: upload.bytes }
  }
  // Declared as a read, because a write would need a database for its idempotency keys.
  http = await startHttp({ 'add-document': addDocument }, { limits: { bodyIdleTimeoutMs: 500 } })
})
after(() => http[Symbol.asyncDispose]())
beforeEach(() => {
  seen.length = 0
})

const boundary = '----x'
function field(name: string, value: string) {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}
function file(content: string, name = 'file', fileName = 'a.pdf', headers = '') {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/pdf\r\n${headers}\r\n${content}\r\n`
}
const end = `--${boundary}--\r\n`

function sendForm(
  body: string,
  contentType = `multipart/form-data; boundary=${boundary}`,
  token = 'good',
): Promise<TestAnswer> {
  return send(`${http.base}/account-api/v1/add-document`, {
    method: 'POST',
    body: Buffer.from(body, 'latin1'),
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
  })
}

function codes(answer: TestAnswer) {
  return (answer.json?.errors ?? []).map(
    (error: { code: string; field: string }) => `${error.code} ${error.field}`,
  )
}

test('a form with one file and fields in any order and letter case reaches the handler', async () => {
  const answer = await sendForm(
    field('REFERENCE', 'UTIL') + file('%PDF', 'FILE') + field('Comments', ' a  b ') + end,
  )
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(seen[0]?.request, { reference: 'UTIL', comments: 'a b' })
  assert.equal(seen[0]?.fileName, 'a.pdf')
  assert.equal(seen[0]?.bytes, 4)
})

test('the alias of the path also serves the operation', async () => {
  const form = new FormData()
  form.set('reference', 'UTIL')
  form.set('file', new Blob(['%PDF']), 'b.pdf')
  const answer = await send(`${http.base}/document-api/v1/add-document`, {
    method: 'POST',
    body: form,
    headers: { authorization: 'Bearer good' },
  })
  assert.equal(answer.status, 200)
})

test('a file name with a path reaches the handler unchanged', async () => {
  for (const fileName of ['../../a.pdf', 'folder/a.pdf', 'C:/a.pdf']) {
    await sendForm(field('reference', 'UTIL') + file('%PDF', 'file', fileName) + end)
    assert.equal(seen.pop()?.fileName, fileName)
  }
})

function uploads() {
  return readdir(http.uploadFolder)
}

test('a quote in a file name is kept, in the form of browsers and in that of old clients', async () => {
  for (const sent of ['5%22 disk.pdf', '5\\" disk.pdf']) {
    await sendForm(field('reference', 'UTIL') + file('%PDF', 'file', sent) + end)
    assert.equal(seen.pop()?.fileName, '5" disk.pdf')
  }
  await sendForm(field('reference', 'UTIL') + file('%PDF', 'file', '100%25 %2F.pdf') + end)
  assert.equal(seen.pop()?.fileName, '100%25 %2F.pdf')
})

test('no file of an upload remains after its request', async () => {
  await sendForm(field('reference', 'UTIL') + file('%PDF') + end)
  await sendForm(file('%PDF') + end)
  await sendForm(file('%PDF') + file('%PDF') + field('reference', 'a') + end)
  assert.deepEqual(await uploads(), [])
})

const ref = field('reference', 'UTIL')
const tenMegabytes = limits.uploadSizeBytesMax

const refused: readonly [sentence: string, form: string, status: number, codes: readonly string[]][] = [
  ['no file', ref + end, 400, ['ERR.1000 file']],
  ['no reference', file('%PDF') + end, 400, ['ERR.1000 reference']],
  ['neither', field('comments', 'x') + end, 400, ['ERR.1000 file', 'ERR.1000 reference']],
  ['an empty form', end, 400, ['ERR.1000 file', 'ERR.1000 reference']],
  ['an empty body', '', 400, ['ERR.1000 file', 'ERR.1000 reference']],
  ['an empty file', ref + file('') + end, 400, ['ERR.1000 file']],
  ['no chosen file', ref + file('', 'file', '') + end, 400, ['ERR.1000 file']],
  ['two files', ref + file('%PDF') + file('%PDF') + end, 400, ['ERR.1014 file']],
  ['three files', ref + file('a') + file('b') + file('c') + end, 400, ['ERR.1014 file']],
  ['a file in another field', ref + file('a', 'document') + end, 400, ['ERR.2001 document']],
  ['a field instead of the file', ref + field('file', 'x') + end, 400, ['ERR.2002 file']],
  [
    'a field that is not UTF-8',
    ref + field('comments', '\xff') + file('a') + end,
    400,
    ['ERR.1016 comments'],
  ],
  ['a file name that is not UTF-8', ref + file('a', 'file', '\xff.pdf') + end, 400, ['ERR.1016 file']],
  ['a field given twice', ref + field('Reference', 'x') + file('a') + end, 400, ['ERR.1014 reference']],
  ['an unknown field', ref + field('size', '1') + file('a') + end, 400, ['ERR.2001 size']],
  ['a field with a name of JavaScript', ref + field('__proto__', '1') + file('a') + end, 400, []],
  [
    'a field that is too long for its limit',
    ref + field('comments', 'x'.repeat(51)) + file('a') + end,
    400,
    ['ERR.1010 comments'],
  ],
  [
    'a field that is too long for any',
    ref + field('comments', 'x'.repeat(9_000)) + file('a') + end,
    400,
    ['ERR.1010 comments'],
  ],
  [
    'a JSON field',
    `${ref}--${boundary}\r\nContent-Disposition: form-data; name="comments"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n${file('a')}${end}`,
    400,
    ['ERR.2002 comments'],
  ],
  [
    'a part without a name',
    `${ref}--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${file('a')}${end}`,
    400,
    [],
  ],
  ['a part without a header', `${ref}--${boundary}\r\n\r\nx\r\n${file('a')}${end}`, 400, ['ERR.2004 ']],
  [
    'a part that is not a field',
    `${ref}--${boundary}\r\nContent-Disposition: attachment; name="comments"\r\n\r\nx\r\n${file('a')}${end}`,
    400,
    ['ERR.2004 '],
  ],
  [
    'a space after a boundary',
    ref + field('comments', 'x').replace('\r\n', ' \r\n') + file('a') + end,
    400,
    ['ERR.2004 '],
  ],
  [
    'a space after the boundary of the file',
    ref + file('a').replace('\r\n', ' \r\n') + end,
    400,
    ['ERR.2004 '],
  ],
  [
    'a file name that is too long',
    ref + file('a', 'file', `${'x'.repeat(300)}.pdf`) + end,
    400,
    ['ERR.1010 file'],
  ],
  ['2,000 parts', ref + field('x', '1').repeat(2_000) + file('a') + end, 413, []],
  ['2,000 empty parts', `--${boundary}\r\n\r\n\r\n`.repeat(2_000) + end, 413, []],
  [
    'a megabyte of part headers',
    ref + file('a', 'file', 'a.pdf', `X-Junk: ${'j'.repeat(1_048_576)}\r\n`) + end,
    400,
    [],
  ],
  ['a megabyte before the first part', `${'j'.repeat(1_048_576)}\r\n${ref}${file('a')}${end}`, 400, []],
  ['no end', ref + file('%PDF').slice(0, -2), 400, []],
  ['an end in the middle of the headers', ref + file('%PDF').slice(0, 40), 400, []],
  ['another boundary', (ref + file('a') + end).replaceAll(boundary, '----y'), 400, []],
  ['a body that is not a form', '{"reference":"UTIL"}', 400, []],
]

for (const [sentence, form, status, due] of refused) {
  test(`a form with ${sentence} is refused`, async () => {
    const answer = await sendForm(form)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.json.hasErrors, true)
    if (due.length > 0) assert.deepEqual(codes(answer).sort(), due)
    assert.deepEqual(seen, [])
    assert.deepEqual(await uploads(), [])
  })
}

const contentTypes: readonly [contentType: string, status: number][] = [
  ['multipart/form-data', 415],
  ['multipart/form-data; charset=utf-8', 400],
  ['multipart/form-data; boundary=', 400],
  [`multipart/form-data; boundary="${'x'.repeat(80)}"`, 400],
  ['multipart/mixed; boundary=x', 415],
  ['application/json', 415],
]

for (const [contentType, status] of contentTypes) {
  test(`the Content-Type ${contentType.slice(0, 50)} is refused`, async () => {
    assert.equal((await sendForm(ref + file('a') + end, contentType)).status, status)
  })
}

test('the reason for a form that is too large names the form, since its parts are not read', async () => {
  const answer = await sendForm(field('reference', 'UTIL').repeat(200_000) + end)
  assert.equal(answer.status, 413)
  assert.match(answer.json.errors[0].reason, /^File must be .*; the form has 13,400,011\.$/)
})

test('a file of 10,485,760 bytes is accepted, and one more byte is too large', async () => {
  const answer = await sendForm(ref + file('x'.repeat(tenMegabytes)) + end)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.data.bytes, tenMegabytes)
  const larger = await sendForm(ref + file('x'.repeat(tenMegabytes + 1)) + end)
  assert.equal(larger.status, 413)
  assert.deepEqual(codes(larger), ['ERR.1022 file'])
  const huge = await sendForm(ref + file('x'.repeat(tenMegabytes + 2_000_000)) + end)
  assert.deepEqual(codes(huge), ['ERR.1022 file'])
  assert.deepEqual(await uploads(), [])
})

test('a field that is longer than a form may hold is refused with its own limit', async () => {
  const reasonOf = async (value: string) => {
    const { json } = await sendForm(ref + field('Comments', value) + file('%PDF') + end)
    return json.errors.map(({ code, field: at, reason }: Record<string, string>) => [code, at, reason])
  }
  const own = [['ERR.1010', 'comments', 'Comments must be at most 50 characters.']]
  const most = limits.uploadFieldSizeBytesMax
  for (const length of [51, most]) {
    const reason = `Comments must be at most 50 characters; got ${length}.`
    assert.deepEqual(await reasonOf('x'.repeat(length)), [['ERR.1010', 'comments', reason]])
  }
  for (const length of [most + 1, 20_000, 70_000]) {
    assert.deepEqual(await reasonOf('x'.repeat(length)), own, String(length))
  }
  // Characters of two bytes, the last of which is cut in the middle.
  assert.deepEqual(await reasonOf(`x${Buffer.from('é'.repeat(most)).toString('latin1')}`), own)
  // A blank text would count as absent.
  assert.deepEqual(await reasonOf(' '.repeat(most + 1)), [
    ['ERR.1010', 'Comments', 'A field must be at most 8192 bytes.'],
  ])
  assert.deepEqual(await uploads(), [])
})

test('fields after the file are read, and their errors are reported together with the errors of the file', async () => {
  const answer = await sendForm(file('') + field('comments', 'x'.repeat(51)) + end)
  assert.deepEqual(codes(answer).sort(), ['ERR.1000 file', 'ERR.1000 reference', 'ERR.1010 comments'])
})

test('no damaged form causes a fault of the service', async () => {
  const whole = Buffer.from(ref + file('%PDF-1.7') + field('comments', 'x') + end, 'latin1')
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    cut: fc.nat(60),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('\r\n', '--', `--${boundary}`, '\0', '"', ';').map((text) => Buffer.from(text)),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      let form = whole
      for (const { at, cut, put } of damages)
        form = Buffer.concat([form.subarray(0, at), put, form.subarray(at + cut)])
      const answer = await sendForm(form.toString('latin1'))
      assert.ok(answer.status === 200 || (answer.status >= 400 && answer.status < 500), answer.text)
    }),
    { numRuns: 500 },
  )
  assert.deepEqual(await uploads(), [])
})

test('a form without a token is refused before it is sent completely', async () => {
  const head = `POST /account-api/v1/add-document HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 9000000\r\n\r\n--`
  assert.match(await sendRaw(http.port, head, '"hasErrors":true'), /^HTTP\/1\.1 401 /)
})

test('a form is read in the same way, in whatever pieces it arrives', async () => {
  const dropped =
    ref + field('comments', 'x').replace('\r\n', ' \r\n') + file(`\r\n--${boundary.slice(0, -1)}`) + end
  for (const [body, status] of [
    [ref + file(`\r\n--${boundary.slice(0, -1)}`) + end, 200],
    [dropped, 400],
  ] as const) {
    const head = `POST /account-api/v1/add-document HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer good\r\nContent-Type: multipart/form-data; boundary="${boundary}"\r\nTransfer-Encoding: chunked\r\n\r\n`
    const pieces = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
    assert.match(await sendRaw(http.port, `${head}${pieces}0\r\n\r\n`), new RegExp(`^HTTP/1.1 ${status} `))
  }
})

test('a client that disconnects or stalls while it sends its form leaves no file behind', async () => {
  const begin = `POST /account-api/v1/add-document HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 9000000\r\n\r\n${ref}${file('x'.repeat(100_000)).slice(0, 90_000)}`
  http.log.length = 0
  await sendRaw(http.port, begin).catch(() => '')
  await new Promise<void>((resolve) => {
    const socket = connect(http.port, '127.0.0.1', () => {
      socket.write(begin)
      setTimeout(() => socket.destroy(), 50)
    })
    socket.on('close', () => resolve())
  })
  await until('the log of both requests', () => http.log.length >= 2)
  assert.deepEqual(
    http.log.map(({ status, msg }) => [status, msg]),
    [
      [408, 'request'],
      [499, 'request'],
    ],
  )
  assert.deepEqual(await uploads(), [])
})

test('a connection can be used again after a form is refused', async () => {
  const body = ref + end
  const one = `POST /account-api/v1/add-document HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const closing = one.replace('Host: x', 'Host: x\r\nConnection: close')
  const answers = await sendRaw(http.port, one + closing)
  assert.equal([...answers.matchAll(/HTTP\/1\.1 400 /g)].length, 2)
})

test('a received file is removed when the firm of the call cannot be found because of a fault', async () => {
  // The parts of these tests have no directory of firms.
  const answer = await sendForm(field('reference', 'UTIL') + file('%PDF') + end, undefined, 'clearing')
  assert.equal(answer.status, 500, answer.text)
  assert.deepEqual(await readdir(http.uploadFolder), [])
})
