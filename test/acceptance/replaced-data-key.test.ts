/**
 * The data key of a firm is replaced while two processes serve it. Each opens what the other sealed at once, although
 * one still has the keys from before.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { replaceDataKey } from '../../server/src/commands/replace-data-key.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { loadMasterKeys } from '../../server/src/encryption/master-key-file.ts'
import { readKeyId } from '../../server/src/encryption/seal.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, read } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let database: TestDatabase
let dataFolder: string
let first: RunningService
let second: RunningService
let firmId: string
let accountBefore: string

before(async () => {
  database = await createTestDatabase()
  dataFolder = await makeTestFolder('replaced-key-')
  first = await start()
  accountBefore = await openAndFollow(first.alpha, applicationFor('Individual'))
  const { firms } = (await first.operations.operations.listFirms({})).data
  firmId = firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? assert.fail()
  await replaceAndStart()
})
after(async () => {
  await second?.stop()
  await first?.stop()
  await database?.[Symbol.asyncDispose]()
})

function start(): Promise<RunningService> {
  return startRunningService({ environment: { DATABASE_URL: database.urls.owner, DATA_DIR: dataFolder } })
}

/** A second process with the new key. The first one has the keys from before, of which it has just used one. */
async function replaceAndStart(): Promise<void> {
  await second?.stop()
  await read(first.alpha, accountBefore)
  await replace(firmId)
  second = await start()
}

async function replace(firm: string): Promise<number | undefined> {
  const masterKeys = await loadMasterKeys({ mode: 'sandbox', dataFolder })
  return replaceDataKey({ operations: database.operations, masterKeys, firmId: firm, now: new Date() })
}

/** The keys of the account's versions, the oldest first. The last version of an updated account is in its own row. */
async function keyIdsOf(accountNumber: string): Promise<number[]> {
  const { rows } = await database.operations.pg.query<{ sealed: Buffer }>(
    `select sealed from (
       select version, sealed from clearing.account_version where account_number = $1
       union all select version, sealed from clearing.account where account_number = $1) as stored
     where sealed is not null order by version`,
    [accountNumber],
  )
  return rows.map(({ sealed }) => readKeyId(sealed))
}

test('an account from before opens under its old key, and its update is sealed under the new one', async () => {
  const primaryOwner = { employerName: 'AFTER THE REPLACEMENT' }
  await second.alpha.updateAccount({ accountNumber: accountBefore, primaryOwner })
  assert.deepEqual(await keyIdsOf(accountBefore), [1, 2])
  for (const { alpha } of [first, second]) {
    const account = await read(alpha, accountBefore)
    assert.equal(account.primaryOwner?.employerName, primaryOwner.employerName)
  }
})

test('a process with the keys from before serves an account under the new key at once', async () => {
  await replaceAndStart()
  const application = applicationFor('Individual')
  const accountNumber = await openAndFollow(second.alpha, application)
  assert.deepEqual(await keyIdsOf(accountNumber), [3])
  const { primaryOwner } = await read(first.alpha, accountNumber)
  assert.equal(primaryOwner?.taxIdNumber, application.primaryOwner.taxIdNumber)
})

test('operations review an account under the new key in a process with the keys from before', async () => {
  await replaceAndStart()
  const accountNumber = await openAndFollow(second.alpha, applicationFor('Individual'))
  const { data } = await first.operations.operations.requestRenewal({
    kind: 'IdentityDocument',
    accountNumbers: [accountNumber],
  })
  assert.deepEqual(
    data.results.map(({ outcome }) => outcome),
    ['Asked'],
  )
})

test('a document under the new key is read back in a process with the keys from before', async () => {
  await replaceAndStart()
  const content = samplePdf()
  const { data } = await second.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber: accountBefore,
    file: { name: 'bill.pdf', content },
  })
  const answer = await first.alpha.getDocument({ accountNumber: accountBefore, documentId: data.documentId })
  assert.ok(Buffer.from(await answer.bytes()).equals(content))
})

test('each replacement has an audit row of the firm', async () => {
  const { rows } = await database.operations.pg.query(
    "select actor, detail from clearing.audit where firm_id = $1 and action = 'replace-data-key' order by sequence",
    [firmId],
  )
  const written = [2, 3, 4, 5].map((keyId) => ({ actor: 'command line', detail: JSON.stringify({ keyId }) }))
  assert.deepEqual(rows, written)
  const { data } = await first.operations.operations.verifyAudit({})
  assert.equal(data.verified, true)
})

test('a firm that does not exist gets no key', async () => {
  for (const unknown of ['00000000-0000-4000-8000-00000000ffff', 'alpha', '']) {
    assert.equal(await replace(unknown), undefined)
  }
})
