/**
 * The database and data folder of a sandbox for a test. Both are copies of those of a sandbox that the test run started
 * once and stopped, because the first start costs more than most tests. The dates of the demonstration accounts are
 * counted back from the day in New York, so another sandbox is started after midnight.
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

export async function copyStartedPlace(withAccounts: boolean): Promise<StartedPlace> {
  const day = easternDay(new Date()).replaceAll('-', '')
  const database = await createTestDatabase({
    contents: {
      name: `${withAccounts ? 'accounts' : 'empty'}_${day}`,
      fill: ({ urls, templateFolder }) =>
        startOnce(urls.owner, templateFolder, withAccounts ? [] : ['--empty']),
    },
  })
  const dataDir = await makeTestFolder('acceptance-')
  await cp(database.templateFolder, dataDir, { recursive: true })
  return { database, dataDir }
}

async function startOnce(url: string, dataDir: string, words: readonly string[]): Promise<void> {
  const environment = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_CONNECTIONS: '4' }
  const service = await startService(readConfig(environment, words), createLog('silent'))
  await service.stop()
}
