import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operations } from '@clearing/protocol'
import { readConfig } from '../config/config.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { until } from '../database/test-waiting.ts'
import { createLog } from '../observe/log.ts'
import { type Service, startService } from '../service.ts'

let database: TestDatabase
let folder: string
let service: Service
let token: string
before(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'follow-ups-'))
  const environment = { PORT: '0', DATA_DIR: folder, DATABASE_URL: database.urls.owner }
  service = await startService(readConfig(environment, ['--empty']), createLog('silent'))
  const answer = await fetch(`${service.address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }),
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

// biome-ignore lint/suspicious/noExplicitAny: the test inspects responses of several operations
async function ask(operation: string, request: object): Promise<any> {
  const answer = await fetch(`${service.address}/account-api/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const envelope = (await answer.json()) as { data: unknown }
  assert.equal(answer.status, 200, JSON.stringify(envelope))
  return envelope.data
}
async function settled(accountNumber: string) {
  return until(`the end of the work on ${accountNumber}`, async () => {
    const result = await ask('onboarding-result', { accountNumber })
    return !['Submitted', 'Screening', 'AccountCreation'].includes(result.currentState) && result
  })
}

const box = {
  street: 'PO Box 12',
  city: 'Jersey City',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}
const joint = operations['new-account'].examples[1]?.request as {
  primaryOwner: object
  associatedParties: object[]
}

for (const [where, application, correct] of [
  [
    'the owner',
    { ...joint, primaryOwner: { ...joint.primaryOwner, legalAddress: box } },
    () => ({ primaryOwner: { legalAddress: { street: '14 Main St' } } }),
  ],
  [
    'an associated party',
    { ...joint, associatedParties: [{ ...joint.associatedParties[0], legalAddress: box }] },
    (customerId: string) => ({ associatedParties: [{ customerId, legalAddress: { street: '14 Main St' } }] }),
  ],
] as const) {
  test(`a post office box of ${where} causes a follow-up, and the account opens after a street is given`, async () => {
    const { message } = await ask('new-account', application)
    const { accountNumber } = message
    const asked = await settled(accountNumber)
    assert.equal(asked.currentState, 'ActionRequired')
    assert.deepEqual(
      asked.followUps.map(({ code, kind, status }: { [name: string]: string }) => [code, kind, status]),
      [['FieldCorrection', 'Field', 'Open']],
    )
    const [party] = message.associatedParties
    const changed = await ask('update-account', { accountNumber, ...correct(party.customerId) })
    assert.equal(changed.accountStatus, 'Pending')
    const opened = await settled(accountNumber)
    assert.equal(opened.currentState, 'CreationComplete')
    assert.equal(opened.followUps[0].status, 'Accepted')
  })
}

let owners = 0
/** An application of another person than the others, so that it is no repeat. */
function ofOwner(changes: object) {
  owners += 1
  const primaryOwner = { ...joint.primaryOwner, taxIdNumber: `40112${4000 + owners}`, ...changes }
  return { ...joint, registrationType: 'Individual', associatedParties: [], primaryOwner }
}

function withAssociate() {
  const { primaryOwner } = ofOwner({})
  return { ...joint, primaryOwner, associatedParties: [{ ...joint.associatedParties[0], role: 'Associate' }] }
}
for (const [what, application, correct] of [
  [
    'the associate of a joint account becomes its joint owner',
    withAssociate(),
    (customerId: string) => ({ associatedParties: [{ customerId, role: 'Secondary' }] }),
  ],
  [
    'a joint owner is added',
    withAssociate(),
    () => ({ associatedParties: [{ ...joint.associatedParties[0], taxIdNumber: '401128887' }] }),
  ],
  [
    'the company is named in the other field',
    ofOwner({ affiliation: { industry: 'true' } }),
    () => ({ primaryOwner: { affiliation: { name: 'Bayside Securities' } } }),
  ],
  [
    'the owner has no affiliation',
    ofOwner({ affiliation: { industry: 'true' } }),
    () => ({ primaryOwner: { affiliation: { industry: 'false' } } }),
  ],
  [
    'the source of funds is not Other any more',
    ofOwner({ sourceOfFunds: ['Other'] }),
    () => ({ primaryOwner: { sourceOfFunds: ['Gift'] } }),
  ],
  [
    'the mailing address, which is the legal address too, gets a street',
    { ...ofOwner({ legalAddress: {} }), mailingAddress: box },
    () => ({ mailingAddress: { street: '14 Main St' } }),
  ],
] as const) {
  test(`a follow-up is answered when ${what}`, async () => {
    const { message } = await ask('new-account', application)
    const { accountNumber } = message
    const asked = await settled(accountNumber)
    assert.equal(asked.currentState, 'ActionRequired')
    await ask('update-account', {
      accountNumber,
      ...correct(message.associatedParties[0]?.customerId),
    })
    const opened = await settled(accountNumber)
    assert.equal(opened.currentState, 'CreationComplete', JSON.stringify(opened.followUps))
    assert.equal(opened.followUps[0].status, 'Accepted')
  })
}

test('a named follow-up is answered by changes after which its rule finds nothing, and not by others', async () => {
  const { message } = await ask('new-account', ofOwner({ affiliation: { industry: 'true' } }))
  const { accountNumber } = message
  await settled(accountNumber)
  const answer = (changes: object) =>
    fetch(`${service.address}/account-api/v1/answer-follow-up`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ accountNumber, followUpId: 'FU-1', changes }),
    })
  const other = await answer({ primaryOwner: { jobTitle: 'Clerk' } })
  assert.equal(other.status, 400)
  const same = await answer({ primaryOwner: { affiliation: { industry: 'false' } } })
  assert.equal(same.status, 200)
  assert.equal((await settled(accountNumber)).currentState, 'CreationComplete')
})

test('an application that waits for a document says when it can be changed', async () => {
  const { message } = await ask('new-account', ofOwner({ taxIdNumber: '000000003' }))
  const { accountNumber } = message
  assert.equal((await settled(accountNumber)).currentState, 'ActionRequired')
  const refused = await fetch(`${service.address}/account-api/v1/update-account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber, primaryOwner: { jobTitle: 'Clerk' } }),
  })
  const { errors } = (await refused.json()) as { errors: { code: string; reason: string }[] }
  assert.deepEqual(
    errors.map(({ code, reason }) => `${code} ${reason}`),
    ['ERR.2011 The account is Pending; it can be changed only while a follow-up asks for a field.'],
  )
})
