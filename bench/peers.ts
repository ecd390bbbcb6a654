/**
 * Compares get-account with the mock servers Prism and Mockoon, which return the same JSON without tokens,
 * records and state. They are installed into a temporary folder. Without a registry the rows are left out,
 * and the reason is printed.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operations } from '@clearing/protocol'
import { freePort, openHouse, type RunningProcess, startProcess } from './house.ts'
import { runLoad } from './load.ts'
import { median, type Row, ratioRow } from './measure.ts'

const packages = ['@stoplight/prism-cli@5.16.0', '@mockoon/cli@9.9.0']
const installTimeoutMs = 240_000
const rounds = 3
const seconds = 3
const connections = 32
const path = '/account-api/v1/get-account'

interface Peer {
  readonly name: string
  /** The target: the factor by which the service must be faster. */
  readonly target: number
  readonly note: string
  start(folder: string, port: number, answer: unknown): Promise<RunningProcess>
}

const prism: Peer = {
  name: 'Prism',
  target: 2,
  note: 'one operation with one example, logging off, no CORS',
  async start(folder, port, answer) {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(openApiOf(answer)))
    const main = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
    const words = [
      main,
      'mock',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-v',
      'silent',
      '--cors',
      'false',
      file,
    ]
    return startProcess(words, {}, `http://127.0.0.1:${port}/ready`)
  },
}

function openApiOf(answer: unknown) {
  const answers = (example: unknown) => ({
    200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' }, example } } },
  })
  return {
    openapi: '3.0.3',
    info: { title: 'get-account', version: '1' },
    paths: {
      '/ready': { get: { responses: answers({}) } },
      [path]: {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: answers(answer),
        },
      },
    },
  }
}

const mockoon: Peer = {
  name: 'Mockoon',
  target: 4,
  note: 'its own file with one route, log file and administration off',
  async start(folder, port, answer) {
    const file = join(folder, 'mockoon.json')
    await writeFile(file, JSON.stringify(environmentOf(port, answer)))
    const main = join(folder, 'node_modules/@mockoon/cli/bin/run.js')
    const words = [main, 'start', '--data', file, '--disable-log-to-file', '--disable-admin-api']
    return startProcess(words, {}, `http://127.0.0.1:${port}/ready`)
  },
}

function environmentOf(port: number, answer: unknown) {
  const route = (method: string, endpoint: string, body: unknown) => ({
    uuid: crypto.randomUUID(),
    type: 'http',
    method,
    endpoint,
    responses: [
      {
        uuid: crypto.randomUUID(),
        body: JSON.stringify(body),
        statusCode: 200,
        headers: [{ key: 'content-type', value: 'application/json' }],
        bodyType: 'INLINE',
        disableTemplating: true,
        default: true,
      },
    ],
  })
  return {
    uuid: crypto.randomUUID(),
    lastMigration: 33,
    name: 'get-account',
    port,
    hostname: '127.0.0.1',
    routes: [route('get', 'ready', {}), route('post', path.slice(1), answer)],
  }
}

export async function rows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clearing-peers-'))
  try {
    const refusal = await install(folder)
    if (refusal !== undefined) {
      console.error(`  left out: ${refusal}`)
      return []
    }
    return await measure(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the reason why the packages cannot be installed; undefined if they are. */
async function install(folder: string): Promise<string | undefined> {
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  return promisify(execFile)('npm', words, { cwd: folder, timeout: installTimeoutMs }).then(
    () => undefined,
    ({ message, killed }: { message: string; killed?: boolean }) =>
      killed ? `npm install took more than ${installTimeoutMs / 1_000} s` : message.slice(0, 500),
  )
}

async function measure(folder: string): Promise<Row[]> {
  await using house = await openHouse()
  const opened = await house.client.newAccount(operations['new-account'].examples[0].request)
  const headers = { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ accountNumber: opened.data.message.accountNumber })
  const ask = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200)
    return answer.json()
  }
  const answer = await ask(house.port)
  const started: { readonly peer: Peer; readonly port: number; readonly server: RunningProcess }[] = []
  try {
    for (const peer of [prism, mockoon]) {
      const port = await freePort()
      started.push({ peer, port, server: await peer.start(folder, port, answer) })
      assert.deepEqual(await ask(port), answer, `${peer.name} answers the same`)
    }
    const ports = [house.port, ...started.map(({ port }) => port)]
    const rates: number[][] = ports.map(() => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, port] of ports.entries()) {
        const result = await runLoad({ port, path, headers, body, connections, seconds })
        if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
        rates[at]?.push(result.requestsPerSecond)
      }
    }
    const [ours = Number.NaN, ...theirs] = rates.map(median)
    return started.map(({ peer }, at) =>
      ratioRow(`get-account beside ${peer.name}`, ours, theirs[at] ?? Number.NaN, peer.target, peer.note),
    )
  } finally {
    for (const { server } of started) await server.stop()
  }
}
