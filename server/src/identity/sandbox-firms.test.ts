import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createTestDatabase } from '../database/test-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import { insertSecret, readCredentials, revokeSecrets } from '../store/credentials.ts'
import { readFirmKeys, readFirms } from '../store/firms.ts'
import { hashClientSecret } from './endpoint/client-secret.ts'
import { createFirstOperationsCredential, ensureClearingFirm } from './first-credential.ts'
import { findSandboxSecrets, sandboxFirms, seedSandboxFirms } from './sandbox-firms.ts'
import { askToken, prepareGround, startInstance } from './test-service.ts'

const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
const now = new Date('2026-06-15T12:00:00Z')
function everything(operations: Parameters<typeof inTransaction>[0]) {
  return inTransaction(operations, { firm: null, readOnly: true }, async (tx) => {
    const firms = await readFirms(tx)
    const keys = await Promise.all(firms.map(({ firmId }) => readFirmKeys(tx, firmId)))
    return { firms, keys, credentials: await readCredentials(tx, now) }
  })
}

describe('the firms of the sandbox', () => {
  it('are made once, also by concurrent instances, and keep the changes of a user', async () => {
    await using database = await createTestDatabase()
    const settings = { operations: database.operations, masterKeys, now }
    await Promise.all([seedSandboxFirms(settings), seedSandboxFirms(settings), seedSandboxFirms(settings)])
    const first = await everything(database.operations)
    assert.deepEqual(
      first.firms.map(({ name, entityNumbers, repCodes }) => [name, entityNumbers, repCodes]).sort(),
      [
        ['Alpha Securities', ['301'], ['JC01', 'JC02']],
        ['Beta Brokerage', ['302'], ['BB01']],
        ['Clearing operations', [], []],
      ],
    )
    assert.deepEqual(
      first.keys.map((keys) => keys.length),
      [2, 2, 2],
    )
    await inTransaction(database.operations, { firm: null }, (tx) => revokeSecrets(tx, 'alpha', now))
    const changed = await everything(database.operations)
    await seedSandboxFirms(settings)
    assert.deepEqual(await everything(database.operations), changed)
  })

  it('get tokens for the secrets of the documentation', async () => {
    await using ground = await prepareGround()
    await using instance = await startInstance(ground)
    for (const [clientId, secret] of [
      ['alpha', 'alpha-sandbox-secret'],
      ['beta', 'beta-sandbox-secret'],
      ['operations', 'operations-sandbox-secret'],
    ] as const)
      assert.equal((await askToken(instance, { client_id: clientId, client_secret: secret })).status, 200)
  })

  it('are found while one of their secrets works for any client, so that production does not start', async () => {
    await using database = await createTestDatabase()
    const { operations } = database
    const clients = async () => (await findSandboxSecrets(operations, now)).map(({ clientId }) => clientId)
    assert.deepEqual(await clients(), [])
    await seedSandboxFirms({ operations, masterKeys, now })
    assert.deepEqual(await clients(), ['alpha', 'beta', 'operations'])
    await inTransaction(operations, { firm: null }, async (tx) => {
      for (const { clientId } of sandboxFirms) await revokeSecrets(tx, clientId, now)
    })
    assert.deepEqual(await clients(), [])
    const secretId = '00000000-0000-4000-8000-00000000abcd'
    const hash = hashClientSecret(secretId, 'beta-sandbox-secret')
    await inTransaction(operations, { firm: null }, (tx) =>
      insertSecret(tx, { secretId, clientId: 'alpha', hash, at: now }),
    )
    assert.deepEqual(await findSandboxSecrets(operations, now), [{ clientId: 'alpha', secretId }])
  })
})

describe('the first credential of operations', () => {
  it('is made once and its secret is shown, and another one is made only by force', async () => {
    await using ground = await prepareGround()
    const { database, masterKeys, clock } = ground
    await inTransaction(database.operations, { firm: null }, (tx) =>
      revokeSecrets(tx, 'operations', clock.now()),
    )
    const settings = { operations: database.operations, masterKeys, now: clock.now() }
    const made = await createFirstOperationsCredential(settings)
    assert.ok(made.kind === 'made')
    assert.match(made.clientSecret, /^[A-Za-z0-9_-]{43}$/)
    assert.deepEqual(await createFirstOperationsCredential(settings), {
      kind: 'exists',
      clientIds: [made.clientId],
    })
    const forced = await createFirstOperationsCredential({ ...settings, force: true })
    assert.ok(forced.kind === 'made' && forced.clientId !== made.clientId)
    await using instance = await startInstance(ground)
    for (const { clientId, clientSecret } of [made, forced]) {
      const answer = await askToken(instance, { client_id: clientId, client_secret: clientSecret })
      assert.equal(answer.json.scope, 'operations')
    }
  })

  it('has the name operations in a new database, and is made once by two concurrent processes', async () => {
    await using database = await createTestDatabase()
    const settings = { operations: database.operations, masterKeys, now }
    await ensureClearingFirm(settings)
    const both = await Promise.all([
      createFirstOperationsCredential(settings),
      createFirstOperationsCredential(settings),
    ])
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['exists', 'made'])
    const { credentials } = await everything(database.operations)
    assert.deepEqual(
      credentials.map(({ clientId }) => clientId),
      ['operations'],
    )
    const client = await database.operations.acquire()
    const { rows } = await client.query('select action, target from clearing.audit')
    client.release()
    assert.deepEqual(rows, [{ action: 'create-operations-credential', target: 'operations' }])
  })
})
