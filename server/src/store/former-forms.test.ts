/** Rows in the forms of earlier releases (decisions 123 and 142). Responses do not depend on the form. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { until } from '../database/test-waiting.ts'
import { inTransaction } from '../database/transaction.ts'
import { startTestService, type TestService } from '../events/test-service.ts'
import { readEntitled } from './books/entitled.ts'
import { readAsked } from './books/held-not-entitled.ts'
import { readText } from './compressed.ts'

let service: TestService
let superuser: pg.Client

before(async () => {
  service = await startTestService()
  superuser = await service.database.superuser()
})
after(async () => {
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

/** Stores a new account as the previous release did. */
async function putRecordInRow(accountNumber: string): Promise<void> {
  const { rowCount } = await superuser.query(
    `with apart as (
       delete from clearing.account_version where account_number = $1 and version = 1 and valid_to = 'infinity' returning *
     )
     update clearing.account set record = apart.record, sealed = apart.sealed from apart
     where account.account_number = apart.account_number and account.record is null`,
    [accountNumber],
  )
  assert.equal(rowCount, 1)
}

test('an account with its record in its row and an application with a masked request are read and changed like others', async () => {
  const accountNumber = await open()
  const asStored = await answersAbout(accountNumber)
  await putRecordInRow(accountNumber)
  const masked = await superuser.query(
    'update clearing.onboarding set request = $2 where account_number = $1 and request is null',
    [accountNumber, asStored.onboarding.request],
  )
  assert.equal(masked.rowCount, 1)
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

test('an account with its record in its row has the entitlements of that record', async () => {
  const accountNumber = await open()
  const read = () =>
    inTransaction(service.database.operations, { firm: null }, (tx) =>
      Promise.all([readEntitled(tx, [accountNumber]), readAsked(tx, [accountNumber], ['Individual'], [])]),
    )
  const asStored = await read()
  assert.ok(asStored.every(([row]) => row?.main?.repCode === 'JC01'))
  await putRecordInRow(accountNumber)
  assert.deepEqual(await read(), asStored)
})

test('a call whose bodies are stored as separate texts is listed like others', async () => {
  const accountNumber = await service.openAccount('alpha')
  const list = async (): Promise<{ requestBody: string; answerBody: string }[]> =>
    (await service.call('alpha', 'list-requests', { operation: 'new-account' })).data.requests
  const asStored = await until('the call is logged', async () => {
    const requests = await list()
    return requests.some(({ answerBody }) => answerBody.includes(accountNumber)) ? requests : undefined
  })
  const { rows } = await superuser.query(
    "select request_id, bodies from clearing.request where operation = 'new-account' and bodies is not null",
  )
  assert.equal(rows.length, asStored.length)
  for (const { request_id, bodies } of rows)
    await superuser.query(
      'update clearing.request set bodies = null, request_body = $2, answer_body = $3 where request_id = $1',
      [request_id, ...JSON.parse(readText(bodies))],
    )
  assert.match(asStored[0]?.requestBody ?? '', /primaryOwner/)
  assert.deepEqual(await list(), asStored)
})
