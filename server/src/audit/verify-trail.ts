/**
 * Verifies the audit trail in one snapshot of the database: each firm's rows by their hashes, the head of its chain,
 * and the signed heads outside the database. The signed heads detect rows that were rewritten or cut off together with
 * their head. The hashes are computed here, because the owner of the database controls its functions.
 */
import {
  bindingHeads,
  type ChainBreak,
  ChainCheck,
  type Checkpoint,
  hashRow,
  nameHead,
  renderSignedHead,
  type SignedHead,
} from '@clearing/protocol/audit'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { type MasterKeys, mentionOf, sessionsOfHolders } from '../encryption/master-key.ts'
import { PartUnavailable } from '../part-unavailable.ts'
import { eachChainRow, readChains, type StoredChain } from '../store/audit.ts'
import {
  readFirmsOfCheckpoint,
  readHeadsOfFirm,
  readNewestHeads,
  readNewestNumber,
} from '../store/audit-heads.ts'
import { clearingFirmId } from '../store/firms.ts'
import { readSessionNames } from '../store/master-keys.ts'
import type { StoredSealKey } from '../store/seals.ts'
import { readFirmsOfCell } from './firms-of-cell.ts'
import { type HeadFiles, sha256 } from './head-files.ts'
import { type MovedChain, readMovedChain } from './moved-heads.ts'
import { allKeys, readTrustedKeys, type TrustedKeys } from './other-keys.ts'
import { isSigned, type OwnKeys } from './own-keys.ts'
import { readUnheldSealKeys } from './seal-key.ts'

export interface FirmChain {
  readonly firmId: string
  readonly rows: number
  /** Hash of the last row, hexadecimal. */
  readonly head: string
  readonly firstBreak: ChainBreak | null
}

export interface Trail {
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  readonly files: HeadFiles
}

export interface TrailPart {
  /** Null for all firms. */
  readonly firmId: string | null
  /** The number of files to read: the newest files, and others spread over the rest. */
  readonly filesMax: number
  /** The newest checkpoint that this process has seen in the database and the document store. */
  readonly known: Checkpoint | undefined
}

export interface VerifiedTrail {
  readonly verified: boolean
  readonly firms: readonly FirmChain[]
  /** The newest checkpoint that is in the database and the document store. */
  readonly newest: Checkpoint | undefined
}

export const oneView = { firm: null, readOnly: true, repeatable: true, isolation: 'repeatable read' } as const

const filesAtOnce = 8

/** The document store is read first, so that it holds every checkpoint that the snapshot of the database knows. */
export async function verifyTrail(trail: Trail, part: TrailPart): Promise<VerifiedTrail> {
  const { pool, masterKeys, files } = trail
  const { keys, copied, lacking } = await inTransaction(pool, oneView, async (tx) => ({
    keys: await readTrustedKeys(tx, masterKeys),
    copied: await readNewestNumber(tx),
    lacking: await readUnheldSigners(tx, masterKeys),
  }))
  if (lacking.length > 0) await assertNoneHolds(pool, lacking)
  const last = await files.findNewest(copied)
  const wrongFiles = await readOlderFiles(files, keys.own, last, part.filesMax)
  return inTransaction(pool, oneView, async (tx) => {
    const view = await openView(tx, { files, keys, last, known: part.known, wrongFiles })
    const firms: FirmChain[] = []
    for (const firmId of view.firmIds) {
      if (part.firmId === null || part.firmId === firmId) firms.push(await verifyFirm(tx, view, firmId))
    }
    const newest = view.copied < view.number ? undefined : view.checkpoint
    return { verified: firms.every(({ firstBreak }) => firstBreak === null), firms, newest }
  })
}

/** The keys of the newest heads that no master key of this process opens. */
async function readUnheldSigners(tx: Tx, masterKeys: MasterKeys): Promise<readonly StoredSealKey[]> {
  const unheld = await readUnheldSealKeys(tx, masterKeys)
  if (unheld.length === 0) return unheld
  const signers = new Set((await readNewestHeads(tx)).map(({ keyId }) => keyId))
  return unheld.filter(({ keyId }) => signers.has(keyId))
}

/**
 * Throws PartUnavailable if another process holds the master key of one of the keys. The trail is then not broken: this
 * process lacks a master key. A key whose master key no process holds may belong to an attacker.
 */
