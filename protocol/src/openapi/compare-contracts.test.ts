/** Compares the contract with the last released one: a change that would break a client fails here. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { compareContracts } from './compare-contracts.ts'
import { renderOpenApi } from './document.ts'
import { releasedFile } from './snapshot.ts'

type Node = Record<string, unknown>

const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as Node

test('no client of the released contract is broken (else: keep what it uses, or release a new version of the contract)', () => {
  assert.deepEqual(compareContracts(released, renderOpenApi()), [])
})

describe('a change', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is changed at many places
  const changed = (change: (contract: any) => void): string[] => {
    const contract = structuredClone(released)
    change(contract)
    return compareContracts(released, contract)
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const request = (contract: any) =>
    contract.components.schemas[
      contract.paths['/account-api/v1/get-account'].post.requestBody.content['application/json'].schema.$ref
        .split('/')
        .at(-1)
    ]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const answer = (contract: any) =>
    contract.components.schemas[
      contract.paths['/account-api/v1/account-number'].post.responses[200].content[
        'application/json'
      ].schema.$ref
        .split('/')
        .at(-1)
    ]

  // biome-ignore lint/suspicious/noExplicitAny: as above
  const breaking: [string, (contract: any) => void, RegExp][] = [
    [
      'that removes a path',
      ({ paths }) => delete paths['/account-api/v1/get-account'],
      /get-account is gone/,
    ],
    [
      'that removes a member of a request',
      (contract) => delete request(contract).properties.accountNumber,
      /accountNumber is gone/,
    ],
    [
      'that requires a new member',
      (contract) => {
        request(contract).properties.reason = { type: 'string' }
        request(contract).required = [...(request(contract).required ?? []), 'reason']
      },
      /reason is required/,
    ],
    [
      'that narrows a type',
      (contract) => {
        request(contract).properties.accountNumber = { type: 'integer' }
      },
      /accountNumber was string and is integer/,
    ],
    [
      'that requires another scope',
      ({ paths }) => {
        paths['/account-api/v1/get-account'].post.security = [{ oauth2: ['pii:read'] }]
      },
      /no longer admits/,
    ],
    [
      'that removes a member of a response',
      (contract) => delete answer(contract).properties.traceId,
      /traceId is gone/,
    ],
    [
      'that makes a member of a response optional',
      (contract) => {
        answer(contract).required = []
      },
      /may be absent/,
    ],
    [
      'that requires a parameter',
      ({ paths }) => {
        paths['/account-api/v1/get-account'].post.parameters.push({
          name: 'X-New',
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })
      },
      /requires the parameter/,
    ],
  ]
  for (const [what, change, reported] of breaking) {
    test(`${what} is reported`, () => assert.match(changed(change).join('\n'), reported))
  }

  test('that only adds members is compatible', () => {
    assert.deepEqual(
      changed((contract) => {
        contract.paths['/account-api/v1/new-thing'] = { post: { operationId: 'newThing' } }
        request(contract).properties.more = { type: 'string' }
        answer(contract).properties.more = { type: 'string' }
        answer(contract).required.push('more')
      }),
      [],
    )
  })
})
