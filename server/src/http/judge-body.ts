/** Inspects an uploaded file, and scans it for viruses, before the transaction of its request begins. */
import { type Rejection, reject } from '@clearing/protocol'
import { InspectorUnavailable } from '../documents/inspect/inspector.ts'
import { ScannerUnavailable } from '../documents/virus-scanner.ts'
import type { Judgement, ReceivedFile, RequestBody } from '../operations/context.ts'
import type { Parts } from '../operations/parts.ts'
import { PartUnavailable } from '../part-unavailable.ts'
import type { Firm } from '../store/firm.ts'
import type { Received } from './body/receive-request.ts'

export type Judged = Omit<Received, 'body'> & { readonly body: RequestBody }

export function judgeBody(parts: Parts, firm: Firm, received: Received): Judged {
  const { body } = received
  if (body.kind !== 'file') return { ...received, body }
  const judgement = judgeFile(parts, firm, body.file)
  // The handler gets this fault when it awaits the inspection. A request with a stored response does not
  // await it.
  judgement.catch(() => {})
  return { ...received, body: { ...body, judgement } }
}

/** Settles when the inspection ended, with success or with a fault. */
export async function whenJudged({ body }: Judged): Promise<void> {
  if (body.kind === 'file') await body.judgement.catch(() => {})
}

async function judgeFile(parts: Parts, firm: Firm, file: ReceivedFile): Judgement {
  const { inspector, virusScanner } = parts
  try {
    const inspection = await inspector.inspect(file.upload, file.fileName, firm.firmId)
    if (inspection.outcome === 'quarantined') {
      return refuse(
        'The file is damaged, or too complex to be inspected. Save it anew, or print it to a new PDF.',
      )
    }
    if (inspection.outcome === 'rejected') return [reject(inspection.code, 'file', inspection.reason)]
    if (!virusScanner) return []
    const verdict = await virusScanner.scan(file.upload.open())
    return verdict.infected ? refuse('The virus scanner found the file infected.') : []
  } catch (fault) {
    if (fault instanceof InspectorUnavailable || fault instanceof ScannerUnavailable) {
      throw new PartUnavailable('files cannot be inspected now', { cause: fault })
    }
    throw fault
  }
}

function refuse(reason: string): Rejection[] {
  return [reject('ERR.1023', 'file', reason)]
}
