/** HAProxy in front of two cells, with the configuration of `deploy/` on addresses that the caller chooses. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const configuration = new URL('../deploy/haproxy/cells.cfg', import.meta.url)
const readyWithinMs = 60_000

/** The reason why no router can run, or false when HAProxy is installed. */
export const routerMissing = spawnSync('haproxy', ['-v']).status !== 0 && 'HAProxy is not installed'

export interface RouterOfCells {
  /** A folder for its files. */
  readonly folder: string
  /** The address on which it listens: `http://127.0.0.1:port`. */
  readonly url: string
  /** The addresses of the cells `cell-0` and `cell-1`. */
  readonly cells: readonly [string, string]
  /** The map of client ids to cells. Without it, Alpha is in the first cell and Beta in the second. */
  readonly clients?: string
}

const usualClients = 'alpha cell-0\nbeta cell-1\nclient-10- cell-0\nclient-55- cell-1\nepsdesk cell-1\n'

/** Starts the router and waits until the first cell answers through it. */
export async function startRouter({
  folder,
  url,
  cells,
  clients = usualClients,
}: RouterOfCells): Promise<ChildProcess> {
  const map = join(folder, 'clients.map')
  await writeFile(map, clients)
  const text = (await readFile(configuration, 'utf8'))
    .replace(/bind .*/, `bind ${new URL(url).host}`)
    .replaceAll('/etc/haproxy/clients.map', map)
    .replace('10.0.10.11:8080', new URL(cells[0]).host)
    .replace('10.0.11.11:8080', new URL(cells[1]).host)
    .replaceAll(/^ *server cell-[01]b .*\n/gm, '')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  const router = spawn('haproxy', ['-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [router.stdout, router.stderr]) stream.on('data', (piece) => (said += piece))
  const deadline = Date.now() + readyWithinMs
  while ((await fetch(`${url}/health/ready`).catch(() => undefined))?.status !== 200) {
    assert.ok(router.exitCode === null && Date.now() < deadline, said)
    await pause(20)
  }
  return router
}

export async function stopRouter(router: ChildProcess): Promise<void> {
  if (router.exitCode !== null || router.signalCode !== null) return
  router.kill('SIGKILL')
  await once(router, 'exit')
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
