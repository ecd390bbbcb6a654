/**
 * Moves a firm from one cell to another. Each state of the move is in the directory, so the command can be
 * killed at any moment and repeated. The move can be called off until the directory is switched. The firm
 * then continues in its old cell.
 */

import { handProofsOver } from '../audit/moved-heads.ts'
import { sealFirmsAfterwards } from '../business-day/seal-afterwards.ts'
import { queueSearchesOfFirm } from '../changes/block-listed-person.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { BlobStore } from '../documents/blob-store.ts'
import { rewrapFirmKey } from '../encryption/firm-key.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { claimsOfFirm } from '../identity/cells/open-cells.ts'
import { writeAuditRow } from '../store/audit.ts'
import { type Claim, findClaims } from '../store/cell-directory.ts'
import {
  beginMove,
  changeState,
  forgetMove,
  type Move,
  type MoveState,
  readMove,
  switchCells,
} from '../store/cell-moves.ts'
import { readCredentials } from '../store/credentials.ts'
import { copyPositions, takePositionBefore } from '../store/event-log-move.ts'
import {
  type Copying,
  copyRows,
  digestRows,
  findForeignSecurities,
  hasArrived,
  noteSecurities,
  readAccountNumbers,
  readDaysOfCell,
  readDocumentIds,
  removeRows,
} from '../store/firm-copy.ts'
import { clearingFirmId, readFirm, readFirmKeys, replaceWrapping } from '../store/firms.ts'
import { moveJobs } from '../store/job-move.ts'
import { freezeRows, markMoving, thawRows, unmarkMoving } from '../store/moving-firms.ts'
import { countOpeningsOfFirm } from '../store/openings.ts'
import { asOperations } from '../store/snapshots.ts'
import { copyDocuments, removeDocuments, shareDocuments } from './move-documents.ts'
import { findUnfinishedWork } from './unfinished-work.ts'

/** A cell with the parts that the command uses. */
export interface CellSide {
  readonly name: string
  readonly owner: Pool
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  readonly blobs: BlobStore
}

export interface MoveSettings {
  readonly from: CellSide
  readonly to: CellSide
  readonly directory: Pool
  readonly firmId: string
  /** Called with each state that the move reaches. */
  readonly onState: (state: MoveState) => void
}

/** Thrown when the move cannot be made, or not now; nothing was changed. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}

/** Moves the firm until it works in its new cell. The old cell keeps its rows until `removeMoved`. */
export async function moveFirm(settings: MoveSettings): Promise<void> {
  const { directory, firmId, onState } = settings
  const found = await readMove(directory, firmId)
  if (found === undefined || found.state === 'Removed') await begin(settings)
  for (;;) {
    const move = await findMove(settings)
    onState(move.state)
    switch (move.state) {
      case 'Copying':
        await copyDocuments(settings, await readDocumentIds(settings.from.operations, firmId))
        await reach(settings, move, 'Frozen')
        break
      case 'Frozen':
        await copyFrozen(settings)
        await reach(settings, move, 'Copied')
        break
      case 'Copied':
        await switchTo(settings, move)
        break
      case 'Switched':
        await serveInNewCell(settings)
        return
      case 'CalledOff':
        throw new MoveRefused('The move was called off: repeat the command with --call-off.')
      case 'Removed':
        return
      default:
        throw new Error(`unknown state ${move.state satisfies never}`)
    }
  }
}

/** Removes the remaining rows of a moved firm from its old cell. */
export async function removeMoved(settings: MoveSettings): Promise<void> {
  const { from, firmId, onState } = settings
  const move = await findMove(settings)
  if (move.state === 'Removed') return
  if (move.state !== 'Switched')
    throw new MoveRefused(`The firm is not moved yet: the move is ${move.state}.`)
  await serveInNewCell(settings)
  const documents = await readDocumentIds(from.operations, firmId)
  // This copies contents that the new cell has lost since.
  await copyDocuments(settings, documents)
  await removeDocuments(from.blobs, documents)
  await removeRows(from.owner, firmId, false)
  await thawRows(from.owner, firmId)
  await reach(settings, move, 'Removed')
  onState('Removed')
}

/**
 * Calls off a move before the switch. The firm continues in its old cell with the state that it has there.
 */
export async function callOff(settings: MoveSettings): Promise<void> {
  const { from, to, directory, firmId, onState } = settings
  const move = await findMove(settings)
  if (move.state === 'Switched' || move.state === 'Removed')
    throw new MoveRefused('The firm is already in its new cell. Move it back instead.')
  if (move.state !== 'CalledOff') await reach(settings, move, 'CalledOff')
  await removeDocuments(to.blobs, await readDocumentIds(from.operations, firmId))
  await release(settings)
  await forgetMove(directory, firmId)
  onState('CalledOff')
}

