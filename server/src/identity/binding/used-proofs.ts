/** Proofs that were used, so that each counts once on all instances. */
import type { Pool } from '../../database/pool.ts'
import { removeExpiredAssertions, useProofOnce } from '../../store/client-assertions.ts'
import type { GoodProof } from './dpop-proof.ts'

/** False when the proof was used before. */
export type UseProof = (proof: GoodProof) => Promise<boolean>

const removeEveryMs = 10_000

export function prepareUseProof(settings: {
  readonly operations: Pool
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}): UseProof {
  const { operations, now, onFault } = settings
  let removedMs = Number.NEGATIVE_INFINITY
  return ({ proofId, acceptedUntil }) => {
    const nowMs = performance.now()
    if (nowMs - removedMs > removeEveryMs) {
      removedMs = nowMs
      removeExpiredAssertions(operations, now()).catch(onFault)
    }
    return useProofOnce(operations, proofId, acceptedUntil)
  }
}
