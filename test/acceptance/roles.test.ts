/**
 * The role matrix: every path of every operation with a session of every role, compared with the table of permissions.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  codeLists,
  mayCall,
  type OperationDefinition,
  operations,
  pathOf,
  type StaffRole,
  whyNot,
} from '@clearing/protocol'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
const people = new Map<StaffRole, PersonAtWork>()
before(async () => {
  service = await startRunningService()
  for (const { value: role } of codeLists.staffRole)
    people.set(role, await signIn(service, `${role}@example.com`))
})
after(() => service?.stop())

const contentTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=x',
  lines: 'application/x-ndjson',
} as const
const table = Object.entries(operations) as [string, OperationDefinition][]
const addresses = table.flatMap(([name, { audience, inSandbox, body, aliases = [] }]) => [
  ...[pathOf(name, audience), ...aliases].map((path) => ({ name, path, body })),
  ...(inSandbox === undefined ? [] : [{ name, path: pathOf(name, 'sandbox'), body }]),
])

/** A request without effect: its one member is unknown. */
function call(path: string, body: keyof typeof contentTypes, headers: Record<string, string>) {
  return service.send(body === 'lines' ? `${path}?unknownMember=1` : path, {
    headers: { ...headers, 'content-type': contentTypes[body] },
    body: body === 'json' ? '{"unknownMember":1}' : '',
  })
}

function sessionOf(person: PersonAtWork) {
  return {
    'x-clearing-console': '1',
    origin: service.address,
    cookie: [...person.jar].map((pair) => pair.join('=')).join('; '),
  }
}

describe('a session', () => {
  for (const { name, path, body } of addresses) {
    test(`reaches ${path} only with the roles of the table`, async () => {
      for (const [role, person] of people) {
        const answer = await call(path, body, sessionOf(person))
        const inSandbox = path.startsWith('/sandbox-api/')
        if (mayCall(role, name, inSandbox)) {
          assert.equal(answer.status, 400, `${role}: ${answer.text}`)
          continue
        }
        assert.equal(answer.status, 403, `${role}: ${answer.text}`)
        assert.deepEqual(answer.json.errors, [
          { code: 'ERR.1003', field: '', reason: whyNot(role, name, inSandbox) },
        ])
      }
    })
  }
})