async function assertNoneHolds(pool: Pool, keys: readonly StoredSealKey[]): Promise<void> {
  const names = await readSessionNames(pool, sessionsOfHolders)
  for (const { keyId, masterKeyId } of keys)
    if (names.some((name) => name.split(' ').includes(mentionOf(masterKeyId))))
      throw new PartUnavailable(
        `the audit trail cannot be verified here: seal key ${keyId} is wrapped under master key ${masterKeyId}, which another process has and this process lacks: add its file to MASTER_KEY_FILE`,
      )
}

/** The faults of older files, by their number. */
async function readOlderFiles(
  files: HeadFiles,
  keys: OwnKeys,
  last: number,
  filesMax: number,
): Promise<Map<number, string>> {
  const wrong = new Map<number, string>()
  if (last === 0) return wrong
  const newest = await files.read(last, keys)
  // The newest checkpoint names the first required file.
  if ('wrong' in newest) return wrong
  const first = newest.filesFrom
  const step = Math.max(1, Math.ceil((last - first) / filesMax))
  const numbers: number[] = []
  for (let number = last - 1; number >= first; number -= step) numbers.push(number)
  for (let at = 0; at < numbers.length; at += filesAtOnce) {
    await Promise.all(
      numbers.slice(at, at + filesAtOnce).map(async (number) => {
        const read = await files.read(number, keys)
        if ('wrong' in read) wrong.set(number, read.wrong)
      }),
    )
  }
  return wrong
}

interface View {
  readonly keys: OwnKeys
  readonly trusted: TrustedKeys
  readonly chains: ReadonlyMap<string, StoredChain>
  /** The newest checkpoint that has copies in the database. */
  readonly copied: number
  /** The number of the newest checkpoint in the database or the document store; 0 for none. */
  readonly number: number
  readonly checkpoint: Checkpoint | undefined
  readonly known: Checkpoint | undefined
  /** For each firm, the faults of files that contain a head of the firm. */
  readonly fileBreaks: ReadonlyMap<string, ChainBreak>
  readonly firmIds: readonly string[]
}

async function openView(
  tx: Tx,
  found: {
    readonly files: HeadFiles
    readonly keys: TrustedKeys
    readonly last: number
    readonly known: Checkpoint | undefined
    readonly wrongFiles: Map<number, string>
  },
): Promise<View> {
  const { files, keys: trusted, last, known, wrongFiles } = found
  const keys = trusted.own
  const { elsewhere } = await readFirmsOfCell(tx, trusted)
  const chains = new Map((await readChains(tx)).map((chain) => [chain.firm_id, chain]))
  const copied = await readNewestNumber(tx)
  const number = Math.max(last, copied, known?.checkpoint ?? 0)
  const read = number === 0 ? undefined : await files.read(number, keys)
  if (read !== undefined && 'wrong' in read) wrongFiles.set(number, read.wrong)
  const kept = known?.checkpoint === number ? known : undefined
  const checkpoint = read === undefined || 'wrong' in read ? kept : read
  const fileBreaks = new Map<string, ChainBreak>()
  for (const [wrong, reason] of [...wrongFiles].sort(([one], [other]) => one - other)) {
    const firms = await readFirmsOfCheckpoint(tx, wrong)
    const named = firms.length > 0 ? firms : [{ firmId: clearingFirmId, sequence: 0 }]
    for (const { firmId, sequence } of named) {
      if (fileBreaks.has(firmId)) continue
      fileBreaks.set(firmId, { sequence, reason: `The file of checkpoint ${wrong} ${reason}.` })
    }
  }
  const signed = checkpoint?.heads.map(({ firmId }) => firmId) ?? []
  const named = new Set([...chains.keys(), ...signed, ...fileBreaks.keys()])
  // The chain of a firm that has left or is arriving is verified in the other cell.
  const firmIds = [...named].filter((firmId) => !elsewhere.has(firmId)).sort()
  return { keys, trusted, chains, copied, number, checkpoint, known, fileBreaks, firmIds }
}

async function verifyFirm(tx: Tx, view: View, firmId: string): Promise<FirmChain> {
  const moved = await readMovedChain(tx, firmId, view.trusted)
  const signed = joinHeads(view, firmId, await readHeadsOfFirm(tx, firmId), moved)
  const check = new ChainCheck(signed.heads)
  for await (const rows of eachChainRow(tx, firmId, 0))
    for (const row of rows) check.add(hashRow(row, sha256))
  const { sequence: rows, hash: head, firstBreak } = check.finish()
  const found =
    firstBreak ??
    breakOfTables(view.chains.get(firmId), rows, head) ??
    signed.firstBreak ??
    view.fileBreaks.get(firmId) ??
    null
  return { firmId, rows, head, firstBreak: found && explain(found, view) }
}

