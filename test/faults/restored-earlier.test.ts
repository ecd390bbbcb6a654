/**
 * Cursors of events after the database was restored to an earlier moment: a cursor of before that moment continues, and
 * one of the lost time is refused, although new events have its position.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { refusalOf } from '../acceptance/calling.ts'
import { eventsReported } from '../acceptance/events-reported.ts'
import { restoreAll, restoreTo, takeBaseBackup } from './base-backup.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

let service: ServiceProcess
const folders: string[] = []
const eventsLost = 50
before(async () => {
  service = await makeServiceProcess()
  await service.start()
})
after(async () => {
  await service?.dispose()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function emit(to: ServiceProcess, note: string): Promise<void> {
  await to.alpha.sandbox.emitEvent({ type: 'business_day.closed', note })
}
async function readAfter({ alpha, query }: ServiceProcess, cursor: string) {
  await eventsReported(query)
  const { data } = await alpha.listEvents({ after: cursor, types: ['business_day.closed'], size: 500 })
  return { notes: data.events.map((event) => (event.data as { note?: string }).note), end: data.nextCursor }
}
async function assertLost({ alpha }: ServiceProcess, cursor: string): Promise<string> {
  const { rejections } = await refusalOf(alpha.listEvents({ after: cursor }))
  assert.equal(rejections[0]?.code, 'ERR.1015')
  const [, continued = ''] = /continue with the cursor ([\w-]+)\.$/.exec(rejections[0]?.reason ?? '') ?? []
  return continued
}

test('after a restore to an earlier moment, a cursor of the lost time is refused for good', async () => {
  const base = await takeBaseBackup(service.dataDir)
  folders.push(base)
  await eventsReported(service.query)
  const { data } = await service.alpha.listEvents({})
  await emit(service, 'kept')
  const kept = await readAfter(service, data.nextCursor)
  await service.query("select pg_create_restore_point('noon')")
  // More transactions than the start of a restored service takes before it serves.
  for (let more = 0; more < eventsLost; more += 1) await emit(service, 'lost')
  const lost = await readAfter(service, kept.end)
  assert.equal(lost.notes.length, eventsLost)

  const restored = await makeServiceProcess({ dataDir: await restoreTo(base, service.dataDir, 'noon') })
  try {
    await restored.start()
    await emit(restored, 'new')
    // The log passes every position of the lost time.
    for (let more = 0; more < 2 * eventsLost; more += 1) await emit(restored, 'further')
    assert.deepEqual((await readAfter(restored, data.nextCursor)).notes.slice(0, 3), [
      'kept',
      'new',
      'further',
    ])
    const own = await readAfter(restored, kept.end)
    assert.equal(own.notes[0], 'new')
    const continued = await assertLost(restored, lost.end)
    assert.equal((await readAfter(restored, continued)).notes[0], 'new')
    // A further start begins no line.
    await restored.end('SIGTERM')
    await restored.start()
    assert.deepEqual((await readAfter(restored, own.end)).notes, [])
    await emit(restored, 'newest')
    const newest = await readAfter(restored, own.end)
    assert.deepEqual(newest.notes, ['newest'])
  } finally {
    await restored.dispose()
  }
})

test('a restore that keeps the time line of PostgreSQL is named by one statement before the start', async () => {
  const folder = await restoreAll(folders[0] as string, service.dataDir)
  const restored = await makeServiceProcess({ dataDir: folder })
  try {
    await restored.start()
    await eventsReported(restored.query)
    const { data } = await restored.alpha.listEvents({})
    await restored.query("update clearing.event_line set cluster = 'restored'")
    await restored.end('SIGTERM')
    await restored.start()
    await emit(restored, 'new')
    assert.deepEqual((await readAfter(restored, data.nextCursor)).notes, ['new'])
    const { rows } = await restored.query(
      'select mark, parted_at::text from clearing.event_line order by number',
    )
    assert.equal(rows.length, 2)
  } finally {
    await restored.dispose()
  }
})
