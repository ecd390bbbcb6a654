import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseQuery } from './query.ts'

for (const [operation, query, refused] of [
  ['get-account', '', []],
  [
    'get-account',
    'submit=true',
    ['ERR.2001 submit: The operation takes no query parameters; send the values in the body.'],
  ],
  ['new-account', 'submit=true', []],
  ['new-account', 'Submit=TRUE', []],
  [
    'new-account',
    'submit=false',
    ['ERR.1015 submit: Drafts are not stored: check an incomplete application with validate-account.'],
  ],
  [
    'new-account',
    'draft=1&submit=true',
    ['ERR.2001 draft: The operation takes no query parameters except submit; send the values in the body.'],
  ],
] as const)
  test(`the query of ${operation}: ${query || 'none'}`, () => {
    const found = refuseQuery(operation, query)
    assert.deepEqual(
      found.map(({ code, field, reason }) => `${code} ${field}: ${reason}`),
      refused,
    )
  })
