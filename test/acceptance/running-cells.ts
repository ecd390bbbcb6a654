/**
 * Two cells behind the router as one service. Alpha and the work of operations are in the first cell, Beta is in the
 * second.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '../../server/src/database/test-database.ts'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { claimNames, prepareDirectory } from '../../server/src/store/cell-directory.ts'
import { freePort, startRouter, stopRouter } from '../router-of-cells.ts'
import type { RunningService } from './running-service.ts'

const betaFirm = '00000000-0000-4000-8000-000000000302'

/** `start` starts one cell, which is called at the address of the router. Returns the first cell. */
export async function startBehindRouter(
  start: (environment: Record<string, string>, router: string) => Promise<RunningService>,
): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'acceptance-router-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const directory = await createTestDatabase({ migrations: [] })
  await prepareDirectory(directory.owner)
  await inTransaction(directory.owner, { firm: null }, (tx) =>
    claimNames(tx, 'cell-1', [{ kind: 'firm', name: betaFirm }]),
  )
  const shared = { DIRECTORY_URL: directory.urls.owner, ISSUER: url, TRUSTED_PROXIES: '127.0.0.1' }
  const first = await start({ ...shared, CELL: 'cell-0', ACCOUNT_NUMBERS: '10-54' }, url)
  const second = await start({ ...shared, CELL: 'cell-1', ACCOUNT_NUMBERS: '55-99' }, url)
  const router = await startRouter({ folder, url, cells: [first.ownAddress, second.ownAddress] })
  return {
    ...first,
    async stop() {
      await stopRouter(router)
      try {
        await first.stop()
      } finally {
        await second.stop()
        await directory[Symbol.asyncDispose]()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
