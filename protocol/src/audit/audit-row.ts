/**
 * A row of a firm's audit chain, and the text that its hash is over. Length before text, so that no two rows have the same text;
 * the database writes it the same way (`clearing.audit_bytes`).
 */

/** SHA-256 of a text in UTF-8, hexadecimal. */
export type Sha256 = (text: string) => string

export interface AuditRow {
  readonly firmId: string
  /** Its place in the chain, from 1. */
  readonly sequence: number
  /** ISO 8601 in UTC with six decimals. */
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly accountNumber: string
  readonly target: string
  readonly traceId: string
  /** JSON text, as it was written. */
  readonly detail: string
  /** Hexadecimal; empty in the first row. */
  readonly previousHash: string
  /** SHA-256 of the row's text, hexadecimal. */
  readonly hash: string
}

/** What the check of a chain needs of a row. */
export interface HashedRow {
  readonly sequence: number
  readonly previousHash: string
  readonly hash: string
  /** Whether the row's content has this hash. */
  readonly isGenuine: boolean
}

export const hashRow = (row: AuditRow, sha256: Sha256): HashedRow => {
  const { sequence, previousHash, hash } = row
  return { sequence, previousHash, hash, isGenuine: sha256(renderAuditRow(row)) === hash }
}

/** The text that `hash` is the SHA-256 of, in UTF-8. */
export const renderAuditRow = (row: AuditRow): string =>
  [
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

/** Code points, as PostgreSQL counts them. */
function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  let count = 0
  for (const _character of text) count += 1
  return count
}
