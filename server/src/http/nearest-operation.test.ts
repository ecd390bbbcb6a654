import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareNoSuchPath } from './nearest-operation.ts'

const paths = ['/account-api/v1/get-account', '/account-api/v1/new-account', '/operations-api/v1/list-work']
const noSuchPath = prepareNoSuchPath(paths)

for (const [path, hint] of [
  ['/account-api/v1/get-acount', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/getAccount', ' Nearest: /account-api/v1/get-account.'],
  ['/get-account', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/list-work', ' Nearest: /operations-api/v1/list-work.'],
  ['/account-api/v1/no-such-thing', ''],
  ['/account-api/v1/', ''],
  ['/', ''],
] as const) {
  test(`the path ${path} gets the response${hint === '' ? ' without a hint' : hint}`, () => {
    const { code, reason } = noSuchPath(path)
    assert.deepEqual([code, reason], ['ERR.2013', `There is no such operation.${hint}`])
  })
}
