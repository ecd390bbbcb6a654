/**
 * Signs the heads of the chains that have grown. The checkpoint is written to the document store before the
 * copies of its heads are committed. If a process dies between the two steps, the next process takes over the
 * file.
 */
import { type Checkpoint, nameHead, renderSignedHead, type SignedHead } from '@clearing/protocol/audit'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { readRowHashes } from '../store/audit.ts'
import { lockSigningOfHeads, readNewestNumber } from '../store/audit-heads.ts'
import { clearingFirmId } from '../store/firms.ts'
import { type HeadFiles, sha256 } from './head-files.ts'
import { keepCheckpoint, keepHeads, signCheckpoint, signHead } from './make-checkpoint.ts'
import { type OwnKeys, readOwnKeys } from './own-keys.ts'
import { takeSealKey } from './seal-key.ts'
import { type FirmBreak, headBefore, type Survey, surveyChains } from './survey-chains.ts'
import { hintOfRestore, type Trail } from './verify-trail.ts'

export interface Signing {
  /** Undefined when no valid chain has grown. */
  readonly signed: Checkpoint | undefined
  readonly breaks: readonly FirmBreak[]
}

/**
 * The number of attempts while other processes sign or files are taken over. Each attempt reads the chains
 * again.
 */
const attemptsMax = 5

export async function signHeads(trail: Trail, now: Date): Promise<Signing> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const survey = await surveyChains(trail)
    const isAhead = (await trail.files.findNewest(survey.copied)) > survey.copied
    if (!isAhead && !hasGrown(survey)) return { signed: undefined, breaks: survey.breaks }
    const signing = await signSurveyed(trail, survey, now)
    if (signing !== 'again') return signing
  }
  throw new Error('other processes signed the chains during each attempt')
}

function hasGrown({ positions, lasts }: Survey): boolean {
  return [...positions].some(([firmId, { sequence }]) => sequence > (lasts.get(firmId)?.sequence ?? 0))
}

/** Runs before any lock is taken, because the key may have to be created. */
export function takeKey({ pool, masterKeys }: Trail, now: Date) {
  return inTransaction(pool, { firm: null, repeatable: true }, async (tx) => ({
    key: await takeSealKey(tx, masterKeys, now),
    keys: await readOwnKeys(tx, masterKeys),
  }))
}

async function signSurveyed(trail: Trail, survey: Survey, now: Date): Promise<Signing | 'again'> {
  const { key, keys } = await takeKey(trail, now)
  return inTransaction(trail.pool, { firm: null }, async (tx): Promise<Signing | 'again'> => {
    await lockSigningOfHeads(tx)
    const { copied, lasts, positions } = survey
    if ((await readNewestNumber(tx)) !== copied) return 'again'
    const newest = await trail.files.findNewest(copied)
    if (newest > copied) {
      const breaks = await takeOver(tx, trail, keys, survey, newest)
      return breaks.length === 0 ? 'again' : { signed: undefined, breaks: [...survey.breaks, ...breaks] }
    }
    const before = copied === 0 ? undefined : await trail.files.read(copied, keys)
    if (before !== undefined && 'wrong' in before) {
      return { signed: undefined, breaks: [...survey.breaks, fileBreak(copied, before.wrong)] }
    }
    const made = { number: copied + 1, before, keeps: null, filesFrom: before?.filesFrom ?? 1, key, now }
    const heads = new Map(before?.heads.map((head) => [head.firmId, head]))
    const breaks = [...survey.breaks]
    for (const [firmId, position] of positions) {
      const [last, kept] = [lasts.get(firmId), heads.get(firmId)]
      if (!isSame(last, kept)) breaks.push(copyBreak(firmId, last ?? kept))
      else if (position.sequence > (last?.sequence ?? 0))
        heads.set(firmId, signHead(made, firmId, position, last, headBefore(survey, firmId)))
    }
    if (![...heads.values()].some(({ number }) => number === made.number))
      return { signed: undefined, breaks }
    const signed = signCheckpoint(made, [...heads.values()])
    await keepCheckpoint(tx, trail.files, signed)
    return { signed, breaks }
  })
}

function isSame(one: SignedHead | undefined, other: SignedHead | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function fileBreak(number: number, wrong: string): FirmBreak {
  return {
    firmId: clearingFirmId,
    sequence: 0,
    reason: `The file of checkpoint ${number} ${wrong}.`,
  }
}

function copyBreak(firmId: string, head: SignedHead | undefined): FirmBreak {
  return {
    firmId,
    sequence: head?.sequence ?? 0,
    reason: 'The database’s copy of its newest signed head differs from that of the document store.',
  }
}

/** Stores copies of heads that only the document store has, as far as the chains have their rows. */
async function takeOver(
  tx: Tx,
  { files }: Trail,
  keys: OwnKeys,
  survey: Survey,
  newest: number,
): Promise<FirmBreak[]> {
  const lasts = new Map(survey.lasts)
  const found = await readAhead(files, keys, survey.copied, newest)
  if (!Array.isArray(found)) return [found]
  for (const checkpoint of found) {
    const fresh = checkpoint.heads.filter(({ number }) => number === checkpoint.checkpoint)
    const hashes = await readRowHashes(tx, fresh)
    const missed = fresh.filter((head) => {
      const last = headBefore({ lasts, moved: survey.moved }, head.firmId)
      const follows = head.previous === (last === undefined ? '' : sha256(renderSignedHead(last)))
      const hash = head.sequence === 0 ? '' : hashes.get(`${head.firmId} ${head.sequence}`)
      return !follows || hash !== head.hash
    })
    if (missed.length > 0) {
      const hint = hintOfRestore(survey.copied, newest)
      return missed.map((head) => ({
        firmId: head.firmId,
        sequence: head.sequence,
        reason: `The chain does not have the row of ${nameHead(head)}. ${hint}`,
      }))
    }
    keepHeads(tx, checkpoint)
    for (const head of fresh) lasts.set(head.firmId, head)
  }
  return []
}

/** Reads the checkpoints after `copied`, except for checkpoints that an acknowledged restore made void. */
async function readAhead(
  files: HeadFiles,
  keys: OwnKeys,
  copied: number,
  newest: number,
): Promise<Checkpoint[] | FirmBreak> {
  const found: Checkpoint[] = []
  for (let number = newest; number > copied; number -= 1) {
    const read = await files.read(number, keys)
    if ('wrong' in read) return fileBreak(number, read.wrong)
    found.unshift(read)
    if (read.keeps === copied) break
  }
  return found
}
