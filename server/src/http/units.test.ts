// Tables for small functions: trace ids, rates, media types, file names, sandbox faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RateLimiter, renderRateHeaders } from './admission/rate-limit.ts'
import { readSandboxFault } from './admission/sandbox-fault.ts'
import { renderDisposition } from './answer/answer-in-parts.ts'
import { acceptsJson, boundaryOf, isContentType } from './body/media-type.ts'
import { continueTrace } from './trace-context.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'

const traceparents: readonly [header: string | undefined, continued: boolean][] = [
  [`00-${trace}-${span}-01`, true],
  [`00-${trace}-${span}-00`, true],
  [`01-${trace}-${span}-01-later-versions-may-say-more`, true],
  [`01-${trace}-${span}-01`, true],
  [undefined, false],
  ['', false],
  [`00-${trace}-${span}-01-more`, false],
  [`ff-${trace}-${span}-01`, false],
  [`00-${trace.toUpperCase()}-${span}-01`, false],
  [`00-${'0'.repeat(32)}-${span}-01`, false],
  [`00-${trace}-${'0'.repeat(16)}-01`, false],
  [`00-${trace}-${span}`, false],
  [` 00-${trace}-${span}-01`, false],
  [`00-${trace}-${span}-01, 00-${trace}-${span}-01`, false],
]

for (const [header, continued] of traceparents) {
  test(`the traceparent ${header} is ${continued ? '' : 'not '}continued, and the span is new`, () => {
    const context = continueTrace(header)
    assert.equal(context.traceId === trace, continued)
    assert.equal(context.parentSpanId, continued ? span : undefined)
    assert.match(context.traceId, /^[0-9a-f]{32}$/)
    assert.match(context.spanId, /^[0-9a-f]{16}$/)
    assert.notEqual(context.spanId, span)
  })
}

test('a thousand calls have a thousand trace ids', () => {
  assert.equal(new Set(Array.from({ length: 1_000 }, () => continueTrace(undefined).traceId)).size, 1_000)
})

test('a bucket admits its burst at once, then its rate, and reports the time to wait', () => {
  const rates = new RateLimiter()
  const at = (ms: number) => rates.take('a', 10, ms)
  for (let sent = 0; sent < 20; sent++) assert.equal(at(0).allowed, true)
  assert.deepEqual(at(0), { allowed: false, ratePerSecond: 10, burst: 20, remaining: 0, resetSeconds: 1 })
  assert.equal(at(99).allowed, false)
  assert.equal(at(100).allowed, true)
  assert.equal(at(100).allowed, false)
  assert.equal(rates.take('b', 10, 100).allowed, true)
  assert.equal(at(60_000).remaining, 19)
})

test('requests of other processes count, even if they exceed the bucket', () => {
  const taken: string[] = []
  const rates = new RateLimiter()
  rates.onTaken = (clientId, ratePerSecond) => taken.push(`${clientId} ${ratePerSecond}`)
  for (let at = 0; at < 20; at++) assert.equal(rates.take('alpha', 10, 0).allowed, true)
  assert.equal(rates.take('alpha', 10, 0).allowed, false)
  assert.deepEqual(taken, Array(20).fill('alpha 10'))
  rates.takeElsewhere('alpha', 5, 10, 0)
  const refused = rates.take('alpha', 10, 500)
  assert.deepEqual([refused.allowed, refused.remaining, refused.resetSeconds], [false, 0, 1])
  assert.equal(rates.take('alpha', 10, 600).allowed, true)
  assert.equal(taken.length, 21)
})

test('the number of clients whose rates are stored is limited, and the oldest is removed first', () => {
  const rates = new RateLimiter(2)
  for (let sent = 0; sent < 2; sent++) rates.take('a', 1, 0)
  assert.equal(rates.take('a', 1, 0).allowed, false)
  rates.take('b', 1, 0)
  rates.take('c', 1, 0)
  assert.equal(rates.take('a', 1, 0).allowed, true)
})

test('the rate limit is reported in the headers of the IETF draft', () => {
  const state = { allowed: true, ratePerSecond: 200, burst: 400, remaining: 399, resetSeconds: 1 }
  const headers = renderRateHeaders(state)
  assert.equal(headers['ratelimit-policy'], '"client";q=400;w=2')
  assert.equal(headers.ratelimit, '"client";r=399;t=1')
  assert.equal(headers['ratelimit-remaining'], '399')
})

