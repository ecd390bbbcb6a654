import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import { openChangeListener } from '../database/change-listener.ts'
import { DatabaseUnavailable } from '../database/faults.ts'
import { openPool } from '../database/pool.ts'
import { directoryTimes, openDirectory } from './directory/directory.ts'
import { chooseSigningKey } from './keys/signing-key.ts'
import {
  alpha,
  askToken,
  beta,
  forge,
  here,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
  takeToken,
  testIssuer,
} from './test-service.ts'

let ground: TestGround
let one: TestInstance
let two: TestInstance
before(async () => {
  ground = await prepareGround()
  one = await startInstance(ground)
  two = await startInstance(ground)
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})
beforeEach(() =>
  run('update clearing.credential set disabled_at = null; update clearing.firm set disabled_at = null'),
)

async function run(sql: string) {
  const client = await ground.database.operations.acquire()
  try {
    await client.query(sql)
  } finally {
    client.release()
  }
}
async function verdict(instance: TestInstance, token: string) {
  return (await instance.identity.authenticate(token, here)).kind
}
/** Waits for an effect that NOTIFY triggers within milliseconds; the guaranteed limit is five seconds. */
async function soon(instance: TestInstance, token: string, wanted: string) {
  const until = performance.now() + limits.disabledClientSecondsMax * 1000
  for (;;) {
    const askedMs = performance.now()
    if ((await verdict(instance, token)) === wanted) return
    assert.ok(askedMs < until, `the token is still not ${wanted}`)
    await pause(5)
  }
}

describe('revocation in every instance', () => {
  const switches: [string, string][] = [
    ['client is disabled', "update clearing.credential set disabled_at = now() where client_id = 'alpha'"],
    ['firm is disabled', "update clearing.firm set disabled_at = now() where name = 'Alpha Securities'"],
    [
      'secret is revoked',
      "update clearing.credential_secret set revoked_at = now() where client_id = 'alpha'",
    ],
    ['signing key is removed', 'delete from clearing.signing_key'],
  ]
  for (const [when, sql] of switches) {
    it(`a token is refused after its ${when} by a plain statement`, async () => {
      const [first, second, others] = [await takeToken(one), await takeToken(two), await takeToken(one, beta)]
      for (const token of [first, second]) {
        assert.equal(await verdict(one, token), 'known')
        assert.equal(await verdict(two, token), 'known')
      }
      await run(sql)
      for (const token of [first, second]) {
        await soon(one, token, 'invalid')
        await soon(two, token, 'invalid')
      }
      if (when === 'signing key is removed') await one.identity.rotateSigningKeys()
      else assert.equal(await verdict(two, others), 'known')
      await run("update clearing.credential_secret set revoked_at = null where client_id = 'alpha'")
    })
  }

  it('a token stays refused when its client or firm is enabled again, and new tokens are accepted', async () => {
    for (const [table, column, value] of [
      ['credential', 'client_id', 'alpha'],
      ['firm', 'name', 'Alpha Securities'],
    ]) {
      const old = await takeToken(one)
      await run(`update clearing.${table} set disabled_at = now() where ${column} = '${value}'`)
      await soon(two, old, 'invalid')
      await run(`update clearing.${table} set disabled_at = null where ${column} = '${value}'`)
      const fresh = await takeToken(one)
      assert.equal(await verdict(one, fresh), 'known')
      await soon(two, fresh, 'known')
      assert.equal(await verdict(one, old), 'invalid')
      assert.equal(await verdict(two, old), 'invalid')
    }
  })

  it('a token stays valid when its firm changes in other ways', async () => {
    const token = await takeToken(one)
    await run("update clearing.firm set name = 'Alpha Securities' where name = 'Alpha Securities'")
    await run("update clearing.credential_secret set expires_at = now() where client_id = 'alpha'")
    await one.identity.directory.latest()
    assert.equal(await verdict(one, token), 'known')
    await run("update clearing.credential_secret set expires_at = null where client_id = 'alpha'")
  })

  it('a token is refused even if it has the generation after the disabling', async () => {
    const { client_id: sub } = alpha
    for (const sql of [
      "update clearing.credential set disabled_at = now() where client_id = 'alpha'",
      "update clearing.firm set disabled_at = now() where name = 'Alpha Securities'",
    ]) {
      await run(sql)
      const snapshot = await one.identity.directory.latest()
      const iat = Math.floor(ground.clock.now().getTime() / 1000)
      const generation = snapshot.credentials.get(sub)?.generation
      const claims = {
        iss: testIssuer,
        aud: testIssuer,
        sub,
        client_id: sub,
        iat,
        exp: iat + 60,
        jti: sql,
        generation,
      }
      const key = chooseSigningKey(snapshot.signingKeys.values(), ground.clock.now())
      assert.ok(key)
      const token = forge(key, { alg: 'ES256', typ: 'at+jwt', kid: key.kid }, claims)
      assert.equal(await verdict(one, token), 'invalid')
      await run(
        'update clearing.credential set disabled_at = null; update clearing.firm set disabled_at = null',
      )
      await one.identity.directory.latest()
      assert.equal(await verdict(one, token), 'known')
    }
  })

  it('a disabled client gets no token from any instance', async () => {
    await run("update clearing.credential set disabled_at = now() where client_id = 'beta'")
    await one.identity.directory.latest()
    await two.identity.directory.latest()
    assert.equal((await askToken(one, beta)).status, 401)
    assert.equal((await askToken(two, beta)).status, 401)
    assert.equal((await askToken(two, alpha)).status, 200)
  })
})

