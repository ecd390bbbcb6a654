/** The signed texts of heads and checkpoints, and the selection of the heads that bind the chain of a firm. */
import { IsDateTime, IsUuid } from 'typebox/format'
import type { Checkpoint, SignedHead } from '../shapes/signed-head.ts'
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

// The shapes are not checked by `typebox/value`, because each start would load its 306 modules.
type Checks<T> = { readonly [Name in keyof T]: (member: unknown) => boolean }

function isText(member: unknown): member is string {
  return typeof member === 'string'
}
function isTime(member: unknown): boolean {
  return isText(member) && IsDateTime(member)
}
function isSha256OrEmpty(member: unknown): boolean {
  return isText(member) && /^([0-9a-f]{64})?$/.test(member)
}
function isIntegerOrNull(member: unknown): boolean {
  return member === null || Number.isInteger(member)
}

const headChecks: Checks<SignedHead> = {
  firmId: (member) => isText(member) && IsUuid(member),
  number: Number.isInteger,
  sequence: Number.isInteger,
  hash: isSha256OrEmpty,
  at: isTime,
  previous: isSha256OrEmpty,
  keeps: isIntegerOrNull,
  keyId: isText,
  signature: isText,
}
const checkpointChecks: Checks<Checkpoint> = {
  checkpoint: Number.isInteger,
  at: isTime,
  previous: isSha256OrEmpty,
  keeps: isIntegerOrNull,
  filesFrom: Number.isInteger,
  heads: (member) => Array.isArray(member) && member.every(isSignedHead),
  keyId: isText,
  signature: isText,
}

export function isSignedHead(value: unknown): value is SignedHead {
  return isExactly(headChecks, value)
}
export function isCheckpoint(value: unknown): value is Checkpoint {
  return isExactly(checkpointChecks, value)
}

/** True for an object of JSON with the members of `checks` and no others. */
function isExactly<T extends object>(checks: Checks<T>, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  const names = Object.keys(checks) as (keyof T & string)[]
  return members.size === names.length && names.every((name) => checks[name](members.get(name)))
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
