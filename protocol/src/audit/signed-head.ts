/** The signed texts of heads and checkpoints, and the selection of the heads that bind the chain of a firm. */
import Value from 'typebox/value'
import { type Checkpoint, checkpointShape, type SignedHead, signedHeadShape } from '../shapes/signed-head.ts'
import type { Sha256 } from './audit-row.ts'

type Unsigned<T> = Omit<T, 'signature'>

/** The signed text of a head. Its SHA-256 is the digest of the head. */
export function renderSignedHead(head: Unsigned<SignedHead>): string {
  return JSON.stringify([
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
}

/** The signed text of a checkpoint. Its SHA-256 is the digest of the checkpoint. */
export function renderCheckpoint(checkpoint: Unsigned<Checkpoint>, sha256: Sha256): string {
  return JSON.stringify([
    'audit checkpoint',
    checkpoint.checkpoint,
    checkpoint.at,
    checkpoint.previous,
    checkpoint.keeps,
    checkpoint.filesFrom,
    checkpoint.heads.map((head) => [sha256(renderSignedHead(head)), head.signature]),
    checkpoint.keyId,
  ])
}

/** Checks the shape, not the signature. */
export function isSignedHead(value: unknown): value is SignedHead {
  return Value.Check(signedHeadShape, value)
}

/** Checks the shape, not the signatures. */
export function isCheckpoint(value: unknown): value is Checkpoint {
  return Value.Check(checkpointShape, value)
}

/** The heads of one firm that are still valid, ordered by number: heads that a later restore made void are left out. */
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
