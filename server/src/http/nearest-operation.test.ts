import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareNoSuchPath } from './nearest-operation.ts'

const paths = ['/account-api/v1/get-account', '/account-api/v1/new-account', '/operations-api/v1/list-work']
const served = new Set([...paths, '/identity/connect/token', '/docs', '/docs/guides/events'])
const noSuchPath = prepareNoSuchPath(paths, (path) => served.has(path))

for (const [path, hint] of [
  ['/account-api/v1/get-acount', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/getAccount', ' Nearest: /account-api/v1/get-account.'],
  ['/get-account', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/get-account/', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/get-acount//', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/get-account%2F', ' Nearest: /account-api/v1/get-account.'],
  ['/account-api/v1/get-account/%2f//%2F', ' Nearest: /account-api/v1/get-account.'],
  ['/%2F', ''],
  ['/account-api/v1/list-work', ' Nearest: /operations-api/v1/list-work.'],
  ['/identity/connect/token/', ' Nearest: /identity/connect/token.'],
  ['/docs/guides/events/', ' Nearest: /docs/guides/events.'],
  ['/docs/guides/nothing/', ''],
  ['/account-api/v1/no-such-thing', ''],
  ['/account-api/v1/', ''],
  ['/', ' The documentation is at /docs.'],
] as const) {
  test(`the path ${path} gets the response${hint === '' ? ' without a hint' : hint}`, () => {
    const { code, reason } = noSuchPath(path)
    assert.deepEqual([code, reason], ['ERR.2013', `There is no such operation.${hint}`])
  })
}

// A quadratic algorithm would take an hour.
test('a path of a megabyte of slashes is read in linear time', { timeout: 60_000 }, () => {
  for (const slash of ['/', '%2f']) {
    const { reason } = noSuchPath(`/account-api/v1/get-account${slash.repeat(1_000_000)}x`)
    assert.equal(reason, 'There is no such operation.')
  }
})
