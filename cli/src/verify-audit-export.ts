/**
 * Verifies a file of export-audit against signed heads without the service: each row by its hash and by the previous
 * row, and the chain by the signed heads. A truncated or rewritten chain is detected up to the newest head that was
 * kept.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  bindingHeads,
  type ChainBreak,
  ChainCheck,
  type HashedRow,
  hashRow,
  nameHead,
  renderSignedHead,
  type SignedHead,
} from '@clearing/protocol/audit'
import { eachExportedRow } from './read-audit-export.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface ExportedChain {
  readonly firmId: string
  readonly rows: number
  readonly head: string
  /** The last row that a signed head covers. */
  readonly signed: number
  readonly firstBreak: ChainBreak | null
}

export interface VerifiedExport {
  readonly verified: boolean
  readonly firms: readonly ExportedChain[]
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export async function verifyAuditExport(settings: {
  readonly file: string
  readonly heads: readonly SignedHead[]
  /** A JSON Web Key Set. */
  readonly keySet: Readonly<Record<string, unknown>>
  /** One firm alone. */
  readonly firmId: string | undefined
}): Promise<VerifiedExport> {
  const { file } = settings
  const firmId = settings.firmId?.toLowerCase()
  const keys = readKeys(settings.keySet)
  const isWanted = (one: { readonly firmId: string }) => firmId === undefined || one.firmId === firmId
  const rows = await readRows(file, isWanted)
  const heads = groupBy(settings.heads.filter(isWanted), (head) => head.firmId)
  const firmIds = [...new Set([...rows.keys(), ...heads.keys()])].sort()
  if (firmIds.length === 0)
    throw new WrongUsage(`${file}: there is neither a row nor a signed head of that firm`)
  const firms = firmIds.map((id) => verifyFirm(id, rows.get(id) ?? [], heads.get(id) ?? [], keys))
  return { verified: firms.every(({ firstBreak }) => firstBreak === null), firms }
}

async function readRows(
  file: string,
  isWanted: (row: { readonly firmId: string }) => boolean,
): Promise<Map<string, HashedRow[]>> {
  const rows = new Map<string, HashedRow[]>()
  for await (const row of eachExportedRow(file)) {
    if ('line' in row) throw new WrongUsage(`${file}: record ${row.line} is not a row of export-audit`)
    if (!isWanted(row)) continue
    const own = rows.get(row.firmId)
    if (own === undefined) rows.set(row.firmId, [hashRow(row, sha256)])
    else own.push(hashRow(row, sha256))
  }
  for (const own of rows.values()) own.sort((one, other) => one.sequence - other.sequence)
  return rows
}

function verifyFirm(
  firmId: string,
  rows: readonly HashedRow[],
  given: readonly SignedHead[],
  keys: ReadonlyMap<string, HeadKey>,
): ExportedChain {
  const genuine = given.filter((head) => isSignedBy(keys, head))
  const isGenuine = new Set(genuine)
  // Each cell numbers its own heads.
  const cellOf = ({ keyId }: SignedHead) => keys.get(keyId)?.cell ?? ''
  const nameOf = (head: SignedHead) => `${cellOf(head)} ${head.number}`
  const byNumber = new Map(genuine.map((head) => [nameOf(head), head]))
  const cells = groupBy([...byNumber.values()], cellOf)
  const binding = [...cells.values()]
    .flatMap((heads) => bindingHeads(heads))
    .sort((one, other) => one.sequence - other.sequence)
  const check = new ChainCheck(binding)
  for (const row of rows) check.add(row)
  const { sequence, hash, firstBreak } = check.finish()
  const breakOfHeads = (): ChainBreak | null => {
    const wrong = given.find((head) => !isGenuine.has(head))
    if (wrong !== undefined)
      return { sequence: wrong.sequence, reason: `${nameHead(wrong)} is not signed by one of the keys.` }
    const other = genuine.find((head) => textOf(head) !== textOf(byNumber.get(nameOf(head))))
    if (other !== undefined)
      return { sequence: other.sequence, reason: `There are two heads with the number ${other.number}.` }
    return binding.length === 0 ? { sequence, reason: 'No signed head of this firm was given.' } : null
  }
  return {
    firmId,
    rows: sequence,
    head: hash,
    signed: binding.at(-1)?.sequence ?? 0,
    firstBreak: firstBreak ?? breakOfHeads(),
  }
}

/** As `Map.groupBy`, which Node.js 20 does not have. */
function groupBy(heads: readonly SignedHead[], nameOf: (head: SignedHead) => string) {
  const groups = new Map<string, SignedHead[]>()
  for (const head of heads) {
    const group = groups.get(nameOf(head))
    if (group === undefined) groups.set(nameOf(head), [head])
    else group.push(head)
  }
  return groups
}

function textOf(head: SignedHead | undefined): string {
  return head === undefined ? '' : renderSignedHead(head)
}

function isSignedBy(keys: ReadonlyMap<string, HeadKey>, head: SignedHead): boolean {
  const key = keys.get(head.keyId)?.key
  return (
    key !== undefined &&
    verify(null, Buffer.from(renderSignedHead(head)), key, Buffer.from(head.signature, 'base64url'))
  )
}

/** A public key and the name of its cell, which is empty for the cell that returned the keys. */
interface HeadKey {
  readonly key: KeyObject
  readonly cell: string
}

/** Public keys by their id, which is the SHA-256 of the key (SubjectPublicKeyInfo). */
function readKeys({ keys }: Readonly<Record<string, unknown>>): Map<string, HeadKey> {
  const found = new Map<string, HeadKey>()
  for (const jwk of Array.isArray(keys) ? keys : []) {
    try {
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const bytes = key.export({ format: 'der', type: 'spki' })
      const cell = typeof jwk.cell === 'string' ? jwk.cell : ''
      found.set(createHash('sha256').update(bytes).digest('base64url'), { key, cell })
    } catch {
      throw new WrongUsage('the key set contains an entry that is not a public key')
    }
  }
  if (found.size === 0)
    throw new WrongUsage('the key set contains no keys; /audit/jwks of the service returns one')
  return found
}
