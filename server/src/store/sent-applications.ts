/**
 * Applications exactly as they were sent, sealed beside the change that created the account. If a request
 * opens several accounts, the first account has the text, and the others refer to it.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { pack, unpack } from '../encryption/packed-text.ts'
import { open, seal } from '../encryption/seal.ts'

export interface SentApplication {
  /** The text of the request, or the first account that the same request created. */
  readonly text: string | { readonly heldBy: string }
  /** The index of the application in the request; undefined if the request is one application. */
  readonly position?: number
}

export interface KeptApplication {
  readonly operation: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly text: string
  readonly position: number | undefined
}

function sealedColumnOf(keys: FirmKeys, accountNumber: string) {
  return { firm: keys.firmId, table: 'account_change', column: 'sent', row: accountNumber }
}

export function sealSent(keys: FirmKeys, accountNumber: string, { text, position }: SentApplication): Buffer {
  const head = [position ?? '', typeof text === 'string' ? '' : text.heldBy].join(' ')
  return seal(
    keys,
    pack(`${head}\n${typeof text === 'string' ? text : ''}`),
    sealedColumnOf(keys, accountNumber),
  )
}

const selectSent = statement<{ sent: Buffer; operation: string; at: string }>(
  'select-sent-application',
  `select sent, operation, at from clearing.account_change where account_number = $1 and sent is not null
   order by sequence limit 1`,
)

/**
 * Undefined for an account whose application an earlier release stored, and for a number that is only
 * reserved.
 */
export async function readSent(
  tx: Tx,
  accountNumber: string,
  keys: FirmKeys,
): Promise<KeptApplication | undefined> {
  const row = await tx.row(selectSent, [accountNumber])
  if (row === undefined) return undefined
  const { sent, operation, at } = row
  const kept = unpack(open(keys, sent, sealedColumnOf(keys, accountNumber)))
  const end = kept.indexOf('\n')
  const [position = '', heldBy = ''] = kept.slice(0, end).split(' ')
  const text = heldBy === '' ? kept.slice(end + 1) : (await readSent(tx, heldBy, keys))?.text
  if (text === undefined) throw new Error('an application refers to an account without one')
  return { operation, at, text, position: position === '' ? undefined : Number(position) }
}