async function findMove({ directory, firmId, from, to }: MoveSettings): Promise<Move> {
  const move = await readMove(directory, firmId)
  const isOther = move !== undefined && (move.from !== from.name || move.to !== to.name)
  if (move === undefined || (isOther && move.state === 'Removed'))
    throw new MoveRefused('The firm is not being moved.')
  if (isOther) throw new MoveRefused(`The firm is being moved from ${move.from} to ${move.to}.`)
  return move
}

function reach({ directory }: MoveSettings, move: Move, state: MoveState): Promise<void> {
  return inTransaction(directory, { firm: null }, (tx) => changeState(tx, move, state))
}

async function begin(settings: MoveSettings): Promise<void> {
  const { from, to, directory, firmId } = settings
  if (firmId === clearingFirmId) throw new MoveRefused('The clearing firm is in every cell.')
  const known = await inTransaction(from.operations, { firm: null, readOnly: true }, (tx) =>
    readFirm(tx, firmId),
  )
  if (known === undefined || known.moving)
    throw new MoveRefused(`There is no firm ${firmId} in ${from.name}.`)
  await checkWhere(settings)
  await checkDays(settings)
  const foreign = await findForeignSecurities(from.operations, to.operations, firmId)
  if (foreign.length > 0)
    throw new MoveRefused(
      `${to.name} lacks these securities of the firm, or has them under other numbers or identifiers: ${foreign.join('; ')}`,
    )
  if (await shareDocuments(from.blobs, to.blobs))
    throw new MoveRefused(`${from.name} and ${to.name} have the same document store.`)
  for (const { operations: pool, masterKeys } of [from, to])
    await sealFirmsAfterwards({ pool, masterKeys, now: new Date() })
  await beginMove(directory, firmId, from.name, to.name)
}

/**
 * Checks that the firm works in the old cell alone. A cell that was restored to a moment before a move has an old copy
 * of the firm, which must not replace the rows of the cell that serves it.
 */
async function checkWhere({ from, to, directory, firmId }: MoveSettings): Promise<void> {
  const [other] = await findClaims(directory, [{ kind: 'firm', name: firmId }], from.name)
  const there = await inTransaction(to.operations, { firm: null, readOnly: true }, (tx) =>
    readFirm(tx, firmId),
  )
  const serving = other?.cell ?? (there === undefined || there.moving ? undefined : to.name)
  if (serving !== undefined)
    throw new MoveRefused(
      `${serving} serves the firm, so that the rows in ${from.name} are an old copy. If ${from.name} was restored to a moment before it sent the firm away, see "A cell" in Operating, Backup and restore.`,
    )
}

/**
 * Checks that neither cell has unfinished work on all its accounts, such as the close of a day, and that both have
 * closed the same days since the new cell began. A cell that was added later must have closed at least the last day,
 * so that the next day follows the same day in both.
 */
async function checkDays({ from, to, firmId }: MoveSettings): Promise<void> {
  const [old, fresh] = await Promise.all([readDaysOfCell(from.operations), readDaysOfCell(to.operations)])
  const closing = [old.closing && from.name, fresh.closing && to.name].filter((name) => name !== false)
  if (closing.length > 0) throw new MoveRefused(`A day is being closed in ${closing.join(' and ')}.`)
  const since = fresh.closes[0] ?? old.closes.at(-1) ?? ''
  const missing = old.closes.filter((day) => day >= since && !fresh.closes.includes(day))
  if (missing.length > 0) throw new MoveRefused(`${to.name} has not closed ${missing.join(', ')}.`)
  if (old.open !== fresh.open)
    throw new MoveRefused(`The open day is ${old.open} in ${from.name} and ${fresh.open} in ${to.name}.`)
  const unfinished = await findUnfinishedWork(from, to, firmId)
  if (unfinished !== undefined) throw new MoveRefused(unfinished)
}

/**
 * Copies the rows of the frozen firm. A repetition starts again; the rows of the firm cannot have changed.
 */
async function copyFrozen(settings: MoveSettings): Promise<void> {
  const { from, to, firmId } = settings
  await inTransaction(from.owner, { firm: null }, (tx) => markMoving(tx, firmId, 'Frozen', to.name))
  await inTransaction(to.owner, { firm: null }, (tx) => markMoving(tx, firmId, 'Arriving', from.name))
  // From here on neither cell begins to close a day.
  await checkDays(settings).catch(async (fault) => {
    await release(settings)
    throw fault
  })
  await freezeRows(from.owner, from.operations, firmId)
  // A line of an account that arrives would be acknowledged, and removed by the next copy.
  await freezeRows(to.owner, to.operations, firmId)
  await removeRows(to.owner, firmId, true)
  const copying: Copying = { from: from.operations, to: to.owner, firmId }
  const before = await takePositionBefore(to.owner)
  await copyRows(copying)
  // Copied after the rows, because housekeeping of the new cell removes contents without rows.
  await copyDocuments(settings, await readDocumentIds(from.operations, firmId))
  await copyPositions(copying, before)
  await rewrapKeys(settings)
  await noteSecurities(to.owner, firmId)
  await inTransaction(to.owner, { firm: null }, (tx) => countOpeningsOfFirm(tx, firmId))
  await compare(settings)
}