describe('changes in one instance take effect in another', () => {
  it('a token signed with a new key is accepted before the other instance knows the key', async () => {
    for (let round = 0; round < 3; round++) {
      await one.identity.rotateSigningKeys({ atOnce: true })
      const token = await takeToken(one)
      await soon(two, token, 'known')
    }
  })

  it('a new client gets its first token from any instance', async () => {
    for (let round = 0; round < 5; round++) {
      await run(`insert into clearing.credential (client_id, firm_id, name, scopes, created_at)
        select 'new-${round}', firm_id, 'new', '{accounts:read}', now() from clearing.firm where name = 'Alpha Securities';
        insert into clearing.credential_secret (secret_id, client_id, firm_id, secret_hash, created_at)
        select gen_random_uuid(), 'new-${round}', firm_id, '\\x${'00'.repeat(32)}', now() from clearing.firm where name = 'Alpha Securities';
        update clearing.credential_secret
        set secret_hash = sha256(convert_to(secret_id || ' secret', 'UTF8')) where client_id = 'new-${round}'`)
      const form = { client_id: `new-${round}`, client_secret: 'secret' }
      const token = await takeToken(two, form)
      assert.equal(await verdict(one, token), 'known')
    }
  })
})

describe('the directory', () => {
  const open = (clockMs: () => number, pool = ground.database.operations) =>
    openDirectory({
      operations: pool,
      masterKeys: ground.masterKeys,
      now: ground.clock.now,
      onFault: () => {},
      clockMs,
    })

  it('uses no snapshot older than four seconds, with or without notifications', async () => {
    let ms = 0
    const directory = open(() => ms)
    const snapshot = await directory.current()
    ms = directoryTimes.ageMsMax - 1
    assert.equal(directory.known(), snapshot)
    ms = directoryTimes.ageMsMax * 2
    assert.equal(directory.known(), undefined)
    await run("update clearing.credential set disabled_at = now() where client_id = 'beta'")
    const after = await directory.current()
    assert.notEqual(after.credentials.get('beta')?.disabledAt, null)
  })

  it('keeps its snapshot if nothing has changed', async () => {
    const directory = open(() => 0)
    const snapshot = await directory.latest()
    assert.equal(await directory.latest(), snapshot)
    await run("update clearing.firm set name = name where name = 'Alpha Securities'")
    assert.notEqual(await directory.latest(), snapshot)
  })

  it('confirms its snapshot before each use while its own change is being committed', async () => {
    let ms = 0
    const directory = open(() => ms)
    await directory.latest()
    assert.ok(directory.known())
    directory.expectChange()
    assert.equal(directory.known(), undefined)
    await run("update clearing.firm set name = 'Alpha Securities' where name = 'Alpha Securities'")
    assert.ok((await directory.current()).version > 1n)
    ms = directoryTimes.expectingMs
    assert.ok(directory.known())
  })

  it('shares one query among concurrent callers, but not one that began before their calls', async () => {
    const directory = open(() => 0)
    const [running, ...next] = [
      directory.latest(),
      directory.latest(),
      directory.latest(),
      directory.latest(),
    ]
    assert.equal(next[0], next[1])
    assert.equal(next[1], next[2])
    assert.notEqual(running, next[0])
    await Promise.all([running, ...next])
  })

  it('admits no client if the database is unavailable for longer', async () => {
    let ms = 0
    const { urls } = ground.database
    const pool = openPool({ name: 'operations', url: urls.operations })
    const directory = open(() => ms, pool)
    await directory.current()
    await pool.end()
    ms = directoryTimes.ageMsMax - 1
    assert.ok(directory.known())
    ms = directoryTimes.ageMsMax
    await assert.rejects(directory.current(), DatabaseUnavailable)
  })

  it('receives notifications again after the connection of its listener was cut', async () => {
    await using listener = openChangeListener(ground.database.operations, 'clearing_identity')
    const waiting: (() => void)[] = []
    listener.onChange(() => waiting.shift()?.())
    const next = () => new Promise<void>((done) => waiting.push(done))
    let heard = next()
    await heard
    assert.ok(listener.listening())
    heard = next()
    await run("update clearing.firm set name = 'Alpha Securities' where name = 'Alpha Securities'")
    await heard
    heard = next()
    const superuser = openPool({ name: 'owner', url: ground.database.urls.superuser })
    try {
      const client = await superuser.acquire()
      // Listeners of other tests are in other databases of the server.
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
      )
      client.release()
    } finally {
      await superuser.end()
    }
    await heard
    const token = await takeToken(one, beta)
    assert.equal(await verdict(one, token), 'known')
    await run("update clearing.credential set disabled_at = now() where client_id = 'beta'")
    await soon(one, token, 'invalid')
    await soon(two, token, 'invalid')
  })
})
