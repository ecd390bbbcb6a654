/** Rotates the signing keys once a day, while the service runs. */
import type { Identity } from '../identity.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Returns the function that ends it. */
export function rotateDaily(
  identity: Pick<Identity, 'rotateSigningKeys'>,
  onFault: (fault: unknown) => void,
): () => Promise<void> {
  const timer = setInterval(() => {
    identity.rotateSigningKeys().catch(onFault)
  }, dayMs)
  return async () => clearInterval(timer)
}
