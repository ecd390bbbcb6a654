/** What the signatures of heads and checkpoints are over, and which heads of a firm bind its chain. */
import Value from 'typebox/value'
import { type Checkpoint, checkpointShape, type SignedHead, signedHeadShape } from '../shapes/signed-head.ts'
import type { Sha256 } from './audit-row.ts'

type Unsigned<T> = Omit<T, 'signature'>

/** The text that the signature of a head is over; its SHA-256 is the head's digest. */
export const renderSignedHead = (head: Unsigned<SignedHead>): string =>
  JSON.stringify([
    'audit head',
    head.firmId,
    head.number,
    head.sequence,
    head.hash,
    head.at,
    head.previous,
    head.keeps,
    head.keyId,
  ])

/** The text that the signature of a checkpoint is over; its SHA-256 is the checkpoint's digest. */
export const renderCheckpoint = (checkpoint: Unsigned<Checkpoint>, sha256: Sha256): string =>
  JSON.stringify([
    'audit checkpoint',
    checkpoint.checkpoint,
    checkpoint.at,
    checkpoint.previous,
    checkpoint.keeps,
    checkpoint.filesFrom,
    checkpoint.heads.map((head) => [sha256(renderSignedHead(head)), head.signature]),
    checkpoint.keyId,
  ])

export const isSignedHead = (value: unknown): value is SignedHead => Value.Check(signedHeadShape, value)
export const isCheckpoint = (value: unknown): value is Checkpoint => Value.Check(checkpointShape, value)

/** The heads of one firm that its chain must still have, in the order of their numbers. */
export function bindingHeads(heads: readonly SignedHead[]): SignedHead[] {
  const binding: SignedHead[] = []
  let newest = Number.POSITIVE_INFINITY
  for (const head of heads.toSorted((one, other) => other.number - one.number)) {
    if (head.number > newest) continue
    binding.push(head)
    if (head.keeps !== null) newest = head.keeps
  }
  return binding.reverse()
}
