/**
 * The header X-Sandbox-Fault makes the response to this request fail in the named way, so that a client can test its
 * retries.
 */
import { type Rejection, reject } from '@clearing/protocol'

export type SandboxFault =
  | {
      readonly kind: 'answer'
      readonly rejections: readonly Rejection[]
      readonly retryAfterSeconds?: number
    }
  /** Answers as if the token had expired. */
  | { readonly kind: 'expired token' }
  /** Sends no response: the connection stays silent and then closes. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Commits the effect and drops the response. */
  | { readonly kind: 'drop after commit' }

export const sandboxFaultLimits = { delayMsMax: 60_000, silenceMs: 60_000 } as const

const answers = new Map<string, SandboxFault>(
  Object.entries<SandboxFault>({
    '500': { kind: 'answer', rejections: [reject('ERR.5000', '', 'X-Sandbox-Fault requested this fault.')] },
    '503': {
      kind: 'answer',
      rejections: [reject('ERR.5003', '', 'X-Sandbox-Fault requested this outage.')],
      retryAfterSeconds: 1,
    },
    '429': {
      kind: 'answer',
      rejections: [reject('ERR.2007', '', 'X-Sandbox-Fault requested this refusal.')],
      retryAfterSeconds: 1,
    },
    'expired-token': { kind: 'expired token' },
    timeout: { kind: 'timeout' },
    'drop-after-commit': { kind: 'drop after commit' },
  }),
)

/** Reads the fault from the header. An unknown value is refused, not ignored. */
export function readSandboxFault(header: string | string[] | undefined): SandboxFault | undefined {
  if (header === undefined) return undefined
  const text = String(header).trim().toLowerCase()
  const slow = /^slow=([0-9]{1,6})$/.exec(text)
  if (slow !== null && Number(slow[1]) <= sandboxFaultLimits.delayMsMax) {
    return { kind: 'slow', delayMs: Number(slow[1]) }
  }
  return (
    answers.get(text) ?? {
      kind: 'answer',
      rejections: [
        reject(
          'ERR.2004',
          '',
          `X-Sandbox-Fault is one of 500, 503, 429, expired-token, timeout, drop-after-commit, slow=<milliseconds up to ${sandboxFaultLimits.delayMsMax}>.`,
        ),
      ],
    }
  )
}
