/** Sends malformed requests to a service with an open account, and checks every response. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fullApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

export let service: RunningService
export let accountNumber: string

/** Starts the service before the tests of a file, and ends it after them. */
export function startBeforeTests(): void {
  before(async () => {
    service = await startRunningService()
    const { data } = await service.operations.operations.listFirms({})
    for (const { firmId } of data.firms) {
      await service.operations.operations.updateFirm({ firmId, settings: { requestsPerSecond: 10_000 } })
    }
    accountNumber = await openAndFollow(service.alpha, fullApplication())
  })
  after(() => service?.stop())
}

export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

type Answered = { code: string; field: string; reason: string }

/** The request is refused or accepted, but the response has the envelope and is not a fault. */
export function answersWell(answer: RawAnswer, what: string): void {
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text.slice(0, 500)}`)
  assert.ok(answer.json !== undefined, `${what}: ${answer.text.slice(0, 200)}`)
  assert.equal(answer.json.statusCode, answer.status)
  assert.equal(answer.json.hasErrors, answer.status !== 200)
  assert.ok(Array.isArray(answer.json.errors))
  assert.match(answer.json.traceId, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
}
export function refusedAt(answer: RawAnswer): string[] {
  return answer.json.errors.map(({ field }: Answered) => field)
}
export function codesAt(answer: RawAnswer, path: string): string[] {
  return answer.json.errors.filter(({ field }: Answered) => field === path).map(({ code }: Answered) => code)
}

/** A busy machine can make a connection of the job queue too late. The queue asks again. */
const connectedLate = /no database connection within/

/** The last test of a file that sends such requests. */
export function testThatNoFaultWasLogged(): void {
  test('no fault was logged during these tests', () => {
    const faults = service
      .log()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line) && !connectedLate.test(line))
    assert.deepEqual(faults, [])
  })
}
