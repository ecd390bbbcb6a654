/**
 * Measures get-account, new-account and tokens under load, compared with floors of the same run, and the
 * memory of the service.
 */
import { fileURLToPath } from 'node:url'
import { operations } from '@clearing/protocol'
import { openPool } from '../server/src/database/pool.ts'
import { insertAccounts } from './account-rows.ts'
import { databaseUrlOf, drainQueue, freePort, type House, openHouse, startProcess } from './house.ts'
import { runLoad } from './load.ts'
import { alternate, perSecond, type Row, ratioRow } from './measure.ts'

const rounds = 5
const seconds = 3
const connections = 32
const callers = 16
const floorServer = fileURLToPath(new URL('./floor-server.ts', import.meta.url))
const application = JSON.stringify(operations['new-account'].examples[0].request).replace(
  '219099998',
  '#########',
)

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  const found: Row[] = [await getAccountRow(house), await newAccountRow(house), await tokenRow(house)]
  const bytes = await house.service.memoryBytes()
  found.push({
    name: 'memory of the service after all of this',
    measured: `${Math.round(bytes / 1_048_576)} MB`,
    floor: '',
    figure: bytes / 1_048_576,
    target: '≤ 200 MB',
    met: bytes <= 200 * 1_048_576,
    note: 'resident memory of the one process, without the database',
  })
  return found
}

function headers(house: House) {
  return {
    authorization: `Bearer ${house.token}`,
    'content-type': 'application/json',
  }
}

async function getAccountRow(house: House): Promise<Row> {
  const example = operations['new-account'].examples[0].request
  const opened = await house.client.newAccount(example)
  const { accountNumber } = opened.data.message
  const url = `${house.address}/account-api/v1/get-account`
  const body = JSON.stringify({ accountNumber })
  const answer = await fetch(url, { method: 'POST', headers: headers(house), body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const port = await freePort()
  const floor = await startProcess(
    [floorServer, databaseUrlOf(house), String(port), accountNumber],
    { FLOOR_ANSWER: bytes.toString('base64') },
    `http://127.0.0.1:${port}/`,
  )
  const load = { headers: headers(house), body, connections, seconds }
  try {
    const [ours, bare] = await alternate(
      rounds,
      async () => checked(await runLoad({ ...load, port: house.port, path: '/account-api/v1/get-account' })),
      async () => checked(await runLoad({ ...load, port, path: '/get-account' })),
    )
    const note = `${bytes.length} bytes; ours checks the token, opens the sealed numbers and commits an access record; writing to sockets and that commit take most of the remaining time`
    return ratioRow('get-account over a bare route with one select', ours, bare, 0.8, note)
  } finally {
    await floor.stop()
  }
}

function checked(result: { requestsPerSecond: number; failures: number }): number {
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  return result.requestsPerSecond
}

async function newAccountRow(house: House): Promise<Row> {
  const load = { headers: headers(house), body: application, connections: callers, seconds }
  const url = databaseUrlOf(house)
  // The user of the address has the necessary rights, so no other role is set.
  const pool = openPool({ name: 'owner', url, limits: { connectionsMax: callers } })
  try {
    const [ours, bare] = await alternate(
      rounds,
      async () => {
        const result = await runLoad({ ...load, port: house.port, path: '/account-api/v1/new-account' })
        checked(result)
        // The accounts of the round are opened within it.
        await drainQueue(pool.pg)
        return (result.succeeded * 1_000) / (performance.timeOrigin + performance.now() - result.startedAtMs)
      },
      () => insertAccounts(pool, callers, seconds),
    )
    const note =
      'accounts submitted and opened; the floor inserts the rows of an opened account in one message of prepared statements, 16 at once, in one process, without updates, reads or other work'
    return ratioRow('new-account to CreationComplete over inserting its rows', ours, bare, 0.6, note)
  } finally {
    await pool.end()
  }
}

async function tokenRow(house: House): Promise<Row> {
  const load = {
    port: house.port,
    path: '/identity/connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=alpha&client_secret=alpha-sandbox-secret&grant_type=client_credentials',
    connections: 16,
    seconds,
  }
  const results = []
  for (let round = 0; round < rounds; round++) results.push(checked(await runLoad(load)))
  results.sort((a, b) => a - b)
  const figure = results[Math.floor(results.length / 2)] ?? 0
  return {
    name: 'tokens',
    measured: perSecond(figure),
    floor: '',
    figure,
    target: '≥ 4,700/s',
    met: figure >= 4_700,
    note: 'ES256, one client, 16 connections; one process, in which signing, parsing HTTP and writing to sockets take 140 to 190 µs; the generator has the other core',
  }
}
