/** What a start makes for itself, and what it says of what it cannot have. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { startRunningService } from './running-service.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starting-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a data folder that is missing is made, though database, key and documents are elsewhere', async () => {
  const key = join(folder, 'key')
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const service = await startRunningService({
    environment: {
      DATA_DIR: join(folder, 'not', 'there', 'yet'),
      MASTER_KEY_FILE: key,
      DOCUMENTS_DIR: join(folder, 'documents'),
    },
  })
  try {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      accountNumber,
      file: { name: 'bill.pdf', content: samplePdf() },
    })
    assert.equal((await fetch(`${service.address}/health/ready`)).status, 200)
  } finally {
    await service.stop()
  }
})
