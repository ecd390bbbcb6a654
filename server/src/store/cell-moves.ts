/**
 * Moves of firms in the directory of cells. The state of a move changes by compare-and-set. Therefore a
 * command that was killed can be repeated and continues, and two commands do not work on one move.
 */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'

/**
 * `Copying`: documents are copied while the firm works. `Frozen`: the firm's calls wait while its rows are
 * copied. `Copied`: the new cell has everything. `Switched`: the firm is in the new cell. `Removed`: the old
 * cell has removed the firm's rows.
 */
export type MoveState = 'Copying' | 'Frozen' | 'Copied' | 'Switched' | 'Removed' | 'CalledOff'

export interface Move {
  readonly firmId: string
  readonly from: string
  readonly to: string
  readonly state: MoveState
}

const selectMove = statement<Move>(
  'select-move',
  'select firm_id as "firmId", from_cell as "from", to_cell as "to", state from directory.move where firm_id = $1',
)
/** True for a firm that moves again. */
const insertMove = statement(
  'insert-move',
  `insert into directory.move (firm_id, from_cell, to_cell, state) values ($1, $2, $3, 'Copying')
   on conflict (firm_id) do update set from_cell = excluded.from_cell, to_cell = excluded.to_cell, state = excluded.state,
     changed_at = clock_timestamp()
   where move.state = 'Removed'`,
)
const changeMove = statement(
  'change-move',
  `update directory.move set state = $3, changed_at = clock_timestamp() where firm_id = $1 and state = $2`,
)
const deleteMove = statement('delete-move', 'delete from directory.move where firm_id = $1')
const moveClaims = statement(
  'move-claims',
  `update directory.claim set cell = $3 from unnest($1::text[], $2::text[]) as given (kind, name)
   where claim.kind = given.kind and claim.name = given.name`,
)
const putAccounts = statement(
  'put-moved-accounts',
  `insert into directory.moved_account (account_number, firm_id, cell) select number, $1, $3 from unnest($2::text[]) as number
   on conflict (account_number) do update set cell = excluded.cell`,
)
const dropAccounts = statement(
  'drop-accounts-in-range',
  `delete from directory.moved_account using directory.cell
   where firm_id = $1 and cell = name and left(account_number, 2) ~ '^[0-9]{2}$'
     and left(account_number, 2) between first_number::text and last_number::text`,
)
export interface MovedAccount {
  readonly number: string
  readonly cell: string
}

const selectMoved = statement<MovedAccount>(
  'select-moved-accounts',
  `select account_number as number, cell from directory.moved_account where $1::text is null or account_number = $1
   order by account_number`,
)

export async function readMove(directory: Pool, firmId: string): Promise<Move | undefined> {
  return (await readInFirm(directory, null, selectMove, [firmId]))[0]
}

/** Fails when another move of the firm is under way. */
export async function beginMove(directory: Pool, firmId: string, from: string, to: string): Promise<void> {
  const begun = await inTransaction(directory, { firm: null }, (tx) => tx.run(insertMove, [firmId, from, to]))
  if (begun !== 1) throw new Error(`another command began to move the firm ${firmId}`)
}

export async function changeState(
  tx: Tx,
  { firmId, state }: Pick<Move, 'firmId' | 'state'>,
  to: MoveState,
): Promise<void> {
  if ((await tx.run(changeMove, [firmId, state, to])) !== 1)
    throw new Error(`the move of the firm ${firmId} is no longer ${state}: another command works on it`)
}

export async function forgetMove(directory: Pool, firmId: string): Promise<void> {
  await inTransaction(directory, { firm: null }, (tx) => tx.run(deleteMove, [firmId]))
}

/** Moves the firm's names and account numbers to its new cell in one transaction. */
export async function switchCells(
  directory: Pool,
  move: Move,
  names: readonly { readonly kind: string; readonly name: string }[],
  accountNumbers: readonly string[],
): Promise<void> {
  await inTransaction(directory, { firm: null }, async (tx) => {
    await changeState(tx, move, 'Switched')
    await tx.run(moveClaims, [names.map(({ kind }) => kind), names.map(({ name }) => name), move.to])
    await tx.run(putAccounts, [move.firmId, accountNumbers, move.to])
    await tx.run(dropAccounts, [move.firmId])
  })
}

/**
 * The account numbers that have left the cell of their range. With a number, only that number if it has left.
 */
export function findMovedAccounts(directory: Pool, accountNumber?: string): Promise<MovedAccount[]> {
  return readInFirm(directory, null, selectMoved, [accountNumber ?? null])
}
