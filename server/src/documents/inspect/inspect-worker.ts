// The process that inspects uploads. It receives a path, the key of that one file and a name, and returns a verdict. A
// PDF that our reader accepts is read again by another reader: both must accept it. The process has no environment, no
// network and no right to write, and can read only its own code and the folder of uploads.
import { createSecretKey } from 'node:crypto'
import { readReceived } from '../receive-upload.ts'
import type { Verdict } from './file-kind.ts'
import { inspectFile } from './inspect-file.ts'
import { withoutPadding } from './padding.ts'
import { readAgain } from './second-reader.ts'

export type InspectionRequest = { tempPath: string; tempKey: Uint8Array; bytes: number; fileName: string }
/** Sends `ready` once at start, and then for each request a verdict or a fault. */
export type InspectionAnswer = { ready: true } | { verdict: Verdict } | { fault: string }

function answer(message: InspectionAnswer) {
  return process.send?.(message)
}

process.on('message', async (request: InspectionRequest) => {
  answer(await inspect(request))
})
// The second reader abandons promises without handling their rejections.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
answer({ ready: true })

/**
 * During an inspection, the connection to the service does not keep the process alive. If the second reader waits for a
 * promise that it has abandoned, nothing is left to do, and the process ends as after a crash.
 */
async function inspect(request: InspectionRequest): Promise<InspectionAnswer> {
  process.channel?.unref()
  try {
    const tempKey = createSecretKey(request.tempKey)
    const bytes = await readReceived(request.tempPath, tempKey, request.bytes)
    return { verdict: await judge(bytes, request.fileName) }
  } catch (error) {
    return { fault: (error as Error).message }
  } finally {
    process.channel?.ref()
  }
}

async function judge(bytes: Buffer, fileName: string): Promise<Verdict> {
  const verdict = inspectFile(bytes, fileName)
  if (verdict.outcome === 'rejected' || verdict.kind !== 'pdf') return verdict
  const reason = await readAgain(withoutPadding(bytes))
  return reason === undefined ? verdict : { outcome: 'rejected', code: 'ERR.1023', reason }
}
