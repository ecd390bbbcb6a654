import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import { limits } from '@clearing/protocol'
import { alpha, askToken, prepareGround, startInstance, type TestInstance } from '../test-service.ts'
import { createFailureThrottle } from './failure-throttle.ts'

describe('the throttle of failed token requests', () => {
  it('counts by client and address in windows of a minute', () => {
    let ms = 0
    const throttle = createFailureThrottle({ failuresMax: 3, clockMs: () => ms })
    for (let at = 0; at < 3; at++) assert.equal(throttle.fail('alpha', '10.0.0.1'), undefined)
    assert.equal(throttle.exhausted('alpha', '10.0.0.1'), true)
    ms = 20_500
    assert.equal(throttle.fail('alpha', '10.0.0.1'), 40)
    assert.equal(throttle.fail('alpha', '10.0.0.2'), undefined)
    assert.equal(throttle.fail('beta', '10.0.0.1'), undefined)
    assert.equal(throttle.exhausted('alpha', '10.0.0.2'), false)
    ms = 60_000
    assert.equal(throttle.exhausted('alpha', '10.0.0.1'), false)
    assert.equal(throttle.fail('alpha', '10.0.0.1'), undefined)
  })

  it('counts the failures of an address that tries many clients', () => {
    const throttle = createFailureThrottle({ failuresMax: 3, clockMs: () => 0 })
    for (let at = 0; at < 30; at++) assert.equal(throttle.fail(`client-${at}`, '10.0.0.1'), undefined)
    assert.equal(throttle.exhausted('client-31', '10.0.0.1'), true)
    assert.equal(throttle.fail('client-31', '10.0.0.1'), 60)
    assert.equal(throttle.fail('client-31', '10.0.0.2'), undefined)
  })

  it('shortens long client ids to limit memory', () => {
    const throttle = createFailureThrottle({ failuresMax: 2, clockMs: () => 0 })
    for (let at = 0; at < 2; at++) throttle.fail('x'.repeat(100 + at), '10.0.0.1')
    assert.equal(throttle.exhausted('x'.repeat(8_000), '10.0.0.1'), true)
  })
})

describe('two hundred wrong secrets', () => {
  const askFrom = (
    instance: TestInstance,
    localAddress: string,
    secret: string,
  ): Promise<number | undefined> =>
    new Promise((done, fail) => {
      const url = new URL('/identity/connect/token', instance.base)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const message = request(url, { method: 'POST', headers, localAddress }, (response) => {
        response.resume()
        done(response.statusCode)
      })
      message.once('error', fail)
      message.end(`client_id=alpha&client_secret=${secret}`)
    })

  it('are slowed, and the correct secret is still accepted from every address', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    const seen: (number | undefined)[] = []
    for (let at = 0; at < 200; at++) seen.push(await askFrom(instance, '127.0.0.1', `wrong-${at}`))
    const max = limits.tokenFailuresPerMinuteMax
    assert.deepEqual(seen.slice(0, max), Array(max).fill(401))
    assert.deepEqual(seen.slice(max), Array(200 - max).fill(429))
    const slowed = await askToken(instance, { ...alpha, client_secret: 'wrong' })
    assert.equal(slowed.json.error, 'invalid_client')
    assert.match(slowed.headers.get('retry-after') ?? '', /^[1-9][0-9]?$/)
    assert.equal(slowed.headers.get('cache-control'), 'no-store')
    assert.equal(await askFrom(instance, '127.0.0.2', 'wrong'), 401)
    assert.equal(await askFrom(instance, '127.0.0.2', alpha.client_secret), 200)
    assert.equal(await askFrom(instance, '127.0.0.1', alpha.client_secret), 200)
    assert.equal((await askToken(instance, { client_id: 'beta', client_secret: 'wrong' })).status, 401)
  })
})
