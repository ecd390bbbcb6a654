import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OperationName, Request } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { makeCredential } from '../changes/make-credential.ts'
import { inTransaction } from '../database/transaction.ts'
import { createKeyring, type Keyring } from '../encryption/keyring.ts'
import {
  askToken,
  here,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
} from '../identity/test-service.ts'
import { readCredential } from '../store/credentials.ts'
import { clearingFirmId, defaultSettings, loadFirmKeys } from '../store/firms.ts'
import type { Context, Handler, Outcome } from './context.ts'
import { createCredential } from './create-credential.ts'
import { createFirm } from './create-firm.ts'
import { disableCredential } from './disable-credential.ts'
import { listFirms } from './list-firms.ts'
import type { Parts } from './parts.ts'
import { rotateCredential } from './rotate-credential.ts'
import { updateFirm } from './update-firm.ts'

let ground: TestGround
let service: TestInstance
let keyring: Keyring
before(async () => {
  ground = await prepareGround()
  keyring = createKeyring({
    masterKeys: ground.masterKeys,
    loadFirmKeys: (firmId) => loadFirmKeys(ground.database.app, firmId),
  })
  service = await startInstance(ground)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

let expected = 0
function expectChange() {
  expected++
  service.identity.expectChange()
}

/** Runs an operation as the server does: a rejected request leaves nothing. */
async function ask<N extends OperationName>(handler: Handler<N>, request: Request<N>): Promise<Outcome<N>> {
  return inTransaction(ground.database.operations, { firm: null }, async (tx) => {
    const context = {
      tx,
      firm: {
        firmId: clearingFirmId,
        name: '',
        entityNumbers: new Set(),
        repCodes: new Set(),
        settings: defaultSettings,
      },
      caller: { clientId: 'operations', scopes: new Set(['operations']) },
      now: ground.clock.now(),
      traceId: '00-11111111111111111111111111111111-2222222222222222-01',
      parts: { identity: { ...service.identity, expectChange }, keyring } as unknown as Parts,
      body: { kind: 'json', text: '{}' },
      refused: { rejections: [], paths: new Set() },
    } as unknown as Context
    const outcome = await handler(request, context)
    if (outcome instanceof Rejected) tx.abandon()
    return outcome
  })
}
async function done<N extends OperationName>(handler: Handler<N>, request: Request<N>) {
  const before = expected
  const outcome = await ask(handler, request)
  assert.ok(!(outcome instanceof Rejected), JSON.stringify(outcome))
  assert.ok(
    handler === (listFirms as unknown) || expected > before,
    'the process received no notification of the change',
  )
  // biome-ignore lint/suspicious/noExplicitAny: the tests inspect the data of every operation
  return outcome as any
}
async function refused<N extends OperationName>(handler: Handler<N>, request: Request<N>) {
  const outcome = await ask(handler, request)
  assert.ok(outcome instanceof Rejected, JSON.stringify(outcome))
  return outcome.rejections.map(({ code, field }) => `${code} ${field}`)
}
async function verdict(token: string) {
  return (await service.identity.authenticate(token, here)).kind
}
async function take(clientId: string, clientSecret: string) {
  const answer = await askToken(service, { client_id: clientId, client_secret: clientSecret })
  return answer.status === 200 ? (answer.json.access_token as string) : undefined
}

describe('create-firm', () => {
  it('makes a firm with its numbers, codes, settings and keys, and its clients get tokens', async () => {
    const firm = await done(createFirm, {
      name: 'Gamma Advisers',
      entityNumbers: ['303', 4],
      repCodes: ['GA01'],
      settings: { requestsPerSecond: 50 },
    })
    assert.deepEqual(
      { ...firm, firmId: '' },
      {
        firmId: '',
        name: 'Gamma Advisers',
        entityNumbers: ['004', '303'],
        repCodes: ['GA01'],
        settings: {
          duplicateApplications: 'Flag',
          documentCatalogueClosed: false,
          requestsPerSecond: 50,
          keysOnly: false,
          changesNeedingApproval: [],
        },
        disabled: false,
        createdOn: '2026-06-15T14:30:00.250000Z',
      },
    )
    const keys = await loadFirmKeys(ground.database.app, firm.firmId)
    assert.deepEqual(keys.map(({ purpose, keyId }) => `${purpose} ${keyId}`).sort(), ['data 1', 'index 1'])
    const { clientId, clientSecret } = await done(createCredential, { firmId: firm.firmId, name: 'First' })
    const known = await service.identity.authenticate((await take(clientId, clientSecret)) as string, here)
    assert.ok(known.kind === 'known')
    assert.deepEqual([...known.firm.entityNumbers], ['004', '303'])
    assert.equal(known.firm.settings.requestsPerSecond, 50)
  })

  it('refuses every number and code of another firm, and then makes nothing', async () => {
    const found = await refused(createFirm, {
      name: 'Delta',
      entityNumbers: ['310', '301'],
      repCodes: ['DE01', 'JC01', 'BB01'],
    })
    assert.deepEqual(found, ['ERR.1014 entityNumbers[1]', 'ERR.1014 repCodes[1]', 'ERR.1014 repCodes[2]'])
    const { firms } = await done(listFirms, {})
    assert.ok(!firms.some((firm: { name: string }) => firm.name === 'Delta'))
    await done(createFirm, { name: 'Epsilon', entityNumbers: ['310'], repCodes: ['DE01'] })
  })

  it('refuses repeats in a list and empty lists', async () => {
    const lists = { entityNumbers: ['320', 320], repCodes: ['ZE01', 'ZE01'] }
    assert.deepEqual(await refused(createFirm, { name: 'Zeta', ...lists }), [
      'ERR.1014 entityNumbers[1]',
      'ERR.1014 repCodes[1]',
    ])
    assert.deepEqual(await refused(createFirm, { name: 'Zeta', entityNumbers: [], repCodes: [] }), [
      'ERR.1000 entityNumbers',
      'ERR.1000 repCodes',
    ])
  })

  it('gives a number to only one of two firms that are made at the same time', async () => {
    const outcomes = await Promise.all(
      ['RA01', 'RA02', 'RA03', 'RA04'].map((code) =>
        ask(createFirm, { name: `Race ${code}`, entityNumbers: ['330'], repCodes: [code] }),
      ),
    )
    assert.equal(outcomes.filter((outcome) => !(outcome instanceof Rejected)).length, 1)
  })
})

describe('update-firm', () => {
  it('adds numbers and codes and changes the given members, and the next request sees the changes', async () => {
    const firm = await done(createFirm, { name: 'Eta', entityNumbers: ['340'], repCodes: ['ET01'] })
    const { clientId, clientSecret } = await done(createCredential, { firmId: firm.firmId, name: 'x' })
    const token = (await take(clientId, clientSecret)) as string
    assert.equal(await verdict(token), 'known')
    const changed = await done(updateFirm, {
      firmId: firm.firmId.toUpperCase(),
      addEntityNumbers: ['341', '340'],
      addRepCodes: ['ET02'],
      settings: { documentCatalogueClosed: true },
    })
    assert.deepEqual(
      [changed.name, changed.entityNumbers, changed.repCodes],
      ['Eta', ['340', '341'], ['ET01', 'ET02']],
    )
    const known = await service.identity.authenticate(token, here)
    assert.ok(known.kind === 'known')
    assert.deepEqual([...known.firm.repCodes], ['ET01', 'ET02'])
    assert.equal(known.firm.settings.documentCatalogueClosed, true)
    const renamed = await done(updateFirm, {
      firmId: firm.firmId,
      name: 'Eta Two',
      settings: { requestsPerSecond: 7 },
    })
    assert.deepEqual(renamed.settings, {
      ...defaultSettings,
      documentCatalogueClosed: true,
      requestsPerSecond: 7,
    })
    assert.equal(renamed.name, 'Eta Two')
  })

  it('revokes the tokens of a disabled firm, and its clients get new tokens when it is enabled', async () => {
    const firm = await done(createFirm, { name: 'Theta', entityNumbers: ['350'], repCodes: ['TH01'] })
    const { clientId, clientSecret } = await done(createCredential, { firmId: firm.firmId, name: 'x' })
    const token = (await take(clientId, clientSecret)) as string
    const disabled = await done(updateFirm, { firmId: firm.firmId, disabled: true })
    assert.equal(disabled.disabled, true)
    assert.equal(await verdict(token), 'invalid')
    assert.equal(await take(clientId, clientSecret), undefined)
    await done(updateFirm, { firmId: firm.firmId, name: 'Theta Still Disabled' })
    assert.equal(await take(clientId, clientSecret), undefined)
    await done(updateFirm, { firmId: firm.firmId, disabled: false })
    assert.equal(await verdict((await take(clientId, clientSecret)) as string), 'known')
    assert.equal(await verdict(token), 'invalid')
  })

  it('refuses the whole request for a number or code of another firm, or for an unknown firm', async () => {
    const firm = await done(createFirm, { name: 'Iota', entityNumbers: ['360'], repCodes: ['IO01'] })
    const found = await refused(updateFirm, {
      firmId: firm.firmId,
      name: 'Changed',
      addEntityNumbers: ['302'],
      addRepCodes: ['IO02', 'JC02'],
    })
    assert.deepEqual(found, ['ERR.1014 addEntityNumbers[0]', 'ERR.1014 addRepCodes[1]'])
    const { firms } = await done(listFirms, {})
    const same = firms.find((each: { firmId: string }) => each.firmId === firm.firmId)
    assert.deepEqual([same.name, same.repCodes], ['Iota', ['IO01']])
    for (const firmId of ['00000000-0000-4000-8000-00000000ffff', 'x', "' or 1=1 --", ''])
      assert.deepEqual(await refused(updateFirm, { firmId }), ['ERR.2013 firmId'])
    assert.deepEqual(await refused(updateFirm, { firmId: clearingFirmId, disabled: true }), [
      'ERR.1015 disabled',
    ])
  })
})

describe('credentials', () => {
  const alphaFirm = '00000000-0000-4000-8000-000000000301'

  it('are made with the named scopes or all scopes of their firm, and with a secret that is shown once and not stored', async () => {
    const made = await done(createCredential, {
      firmId: alphaFirm,
      clientId: 'alpha-batch',
      name: 'Batch',
      scopes: ['positions:read'],
    })
    assert.match(made.clientSecret, /^[A-Za-z0-9_-]{43}$/)
    assert.deepEqual([made.clientId, made.scopes, made.disabled], ['alpha-batch', ['positions:read'], false])
    assert.equal(made.secrets.length, 1)
    const all = await done(createCredential, { firmId: alphaFirm, name: 'All' })
    assert.match(all.clientId, /^client-[0-9a-f]{20}$/)
    assert.equal(all.scopes.length, 8)
    assert.ok(!all.scopes.includes('operations'))
    const operations = await done(createCredential, { firmId: clearingFirmId, name: 'Second of operations' })
    assert.deepEqual(operations.scopes, ['operations'])
    const client = await ground.database.operations.acquire()
    const { rows } = await client.query(
      `select count(*)::int as found from (
      select to_jsonb(t)::text as row from clearing.credential t union all select to_jsonb(t)::text from clearing.credential_secret t
      union all select to_jsonb(t)::text from clearing.audit t) as rows where row like '%' || $1 || '%'`,
      [made.clientSecret],
    )
    client.release()
    assert.equal(rows[0].found, 0)
    const listed = JSON.stringify(await done(listFirms, {}))
    assert.ok(!listed.includes(made.clientSecret) && listed.includes('alpha-batch'))
  })

  it('are refused for a client id that is taken in any letter case, text that is not an id, and scopes that the firm cannot have', async () => {
    const make = (request: Partial<Request<'create-credential'>>) =>
      refused(createCredential, { firmId: alphaFirm, name: 'x', ...request })
    assert.deepEqual(await make({ clientId: 'beta' }), ['ERR.1014 clientId'])
    assert.deepEqual(await make({ clientId: 'ALPHA' }), ['ERR.1014 clientId'])
    assert.deepEqual(await make({ clientId: '-x' }), ['ERR.1016 clientId'])
    assert.deepEqual(await make({ clientId: 'a b' }), ['ERR.1016 clientId'])
    assert.deepEqual(await make({ scopes: ['accounts:read', 'operations'] }), ['ERR.1015 scopes[1]'])
    assert.deepEqual(await make({ scopes: ['accounts:read', 'accounts:read'] }), ['ERR.1014 scopes[1]'])
    assert.deepEqual(await make({ scopes: [] }), ['ERR.1000 scopes'])
    assert.deepEqual(await make({ firmId: 'x' }), ['ERR.2013 firmId'])
  })

  it('have at most two secrets during a rotation, and tokens of the old secret stay valid', async () => {
    const made = await done(createCredential, { firmId: alphaFirm, clientId: 'rotating', name: 'x' })
    const token = (await take('rotating', made.clientSecret)) as string
    ground.clock.move(1_000)
    const second = await done(rotateCredential, { clientId: 'rotating', overlapHours: 2 })
    assert.equal(second.secrets.length, 2)
    assert.deepEqual(
      second.secrets.map(({ expiresOn }: { expiresOn: string }) => expiresOn),
      [null, new Date(ground.clock.now().getTime() + 7_200_000).toISOString()],
    )
    assert.ok(await take('rotating', made.clientSecret))
    assert.ok(await take('rotating', second.clientSecret))
    ground.clock.move(1_000)
    const third = await done(rotateCredential, { clientId: 'rotating' })
    assert.equal(third.secrets.length, 2)
    assert.equal(await take('rotating', made.clientSecret), undefined)
    assert.ok(await take('rotating', second.clientSecret))
    assert.equal(await verdict(token), 'known')
    ground.clock.move(24 * 3_600_000 - 1)
    assert.ok(await take('rotating', second.clientSecret))
    ground.clock.move(1)
    assert.equal(await take('rotating', second.clientSecret), undefined)
    assert.ok(await take('rotating', third.clientSecret))
  })

  it('lose an old secret and its tokens at once if overlapHours is 0', async () => {
    const made = await done(createCredential, { firmId: alphaFirm, clientId: 'leaked', name: 'x' })
    const token = (await take('leaked', made.clientSecret)) as string
    const fresh = await done(rotateCredential, { clientId: 'leaked', overlapHours: 0 })
    assert.equal(fresh.secrets.length, 1)
    assert.equal(await verdict(token), 'invalid')
    assert.equal(await take('leaked', made.clientSecret), undefined)
    assert.equal(await verdict((await take('leaked', fresh.clientSecret)) as string), 'known')
    assert.deepEqual(await refused(rotateCredential, { clientId: 'nobody' }), ['ERR.2013 clientId'])
  })

  it('have one new secret if two rotations run at the same time', async () => {
    await done(createCredential, { firmId: alphaFirm, clientId: 'raced', name: 'x' })
    const rotated = await Promise.all(
      Array.from({ length: 4 }, () => done(rotateCredential, { clientId: 'raced', overlapHours: 0 })),
    )
    const works = await Promise.all(rotated.map(({ clientSecret }) => take('raced', clientSecret)))
    assert.equal(works.filter(Boolean).length, 1)
  })

  it('can be disabled and enabled, but a credential cannot disable itself', async () => {
    const made = await done(createCredential, { firmId: alphaFirm, clientId: 'off', name: 'x' })
    const token = (await take('off', made.clientSecret)) as string
    assert.equal((await done(disableCredential, { clientId: 'off' })).disabled, true)
    assert.equal(await verdict(token), 'invalid')
    assert.equal(await take('off', made.clientSecret), undefined)
    assert.equal((await done(disableCredential, { clientId: 'off', disabled: false })).disabled, false)
    assert.ok(await take('off', made.clientSecret))
    assert.deepEqual(await refused(disableCredential, { clientId: 'operations' }), ['ERR.1015 clientId'])
    assert.deepEqual(await refused(disableCredential, { clientId: 'nobody' }), ['ERR.2013 clientId'])
  })

  it('leave an audit row for each change in the chain of the clearing firm', async () => {
    const client = await ground.database.operations.acquire()
    const { rows } = await client.query(
      'select action, actor, target, detail from clearing.audit where firm_id = $1 order by sequence desc limit 1',
      [clearingFirmId],
    )
    client.release()
    assert.deepEqual(
      [rows[0].action, rows[0].actor, rows[0].target],
      ['disable-credential', 'operations', 'off'],
    )
  })

  it('are not made in part when another cell has the client id: the refusal leaves nothing to commit', async () => {
    const { firmId } = await done(createFirm, {
      name: 'Elsewhere',
      entityNumbers: ['370'],
      repCodes: ['EL01'],
    })
    const made = {
      clientId: 'elsewhere',
      firmId,
      name: 'Taken',
      scopes: ['accounts:read' as const],
      secretId: firmId,
      hash: '00',
    }
    const claim = { kind: 'clientId', name: made.clientId, cell: 'other' }
    const parts = { identity: service.identity, cells: { claimClientIds: async () => [claim] } }
    const at = service.identity.now()
    const found = await inTransaction(ground.database.operations, { firm: null }, async (tx) => {
      const refused = await makeCredential(made, { tx, parts } as unknown as Context)
      return { refused, stored: await readCredential(tx, made.clientId, at) }
    })
    assert.deepEqual(
      found.refused.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1014 clientId'],
    )
    assert.equal(found.stored, undefined)
  })
})
