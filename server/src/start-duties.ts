/**
 * Starts the recurring work of a service other than its jobs. It removes old rows and files, signs the heads
 * of the audit chains, and closes the business day.
 */
import { scheduleClose } from './business-day/schedule-close.ts'
import { removeStaleUploads } from './documents/receive-upload.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { type MadeParts, signingWaitMs } from './make-parts.ts'
import type { OpenedData, Surroundings } from './open-data.ts'
import { within as inTime } from './within.ts'

const staleUploadAgeMs = 60 * 60 * 1_000
const minuteMs = 60_000

export async function startDuties(
  { config, log, started }: Surroundings,
  { pools, clock, now }: OpenedData,
  { parts, uploadFolder }: MadeParts,
): Promise<void> {
  const { auditHeads, businessDay, controls } = parts
  const { operations } = pools
  await removeStaleUploads(uploadFolder, staleUploadAgeMs, now).catch((fault) =>
    log.error({ err: fault }, 'uploads left by a crash'),
  )
  started.add(startHousekeeping({ operations, parts, uploadFolder, retention: config.retention, log }))
  await auditHeads.prepare()
  await inTime(auditHeads.sign(), signingWaitMs)
  const isPutBack = () => controls?.drain.refusing === true
  started.add(auditHeads.start(config.auditHeadsMinutes * minuteMs, isPutBack))
  if (config.closeAt === undefined) return
  const { closeAt } = config
  const held = () => isPutBack() || controls?.mover.moving === true
  started.add(scheduleClose({ pool: operations, clock, businessDay, closeAt, log, held }))
}
