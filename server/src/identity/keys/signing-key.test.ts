import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { unprepared } from '../../database/statement.ts'
import { inTransaction, readInFirm } from '../../database/transaction.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../../encryption/master-key.ts'
import { readSigningKeys } from '../../store/signing-keys.ts'
import {
  alpha,
  askToken,
  here,
  MovableClock,
  prepareGround,
  send,
  startInstance,
  type TestGround,
  type TestInstance,
  takeToken,
} from '../test-service.ts'
import { removeSigningKey, rewrapSigningKeys, rotateSigningKeys } from './rotate-signing-keys.ts'
import { makeSigningKey, openSigningKey, planRotation, signingKeyTimes } from './signing-key.ts'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
function kidOf(token: string) {
  return decodeProtectedHeader(token).kid
}
async function published(instance: TestInstance): Promise<string[]> {
  return (await send(`${instance.base}/identity/jwks`)).json.keys.map((key: { kid: string }) => key.kid)
}
async function verdict(instance: TestInstance, token: string) {
  return (await instance.identity.authenticate(token, here)).kind
}
function stored(ground: TestGround) {
  return inTransaction(ground.database.operations, { firm: null }, readSigningKeys)
}

describe('a signing key', () => {
  it('is published ahead, then signs, then verifies until its last token has expired, and is then removed', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    const { clock } = ground
    const [first] = await published(instance)
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [])

    clock.move(signingKeyTimes.signsMs - signingKeyTimes.publishedAheadMs - second)
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [])
    clock.move(second)
    const steps = await instance.identity.rotateSigningKeys()
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['retire', 'make'],
    )
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [])

    const [, next] = await published(instance)
    assert.ok(next !== undefined && next !== first)
    const last = await (async () => {
      clock.move(signingKeyTimes.publishedAheadMs - second)
      return takeToken(instance)
    })()
    assert.equal(kidOf(last), first)
    clock.move(second)
    assert.equal(kidOf(await takeToken(instance)), next)

    // The private half of the old key is removed when no other instance can sign with it.
    clock.move(signingKeyTimes.handOverMs)
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [
      { kind: 'forget private half', kid: first },
    ])
    assert.equal((await stored(ground)).find(({ kid }) => kid === first)?.wrapped, null)
    assert.equal(await verdict(instance, last), 'known')

    clock.move(10 * hour - signingKeyTimes.handOverMs - 2 * second)
    assert.equal(await verdict(instance, last), 'known')
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [])
    assert.deepEqual(await published(instance), [first, next])

    clock.move(3 * minute)
    assert.equal(await verdict(instance, last), 'expired')
    assert.deepEqual(await published(instance), [next])
    assert.deepEqual(await instance.identity.rotateSigningKeys(), [{ kind: 'remove', kid: first }])
    assert.deepEqual(
      (await stored(ground)).map(({ kid }) => kid),
      [next],
    )
  })

  it('can be replaced at once without an outage, and its tokens stay valid', async () => {
    await using ground = await prepareGround()
    await using one = await startInstance(ground)
    await using two = await startInstance(ground)
    const old = await takeToken(one)
    ground.clock.move(minute)
    await one.identity.rotateSigningKeys({ atOnce: true })
    const fresh = await takeToken(one)
    assert.notEqual(kidOf(fresh), kidOf(old))
    await two.identity.directory.latest()
    for (const instance of [one, two]) {
      assert.equal(await verdict(instance, old), 'known')
      assert.equal(await verdict(instance, fresh), 'known')
      assert.equal(kidOf(await takeToken(instance)), kidOf(fresh))
    }
  })

  it('is removed at once with its tokens if it leaked, and another key signs', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    const { database, masterKeys, clock } = ground
    const old = await takeToken(instance)
    const kid = kidOf(old) as string
    const settings = { operations: database.operations, masterKeys, now: clock.now() }
    assert.equal(await removeSigningKey({ ...settings, kid }), true)
    assert.equal(await removeSigningKey({ ...settings, kid }), false)
    const recorded = unprepared("select target from clearing.audit where action = 'remove-signing-key'")
    assert.deepEqual(await readInFirm(database.operations, null, recorded, []), [{ target: kid }])
    await instance.identity.directory.latest()
    assert.equal(await verdict(instance, old), 'invalid')
    const fresh = await takeToken(instance)
    assert.notEqual(kidOf(fresh), kid)
    assert.equal(await verdict(instance, fresh), 'known')
  })

  it('does not sign after another key replaced it before its first use', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    const { clock } = ground
    clock.move(signingKeyTimes.signsMs)
    await instance.identity.rotateSigningKeys()
    clock.move(minute)
    await instance.identity.rotateSigningKeys({ atOnce: true })
    const third = kidOf(await takeToken(instance))
    clock.move(signingKeyTimes.publishedAheadMs)
    assert.equal(kidOf(await takeToken(instance)), third)
    await instance.identity.rotateSigningKeys()
    assert.equal(kidOf(await takeToken(instance)), third)
  })

  it('signs even if the clock of this machine is behind the clock of its maker, and both machines verify its tokens', async () => {
    await using ground = await prepareGround()
    for (const behindMs of [second, 30 * second, 59 * second]) {
      const late = new MovableClock()
      late.move(ground.clock.now().getTime() - late.now().getTime() - behindMs)
      await using one = await startInstance(ground)
      await using other = await startInstance({ ...ground, clock: late })
      await one.identity.rotateSigningKeys({ atOnce: true })
      await other.identity.directory.latest()
      const [ahead, behind] = [await takeToken(one), await takeToken(other)]
      for (const instance of [one, other])
        for (const token of [ahead, behind]) assert.equal(await verdict(instance, token), 'known')
      await other.identity.checkSigning()
      // The command removes the key in the same way on the machine whose clock is ahead.
      const { database, masterKeys, clock } = ground
      const settings = { operations: database.operations, masterKeys, now: clock.now() }
      assert.equal(await removeSigningKey({ ...settings, kid: kidOf(ahead) as string }), true)
      await other.identity.directory.latest()
      const fresh = await takeToken(other)
      assert.notEqual(kidOf(fresh), kidOf(ahead))
      assert.equal(await verdict(one, fresh), 'known')
    }
  })

  it('follows the clock of the database by default', async () => {
    await using ground = await prepareGround()
    const { database, masterKeys } = ground
    const settings = { operations: database.operations, masterKeys }
    await rotateSigningKeys(settings)
    const [first] = await stored(ground)
    await rotateSigningKeys({ ...settings, atOnce: true })
    const [retired, second] = await stored(ground)
    assert.deepEqual(retired?.retiredAt, second?.activeFrom)
    const [row] = await readInFirm<{ after: boolean }>(
      database.operations,
      null,
      unprepared(`select bool_and(active_from between now() - interval '1 minute' and now()) as after
        from clearing.signing_key`),
    )
    assert.equal(row?.after, true)
    assert.ok(await removeSigningKey({ ...settings, kid: first?.kid ?? '' }))
  })

  it('leads to 503, a complete log entry and an instance that is not ready if it is unavailable', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    await instance.identity.checkSigning()
    await inTransaction(ground.database.operations, { firm: null }, (tx) =>
      tx.run(unprepared('delete from clearing.signing_key')),
    )
    await instance.identity.directory.latest()
    const answer = await askToken(instance, alpha)
    assert.equal(answer.status, 503)
    assert.equal(answer.json.error, 'temporarily_unavailable')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual(
      instance.faults.map((fault) => (fault as Error).name),
      ['NoSigningKey'],
    )
    await assert.rejects(instance.identity.checkSigning(), { name: 'NoSigningKey' })
    await instance.identity.rotateSigningKeys()
    await takeToken(instance)
  })

  it('leads to 500 and a complete log entry if the database fails', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    const owner = await ground.database.owner.acquire()
    await owner.query('alter table clearing.identity_version rename to identity_version_away')
    owner.release()
    instance.identity.expectChange()
    const answer = await askToken(instance, alpha)
    assert.equal(answer.status, 500)
    assert.equal(answer.json.error, 'server_error')
    assert.ok(
      instance.faults.some((fault) => String(fault).includes('42P01')),
      String(instance.faults),
    )
  })

  it('is made once, even if many instances start at the same time', async () => {
    await using ground = await prepareGround()
    const { database, masterKeys, clock } = ground
    const settings = { operations: database.operations, masterKeys, now: clock.now() }
    // The connections are made beforehand, so that all instances start at the same point.
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.operations.acquire()))
    for (const client of clients) client.release()
    await Promise.all(Array.from({ length: 8 }, () => rotateSigningKeys(settings)))
    assert.equal((await stored(ground)).length, 1)
  })

  it('is rewrapped under a new master key, and the old master key is no longer needed', async () => {
    await using ground = await prepareGround()
    await using before = await startInstance(ground)
    const { database, masterKeys, clock } = ground
    const token = await takeToken(before)
    const next = masterKeyFromBytes(randomBytes(32))
    const both = gatherMasterKeys(next, masterKeys.current)
    const settings = { operations: database.operations, now: clock.now() }
    assert.equal(await rewrapSigningKeys({ ...settings, masterKeys: both }), 1)
    assert.equal(await rewrapSigningKeys({ ...settings, masterKeys: both }), 0)
    await using after = await startInstance({ ...ground, masterKeys: gatherMasterKeys(next) })
    assert.equal(await verdict(after, token), 'known')
    assert.equal(kidOf(await takeToken(after)), kidOf(token))
  })

  it('verifies tokens even if its master key is not available', async () => {
    await using ground = await prepareGround()
    await using before = await startInstance(ground)
    const token = await takeToken(before)
    const strange = { ...ground, masterKeys: gatherMasterKeys(masterKeyFromBytes(randomBytes(32))) }
    await using after = await startInstance(strange)
    assert.equal(await verdict(after, token), 'known')
    assert.equal(after.faults.length, 1)
  })

  it('does not open under the id of another key or with halves of two keys', async () => {
    const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
    const times = { now: new Date(0), activeFrom: new Date(0) }
    const [one, two] = [await makeSigningKey(masterKeys, times), await makeSigningKey(masterKeys, times)]
    assert.ok((await openSigningKey(masterKeys, one)).privateKey)
    await assert.rejects(openSigningKey(masterKeys, { ...one, wrapped: two.wrapped }))
    await assert.rejects(openSigningKey(masterKeys, { ...one, publicJwk: two.publicJwk }))
    await assert.rejects(openSigningKey(masterKeys, { ...two, kid: one.kid }))
    const strange = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const bytes = strange.export({ format: 'der', type: 'pkcs8' })
    const wrapped = await masterKeys.current.wrap(bytes, JSON.stringify(['signing key', one.kid]))
    await assert.rejects(openSigningKey(masterKeys, { ...one, wrapped }), /halves/)
  })
})

describe('the plan of a rotation', () => {
  const base = { publicJwk: {} as never, masterKeyId: 'mk', createdAt: new Date(0) }
  it('makes a key if no key can sign', () => {
    const now = new Date(day)
    const make = { kind: 'make', activeFrom: now }
    assert.deepEqual(planRotation([], now), [make])
    const waiting = {
      ...base,
      kid: 'w',
      wrapped: Buffer.of(1),
      activeFrom: new Date(2 * day),
      retiredAt: null,
    }
    assert.deepEqual(planRotation([waiting], now), [{ kind: 'retire', kid: 'w', at: now }, make])
    const publicOnly = {
      ...base,
      kid: 'p',
      wrapped: null,
      masterKeyId: null,
      activeFrom: new Date(0),
      retiredAt: null,
    }
    assert.deepEqual(planRotation([publicOnly], now), [{ kind: 'retire', kid: 'p', at: now }, make])
  })
})
