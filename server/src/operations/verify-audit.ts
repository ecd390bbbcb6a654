/** verify-audit: recomputes each firm's hash chain and names the first row that does not fit. */
import { reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import type { Tx } from '../database/transaction.ts'
import { type ChainHead, type ChainRow, selectChain, selectChainHeads } from '../store/audit.ts'

const pageRowsMax = 2_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const verifyAudit: Handler<'verify-audit'> = async ({ firmId }, { tx }) => {
  if (firmId && !uuid.test(firmId)) {
    return new Rejected([reject('ERR.1016', 'firmId', 'Firm id must be a UUID.')])
  }
  return verifyChains(tx, firmId || null)
}

/** The chain of one firm, or of all. */
export const verifyChains = async (tx: Tx, firmId: string | null) => {
  const heads = await tx.rows(selectChainHeads, [firmId])
  const firms = []
  for (const head of heads) firms.push(await verifyChain(tx, head))
  return { verified: firms.every(({ firstBreak }) => firstBreak === null), firms }
}

const verifyChain = async (tx: Tx, head: ChainHead) => {
  let rows = 0
  let previous: Buffer = Buffer.alloc(0)
  let firstBreak: { sequence: number; reason: string } | null = null
  for await (const page of tx.pages(selectChain, [head.firm_id], pageRowsMax)) {
    for (const row of page) {
      rows += 1
      firstBreak ??= breakOf(row, rows, previous)
      previous = row.hash
    }
  }
  const expected = Number(head.sequence)
  if (firstBreak === null && (rows !== expected || !previous.equals(head.hash))) {
    firstBreak = {
      sequence: rows + 1,
      reason: `The chain ends at row ${rows}; its head stands at row ${expected}.`,
    }
  }
  return { firmId: head.firm_id, rows, head: previous.toString('hex'), firstBreak }
}

const breakOf = (row: ChainRow, expected: number, previous: Buffer) => {
  const sequence = Number(row.sequence)
  if (sequence !== expected) return { sequence: expected, reason: 'The row is missing.' }
  if (!row.previous_hash.equals(previous))
    return { sequence, reason: 'It does not continue the row before it.' }
  if (!row.computed_hash.equals(row.hash)) return { sequence, reason: 'Its content is not what was written.' }
  return null
}
