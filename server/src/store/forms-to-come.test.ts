/** Forms of rows that the next release writes, and this one reads (decision 130): the answers do not depend on the form. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import pg from 'pg'
import { startTestService, type TestService } from '../events/test-service.ts'
import { until } from '../events/test-waiting.ts'

let service: TestService
let superuser: pg.Client

before(async () => {
  service = await startTestService()
  superuser = new pg.Client({ connectionString: service.database.urls.superuser })
  await superuser.connect()
  // The constraints that the next release drops before it writes.
  await superuser.query(
    'alter table clearing.account drop constraint account_check; alter table clearing.onboarding alter column request drop not null',
  )
})
after(async () => {
  await superuser.end()
  await service[Symbol.asyncDispose]()
})

async function open(): Promise<string> {
  const accountNumber = await service.openAccount('alpha')
  await until('the account is open', async () => {
    const { data } = await service.call('alpha', 'onboarding-result', { accountNumber })
    return data.currentState === 'CreationComplete' || undefined
  })
  return accountNumber
}

async function answersAbout(accountNumber: string) {
  const ask = async (operation: string, request: object) =>
    (await service.call('alpha', operation, { accountNumber, ...request })).data
  const asOf = new Date().toISOString()
  const { asOf: _, ...history } = await ask('account-history', { asOf })
  return {
    account: await ask('get-account', {}),
    onboarding: await ask('onboarding-result', {}),
    history,
  }
}

test('an account whose record is apart, and an application without a request of its own, are answered as before', async () => {
  const accountNumber = await open()
  const asStored = await answersAbout(accountNumber)
  await superuser.query(
    `insert into clearing.account_version (account_number, firm_id, version, status, account_name, record, sealed, valid_from, valid_to)
     select account_number, firm_id, version, status, account_name, record, sealed, updated_at, 'infinity' from clearing.account
     where account_number = $1`,
    [accountNumber],
  )
  await superuser.query(
    'update clearing.account set record = null, sealed = null where account_number = $1',
    [accountNumber],
  )
  await superuser.query('update clearing.onboarding set request = null where account_number = $1', [
    accountNumber,
  ])
  assert.deepEqual(await answersAbout(accountNumber), asStored)

  const changed = await service.call('alpha', 'update-account', {
    accountNumber,
    primaryOwner: { jobTitle: 'LIBRARIAN' },
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.errors))
  const now = await answersAbout(accountNumber)
  assert.deepEqual(now.onboarding.request, asStored.onboarding.request)
  assert.equal(now.account.primaryOwner.jobTitle, 'LIBRARIAN')
  assert.deepEqual(now.history.history.slice(1), asStored.history.history)
  const { rows } = await superuser.query(
    `select version, valid_to < 'infinity' as ended from clearing.account_version where account_number = $1`,
    [accountNumber],
  )
  assert.deepEqual(rows, [{ version: 1, ended: true }])
})

test('a call whose bodies are compressed together is listed as before', async () => {
  const accountNumber = await service.openAccount('alpha')
  const list = async (): Promise<{ requestBody: string; answerBody: string }[]> =>
    (await service.call('alpha', 'list-requests', { operation: 'new-account' })).data.requests
  const asStored = await until('the call is logged', async () => {
    const requests = await list()
    return requests.some(({ answerBody }) => answerBody.includes(accountNumber)) ? requests : undefined
  })
  const { rows } = await superuser.query(
    "select request_id, request_body, answer_body from clearing.request where operation = 'new-account'",
  )
  for (const { request_id, request_body, answer_body } of rows)
    await superuser.query(
      'update clearing.request set request_body = null, answer_body = null, bodies = $2 where request_id = $1',
      [request_id, zstdCompressSync(JSON.stringify([request_body, answer_body]))],
    )
  assert.match(asStored[0]?.requestBody ?? '', /primaryOwner/)
  assert.deepEqual(await list(), asStored)
})
