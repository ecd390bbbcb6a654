/** `clearing conformance`: this service meets every sentence, and the departures of another server are found. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { statements } from '../../cli/src/conformance/statements.ts'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let clearing: CommandLine
before(async () => {
  service = await startRunningService()
  clearing = await openCommandLine()
})
after(async () => {
  await clearing?.[Symbol.asyncDispose]()
  await service?.stop()
})

async function check(url: string) {
  const environment = { CLEARING_CLIENT_SECRET: 'alpha-sandbox-secret' }
  const words = ['conformance', '--url', url, '--client-id', 'alpha', '--json']
  const { exitCode, stdout, stderr } = await clearing.run(words, { environment })
  const findings = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { sentence: string; holds: boolean; found: string })
  assert.equal(findings.length, statements.length, stderr)
  return { exitCode, differing: findings.filter(({ holds }) => !holds) }
}

test('every sentence is quoted exactly under its heading of the specification', () => {
  const text = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
  const sections = new Map(
    text.split(/^#+ /m).map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end).trim(), part.slice(end)] as const
    }),
  )
  for (const { section, sentence } of statements) {
    assert.ok(sections.has(section), `no heading ${section}`)
    assert.ok(sections.get(section)?.includes(sentence), `not under ${section}: ${sentence}`)
  }
})

test('this service meets every sentence', async () => {
  assert.deepEqual(await check(service.address), { exitCode: 0, differing: [] })
})

/** Each alters responses so that exactly one sentence is broken. */
const departures: readonly { sentence: RegExp; alter: (path: string, answer: Answer) => void }[] = [
  {
    sentence: /`expires_in` \(36000 seconds\)/,
    alter: (path, { json }) => {
      if (path.includes('/connect/token')) json.expires_in = 3_600
    },
  },
  {
    sentence: /traceId \| string/,
    alter: (path, { json }) => {
      if (path.includes('get-account')) json.traceId = 'always the same'
    },
  },
  {
    sentence: /createdDate \| string/,
    alter: (path, { json }) => {
      if (path.includes('add-document') && json.data?.createdDate)
        json.data.createdDate = '2026-01-02T03:04:05Z'
    },
  },
  {
    sentence: /Account-level fields/,
    alter: (path, { json }) => {
      if (path.includes('position-summary') && json.data) json.data.buyingPower = '0.00'
    },
  },
  {
    sentence: /^main\.marginIndicator$/,
    alter: (path, answer) => {
      const refused = answer.json.errors?.some(
        ({ field }: { field: string }) => field === 'main.marginIndicator',
      )
      if (!path.includes('update-account') || !refused) return
      answer.status = 200
      Object.assign(answer.json, { statusCode: 200, errors: [], hasErrors: false })
    },
  },
]

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the service
  readonly json: any
}

test('a server that breaks five sentences is reported for exactly these five', async () => {
  const broken = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { authorization, 'content-type': type } = request.headers
    const passed = await fetch(service.address + request.url, {
      method: request.method ?? 'POST',
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      ...(request.method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    })
    const answer: Answer = { status: passed.status, json: await passed.json() }
    for (const { alter } of departures) alter(request.url ?? '', answer)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json))
  })
  broken.listen(0, '127.0.0.1')
  await once(broken, 'listening')
  try {
    const { exitCode, differing } = await check(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`)
    assert.equal(exitCode, 1)
    const unseen = departures.filter(
      ({ sentence }) => !differing.some((found) => sentence.test(found.sentence)),
    )
    assert.deepEqual(unseen, [])
    assert.equal(differing.length, departures.length, JSON.stringify(differing))
  } finally {
    broken.closeAllConnections()
    broken.close()
  }
})
