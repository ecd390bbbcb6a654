/**
 * The database and data folder of a sandbox with the demonstration accounts for a test. Both are copies of those of a
 * sandbox that the test run started once and stopped, because loading the accounts costs more than most tests. Their
 * dates are counted back from the day in New York, so another sandbox is started after midnight.
 */
import { cp } from 'node:fs/promises'
import { readConfig } from '../../server/src/config/config.ts'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { createLog } from '../../server/src/observe/log.ts'
import { startService } from '../../server/src/service.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'

export interface StartedPlace {
  readonly database: TestDatabase
  readonly dataDir: string
}

export async function copyStartedPlace(): Promise<StartedPlace> {
  const day = easternDay(new Date()).replaceAll('-', '')
  const database = await createTestDatabase({
    contents: {
      name: `accounts_${day}`,
      fill: ({ urls, templateFolder }) => startOnce(urls.owner, templateFolder),
    },
  })
  const dataDir = await makeTestFolder('acceptance-')
  await cp(database.templateFolder, dataDir, { recursive: true })
  return { database, dataDir }
}

async function startOnce(url: string, dataDir: string): Promise<void> {
  const environment = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_CONNECTIONS: '4' }
  const service = await startService(readConfig(environment, []), createLog('silent'))
  await service.stop()
}