const jsonTypes: readonly [contentType: string | undefined, right: boolean][] = [
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json;charset=utf-8', true],
  ['application/json; charset=UTF-8', true],
  ['application/json ; charset="utf-8"', true],
  ['application/json; charset=utf8', true],
  ['application/json; charset="UTF8"', true],
  ['application/json;', true],
  ['application/json ; ', true],
  ['application/json;; charset=utf-8;', true],
  [undefined, false],
  ['', false],
  ['application/json\t', false],
  ['application/json\t; charset=utf-8', false],
  ['application/json;\tcharset=utf-8', false],
  [' application/json', false],
  ['application/json garbage', false],
  ['application/json; charset=utf-8 garbage', false],
  ['application/json, application/json', false],
  ['application/json; charset=utf-16', false],
  ['application/json; charset=utf-8; charset=utf-7', false],
  ['application/json; foo=bar', false],
  ['application/json charset=utf-8', false],
  ['application/json; charset=utf-8; foo=bar', false],
  ['application/jsonp', false],
  ['application/problem+json', false],
  ['text/json', false],
  ['text/plain', false],
  ['application/x-www-form-urlencoded', false],
  ['application/json\u00a0', false],
]

for (const [contentType, right] of jsonTypes) {
  test(`the Content-Type ${JSON.stringify(contentType)} is ${right ? '' : 'not '}accepted for a JSON body`, () => {
    assert.equal(isContentType('json', contentType), right)
  })
}

test('forms and lines have their own Content-Types', () => {
  assert.ok(isContentType('multipart', 'multipart/form-data; boundary=x'))
  assert.ok(!isContentType('multipart', 'multipart/mixed; boundary=x'))
  assert.ok(isContentType('lines', 'application/x-ndjson'))
  assert.ok(isContentType('lines', 'application/x-ndjson; charset=utf8'))
  assert.ok(isContentType('lines', 'text/csv; header=present; charset=utf8'))
  assert.ok(isContentType('lines', 'text/csv; charset=utf-8; header=present'))
  assert.ok(isContentType('lines', 'application/x-ndjson;'))
  assert.ok(isContentType('lines', 'text/csv; header=present;'))
  assert.ok(!isContentType('lines', 'application/json'))
  assert.equal(boundaryOf('multipart/form-data; boundary=----x'), '----x')
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"'), 'a b')
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8'), undefined)
  assert.equal(boundaryOf('multipart/form-data; boundary='), undefined)
  assert.equal(boundaryOf(`multipart/form-data; boundary=${'x'.repeat(71)}`), undefined)
})

const accepts: readonly [accept: string | undefined, acceptable: boolean][] = [
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/*', true],
  ['application/json; charset=utf-8', true],
  ['text/html, */*;q=0.1', true],
  ['text/html', false],
  ['application/xml, text/plain', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0, application/json', true],
  ['application/problem+json', false],
]

for (const [accept, acceptable] of accepts) {
  test(`Accept: ${accept} ${acceptable ? 'allows' : 'excludes'} JSON`, () => {
    assert.equal(acceptsJson(accept), acceptable)
  })
}

test('a file name is in the header of an attachment as ASCII and as UTF-8', () => {
  assert.equal(renderDisposition('a b.pdf'), `attachment; filename="a b.pdf"; filename*=UTF-8''a%20b.pdf`)
  assert.equal(
    renderDisposition('"\\\r\n€\ud800.pdf'),
    `attachment; filename="_____\ufffd.pdf"; filename*=UTF-8''%22%5C%0D%0A%E2%82%AC%EF%BF%BD.pdf`.replace(
      '\ufffd',
      '_',
    ),
  )
})

test('no file name can end the header or its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      assert.match(
        renderDisposition(name),
        /^attachment; filename="[ !#$&-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9!%._~-]*$/,
      )
    }),
  )
})

test('an unknown sandbox fault is refused, not ignored', () => {
  assert.equal(readSandboxFault(undefined), undefined)
  assert.deepEqual(readSandboxFault(' SLOW=250 '), { kind: 'slow', delayMs: 250 })
  assert.deepEqual(readSandboxFault('timeout'), { kind: 'timeout' })
  for (const header of ['slow=60001', 'slow=-1', '504', '', '__proto__', 'constructor']) {
    const fault = readSandboxFault(header)
    assert.ok(fault?.kind === 'answer' && fault.rejections[0]?.code === 'ERR.2004', header)
  }
})