/** Ends the freeze: the firm works in its old cell again. */
async function release({ from, to, firmId }: MoveSettings): Promise<void> {
  await removeRows(to.owner, firmId, true)
  await inTransaction(to.owner, { firm: null }, async (tx) => {
    // A cell that the firm left earlier continues to ask the firm's callers to retry.
    if ((await readFirm(tx, firmId)) === undefined) await unmarkMoving(tx, firmId)
    else await markMoving(tx, firmId, 'Moved', from.name)
  })
  await thawRows(to.owner, firmId)
  await thawRows(from.owner, firmId)
  await inTransaction(from.owner, { firm: null }, (tx) => unmarkMoving(tx, firmId))
}

/** Rewraps the keys of the firm, which stay the same, under the master key of the new cell. */
async function rewrapKeys({ from, to, firmId }: MoveSettings): Promise<void> {
  const both: MasterKeys = {
    current: to.masterKeys.current,
    withId: (keyId) =>
      keyId === to.masterKeys.current.keyId ? to.masterKeys.current : from.masterKeys.withId(keyId),
    keyIds: [to.masterKeys.current.keyId, ...from.masterKeys.keyIds],
  }
  await inTransaction(to.owner, { firm: null }, async (tx) => {
    for (const key of await readFirmKeys(tx, firmId)) {
      const wrapped = await rewrapFirmKey(both, key)
      if (wrapped !== undefined) await replaceWrapping(tx, wrapped)
    }
  })
}

async function compare({ from, to, firmId }: MoveSettings): Promise<void> {
  const [sent, arrived] = await Promise.all([
    digestRows(from.operations, firmId),
    digestRows(to.operations, firmId),
  ])
  const other = sent.filter(
    ({ rows, digest }, at) => rows !== arrived[at]?.rows || digest !== arrived[at]?.digest,
  )
  if (other.length > 0)
    throw new Error(
      `the copied rows in ${to.name} differ from the sent rows: ${other.map(({ name }) => name).join(', ')}`,
    )
}

async function switchTo(settings: MoveSettings, move: Move): Promise<void> {
  const { from, directory, firmId } = settings
  const [firm, credentials] = await inTransaction(from.operations, { firm: null, readOnly: true }, (tx) =>
    Promise.all([readFirm(tx, firmId), readCredentials(tx, new Date())]),
  )
  if (firm === undefined) throw new Error(`${from.name} has lost the firm`)
  const names: Claim[] = [
    ...claimsOfFirm(firm),
    ...credentials
      .filter((credential) => credential.firmId === firmId)
      .map(({ clientId }): Claim => ({ kind: 'clientId', name: clientId.toLowerCase() })),
  ]
  await switchCells(directory, move, names, await readAccountNumbers(from.operations, firmId))
}

/** Makes the firm work in its new cell. Each step can be repeated. */
async function serveInNewCell({ from, to, firmId }: MoveSettings): Promise<void> {
  if (!(await hasArrived({ from: from.operations, to: to.operations, firmId })))
    throw new MoveRefused(
      `${to.name} lacks rows of the firm that it received from ${from.name}. If ${to.name} was restored to a moment before the firm arrived, see "A cell" in Operating, Backup and restore.`,
    )
  await thawRows(to.owner, firmId)
  if (await isArriving(to, firmId)) await handOver(from, to, firmId)
  await moveJobs({ from: from.owner, to: to.owner, firmId })
  await inTransaction(to.owner, { firm: null }, async (tx) => {
    if ((await unmarkMoving(tx, firmId)) === 0) return
    await asOperations(tx)
    noteMove(tx, firmId, `came from ${from.name}`)
    await queueSearchesOfFirm(tx, firmId)
  })
  await inTransaction(from.owner, { firm: null }, async (tx) => {
    if ((await markMoving(tx, firmId, 'Moved', to.name)) === 0) return
    await asOperations(tx)
    noteMove(tx, firmId, `went to ${to.name}`)
  })
}

async function isArriving({ operations }: CellSide, firmId: string): Promise<boolean> {
  const firm = await inTransaction(operations, { firm: null, readOnly: true }, (tx) => readFirm(tx, firmId))
  return firm?.moving === true
}

/** The old cell signs that the firm has left. The new cell admits the earlier seals and heads of the firm. */
async function handOver(from: CellSide, to: CellSide, firmId: string): Promise<void> {
  await inTransaction(from.operations, { firm: null }, (fromTx) =>
    inTransaction(to.operations, { firm: null }, (toTx) =>
      handProofsOver({ ...from, tx: fromTx }, { ...to, tx: toTx }, firmId, new Date()),
    ),
  )
}

function noteMove(tx: Parameters<typeof writeAuditRow>[0], firmId: string, what: string): void {
  const row = { firmId: clearingFirmId, at: new Date(), actor: 'move-firm', traceId: '' }
  writeAuditRow(tx, { ...row, action: 'move-firm', target: firmId, detail: { move: what } })
}