/** Compares the table of firms and the head of the chain with the rows. */
export function breakOfTables(chain: StoredChain | undefined, rows: number, head: string): ChainBreak | null {
  if (chain?.known !== true)
    return { sequence: Math.min(1, rows), reason: 'There is no such firm in the table of firms.' }
  if (chain.sequence === null || chain.hash === null) {
    return rows === 0 ? null : { sequence: rows, reason: 'The head of the chain is missing.' }
  }
  const expected = Number(chain.sequence)
  if (rows !== expected) {
    return {
      sequence: rows + 1,
      reason: `The chain ends at row ${rows}; its head is at row ${expected}.`,
    }
  }
  return chain.hash.toString('hex') === head
    ? null
    : { sequence: rows, reason: 'The head of the chain is not the hash of its last row.' }
}

interface JoinedHeads {
  readonly heads: readonly SignedHead[]
  readonly firstBreak: ChainBreak | null
}

/**
 * Returns the heads that bind a firm's chain: the head of the checkpoint, the earlier copies in the database and the
 * heads from other cells, while each follows the previous one.
 */
function joinHeads(
  view: View,
  firmId: string,
  copies: readonly SignedHead[],
  moved: MovedChain,
): JoinedHeads {
  const outside = view.checkpoint?.heads.find((head) => head.firmId === firmId)
  const firstBreak = breakOfCopies(view, firmId, copies, outside) ?? moved.firstBreak
  const before =
    view.checkpoint === undefined ? copies : copies.filter(({ number }) => number < (outside?.number ?? 0))
  const own = bindingHeads(outside === undefined ? before : [...before, outside])
  const chained = [...moved.heads, ...own].sort(
    (one, other) => one.sequence - other.sequence || (one.at < other.at ? -1 : 1),
  )
  const newest = chained.at(-1)
  if (newest !== undefined && !isSigned(allKeys(view.trusted), renderSignedHead(newest), newest)) {
    const reason = `${nameHead(newest)} is not signed by a key of the service.`
    return { heads: [], firstBreak: firstBreak ?? breakAt(newest, reason) }
  }
  for (const [at, head] of [...chained.entries()].reverse()) {
    const previous = chained[at - 1]
    if (head.previous === (previous === undefined ? '' : sha256(renderSignedHead(previous)))) continue
    const reason = `The database’s copies of the signed heads before ${nameHead(head)} are not those that it follows.`
    return {
      heads: chained.filter((one) => isSigned(allKeys(view.trusted), renderSignedHead(one), one)),
      firstBreak: firstBreak ?? breakAt(previous ?? head, reason),
    }
  }
  return { heads: chained, firstBreak }
}

/** Compares the newest copies with the checkpoint and with the newest checkpoint that this process has seen. */
function breakOfCopies(
  { checkpoint, known, copied }: View,
  firmId: string,
  copies: readonly SignedHead[],
  outside: SignedHead | undefined,
): ChainBreak | null {
  const later = copies.find(({ number }) => number > (outside?.number ?? 0))
  if (checkpoint !== undefined && later !== undefined)
    return breakAt(later, `The document store does not have ${nameHead(later)}.`)
  const lost = known?.heads.find((head) => head.firmId === firmId && head.number > copied)
  if (lost !== undefined) return breakAt(lost, `The database has no copy of ${nameHead(lost)}.`)
  const own = copies.find(({ number }) => number === outside?.number)
  return own === undefined || outside === undefined || JSON.stringify(own) === JSON.stringify(outside)
    ? null
    : breakAt(outside, `The database’s copy of ${nameHead(outside)} differs from what was signed.`)
}

function breakAt({ sequence }: SignedHead, reason: string): ChainBreak {
  return { sequence, reason }
}

function explain(found: ChainBreak, { copied, number, checkpoint }: View): ChainBreak {
  return copied >= number || checkpoint?.keeps === copied
    ? found
    : { ...found, reason: `${found.reason} ${hintOfRestore(copied, number)}` }
}

/** Adds a hint: a database with fewer checkpoints than the document store was probably restored. */
export function hintOfRestore(copied: number, newest: number): string {
  return (
    `The database knows checkpoints up to ${copied}, the document store up to ${newest}: if the database was restored to an ` +
    'earlier moment, use acknowledge-restore.'
  )
}
