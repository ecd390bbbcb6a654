/**
 * A row of a firm's audit chain, and the text that is hashed. Each value is preceded by its length, so that no two rows
 * have the same text. The database forms the same text (`clearing.audit_bytes`).
 */

/** SHA-256 of a text in UTF-8, hexadecimal. */
export type Sha256 = (text: string) => string

export interface AuditRow {
  readonly firmId: string
  /** Position in the chain, from 1. */
  readonly sequence: number
  /** Time of the row, ISO 8601 in UTC with six decimals. */
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly accountNumber: string
  readonly target: string
  readonly traceId: string
  /** JSON text, byte for byte as it was written. */
  readonly detail: string
  /** Hash of the previous row, hexadecimal; empty in the first row. */
  readonly previousHash: string
  /** SHA-256 of the row's text, hexadecimal. */
  readonly hash: string
}

/** The members of a row that the check of a chain needs. */
export interface HashedRow {
  readonly sequence: number
  readonly previousHash: string
  readonly hash: string
  /** Whether the hash matches the content of the row. */
  readonly isGenuine: boolean
}

/** Computes the hash of a row again, and compares it with the stored one. */
export function hashRow(row: AuditRow, sha256: Sha256): HashedRow {
  const { sequence, previousHash, hash } = row
  return { sequence, previousHash, hash, isGenuine: sha256(renderAuditRow(row)) === hash }
}

/** The text whose SHA-256, in UTF-8, is `hash`. */
export function renderAuditRow(row: AuditRow): string {
  return [
    row.firmId,
    String(row.sequence),
    row.at,
    row.actor,
    row.action,
    row.accountNumber,
    row.target,
    row.traceId,
    row.detail,
    row.previousHash,
  ]
    .map((part) => `${countCharacters(part)}:${part}`)
    .join(',')
}

/** The length in code points, as PostgreSQL counts them. */
function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  let count = 0
  for (const _character of text) count += 1
  return count
}
