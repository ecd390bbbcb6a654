/**
 * Faults and their reports: the caller gets a code and a traceId, the log gets all details except values from outside.
 */
import { type OperationDefinition, type Rejection, reject } from '@clearing/protocol'
import { DatabaseUnavailable, OutcomeUnknown } from '../database/faults.ts'
import { StoreUnavailable } from '../documents/blob-store.ts'
import { PartUnavailable } from '../part-unavailable.ts'

/** The client closed the connection, or lost it by being too slow, so no response can be delivered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The body of a load arrived slowly while other loads waited for a turn. */
export class SenderSlow extends Error {
  override readonly name = 'SenderSlow'
}

/**
 * Handling took longer than `handlingTimeoutMs`. If it had begun, the rest of its work is still committed or rolled
 * back as a whole.
 */
export class HandlingTooSlow extends Error {
  override readonly name = 'HandlingTooSlow'
  readonly begun: boolean
  constructor(message: string, begun: boolean) {
    super(message)
    this.begun = begun
  }
}

/** A response that was being written could not be finished. */
export class AnswerBroken extends Error {
  override readonly name = 'AnswerBroken'
}

export interface FaultAnswer {
  readonly rejections: readonly Rejection[]
  readonly retryAfterSeconds: number | undefined
}

const internal: FaultAnswer = {
  rejections: [reject('ERR.5000', '', 'The service failed; the traceId identifies the failure.')],
  retryAfterSeconds: undefined,
}
const unavailable: FaultAnswer = {
  rejections: [reject('ERR.5003', '', 'The service cannot answer now; nothing was changed.')],
  retryAfterSeconds: 2,
}
const outcomeUnknown: FaultAnswer = {
  rejections: [
    reject(
      'ERR.5003',
      '',
      'The outcome is unknown: the request took effect wholly or not at all. Send it again with the same Idempotency-Key.',
    ),
  ],
  retryAfterSeconds: 1,
}

const loadCutOff: FaultAnswer = {
  rejections: [
    reject(
      'ERR.5003',
      '',
      'The load was not completed, and some of its lines may be stored. Send the whole load again: stored lines count as duplicates.',
    ),
  ],
  retryAfterSeconds: 2,
}

const senderSlow: FaultAnswer = {
  rejections: [
    reject(
      'ERR.5003',
      '',
      'The lines arrived slowly while other loads waited. The load was not completed, and some of its lines may be stored. Send the whole load again: stored lines count as duplicates.',
    ),
  ],
  retryAfterSeconds: 2,
}

export function answerFault(fault: unknown, operation: FaultyOperation | undefined): FaultAnswer {
  const { writes = false, storedInParts = false } = operation ?? {}
  if (fault instanceof SenderSlow) return senderSlow
  if (fault instanceof OutcomeUnknown) return storedInParts ? loadCutOff : outcomeUnknown
  if (fault instanceof HandlingTooSlow) return writes && fault.begun ? outcomeUnknown : unavailable
  if (
    fault instanceof DatabaseUnavailable ||
    fault instanceof StoreUnavailable ||
    fault instanceof PartUnavailable
  )
    return storedInParts ? loadCutOff : unavailable
  return internal
}

type FaultyOperation = Pick<OperationDefinition, 'writes' | 'storedInParts'>

interface RenderedFault {
  readonly type: string
  readonly message: string
  readonly stack: string | undefined
  readonly code?: unknown
  readonly cause?: RenderedFault
}

const causesMax = 5

/**
 * Renders a fault for the log with the fields that never hold personal data. Other properties of the error are left
 * out.
 */
export function renderFault(fault: unknown, depth = 0): RenderedFault {
  if (!(fault instanceof Error))
    return { type: typeof fault, message: 'a value was thrown', stack: undefined }
  return {
    type: fault.name,
    message: fault.message,
    stack: fault.stack,
    ...('code' in fault ? { code: fault.code } : {}),
    ...(fault.cause === undefined || depth === causesMax
      ? {}
      : { cause: renderFault(fault.cause, depth + 1) }),
  }
}
