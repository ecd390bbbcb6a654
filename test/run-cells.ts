/**
 * `npm run cells`: two cells of the sandbox with a PostgreSQL each, their directory and HAProxy in front of them, on
 * this machine. Alpha is in the first cell, Beta in the second, and operations in both. The data stays in `data/cells`
 * (DATA_DIR). Ctrl-C stops everything. PORT is the port of the router.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../server/src/database/embedded-postgres.ts'
import { openPool } from '../server/src/database/pool.ts'
import { inTransaction } from '../server/src/database/transaction.ts'
import { claimNames, prepareDirectory } from '../server/src/store/cell-directory.ts'
import { freePort, routerMissing, startRouter, stopRouter } from './router-of-cells.ts'

const program = resolve(import.meta.dirname, '../server/src/main.ts')
const readyWithinMs = 180_000
const betaFirm = '00000000-0000-4000-8000-000000000302'

if (routerMissing !== false) {
  console.error(`${routerMissing}: install it first (apt-get install haproxy, brew install haproxy).`)
  process.exit(1)
}

const folder = resolve(process.env.DATA_DIR ?? './data/cells')
const url = `http://127.0.0.1:${process.env.PORT ?? '8080'}`
await mkdir(folder, { recursive: true })
const directory = await startEmbeddedPostgres({ dataDir: join(folder, 'directory') })
await giveBetaToSecondCell()
const cells = [await startCell('cell-0', '10-54'), await startCell('cell-1', '55-99')] as const
const router = await startRouter({ folder, url, cells: [cells[0].address, cells[1].address] })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
for (const { child } of cells) child.once('exit', () => void stop(1))
console.log(`
Two cells of the sandbox behind ${url}

  cell-0  ${cells[0].address}  accounts 10… to 54…   alpha       alpha-sandbox-secret
  cell-1  ${cells[1].address}  accounts 55… to 99…   beta        beta-sandbox-secret
  both                                                operations  operations-sandbox-secret

  npx clearing cells list, npx clearing cells close, npx clearing load activity FILE --cells
  A request with the header Clearing-Cell: cell-1 is led to the second cell.
`)

async function giveBetaToSecondCell(): Promise<void> {
  const pool = openPool({ name: 'owner', url: directory.urls.owner })
  await prepareDirectory(pool)
  await inTransaction(pool, { firm: null }, (tx) =>
    claimNames(tx, 'cell-1', [{ kind: 'firm', name: betaFirm }]),
  )
  await pool.end()
}

async function startCell(CELL: string, ACCOUNT_NUMBERS: string) {
  const address = `http://127.0.0.1:${await freePort()}`
  const child = spawn(process.execPath, [program, '--empty'], {
    env: {
      ...process.env,
      CELL,
      ACCOUNT_NUMBERS,
      DIRECTORY_URL: directory.urls.owner,
      ISSUER: url,
      TRUSTED_PROXIES: '127.0.0.1',
      PORT: new URL(address).port,
      DATA_DIR: join(folder, CELL),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const deadline = Date.now() + readyWithinMs
  while ((await fetch(`${address}/health/ready`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${CELL} did not start`)
    await pause(100)
  }
  return { address, child }
}

let stopping = false
async function stop(exitCode: number): Promise<void> {
  if (stopping) return
  stopping = true
  await stopRouter(router)
  await Promise.all(cells.map(({ child }) => stopCell(child)))
  await directory.stop()
  process.exit(exitCode)
}

async function stopCell(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  await once(child, 'exit')
}
