// The process in which uploads are inspected. It gets a path, the key of that one file and a name; it answers a verdict.
// A PDF that our reader accepts is read again by another one: both must agree.
// It has no environment, no network, no right to write, and reads only its own code and the folder of uploads.
import { createSecretKey } from 'node:crypto'
import { readReceived } from '../receive-upload.ts'
import type { Verdict } from './file-kind.ts'
import { inspectFile } from './inspect-file.ts'
import { readAgain } from './second-reader.ts'

export type InspectionRequest = { tempPath: string; tempKey: Uint8Array; bytes: number; fileName: string }
/** `ready` once at start; then a verdict, or that the file could not be read, per request. */
export type InspectionAnswer = { ready: true } | { verdict: Verdict } | { fault: string }

const answer = (message: InspectionAnswer) => process.send?.(message)

process.on('message', async (request: InspectionRequest) => {
  try {
    const tempKey = createSecretKey(request.tempKey)
    const bytes = await readReceived(request.tempPath, tempKey, request.bytes)
    answer({ verdict: await judge(bytes, request.fileName) })
  } catch (error) {
    answer({ fault: (error as Error).message })
  }
})
// The second reader leaves promises alone that it has given up.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
answer({ ready: true })

async function judge(bytes: Buffer, fileName: string): Promise<Verdict> {
  const verdict = inspectFile(bytes, fileName)
  if (verdict.outcome === 'rejected' || verdict.kind !== 'pdf') return verdict
  const reason = await readAgain(bytes)
  return reason === undefined ? verdict : { outcome: 'rejected', code: 'ERR.1023', reason }
}
