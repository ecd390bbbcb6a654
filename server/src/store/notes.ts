/** Notes that staff write on accounts. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface Note {
  readonly note_id: string
  readonly account_number: string
  readonly content: string
  readonly mentions: readonly string[]
  readonly written_by: string
  readonly written_at: string
}

const insertNote = statement(
  'insert-note',
  `insert into clearing.note (note_id, account_number, firm_id, content, written_by, written_at, mentions)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const selectNotes = statement<Note>(
  'select-notes',
  `select note_id, account_number, content, mentions, written_by, written_at from clearing.note
   where account_number = $1 order by written_at desc, note_id desc limit 1000`,
)

export interface NewNote {
  readonly noteId: string
  readonly accountNumber: string
  readonly firmId: string
  readonly content: string
  readonly mentions: readonly string[]
  readonly by: string
  readonly at: Date
}

export function writeNote(tx: Tx, note: NewNote): void {
  const { noteId, accountNumber, firmId, content, by, at, mentions } = note
  tx.later(insertNote, [noteId, accountNumber, firmId, content, by, at, mentions])
}

/** The newest thousand notes, newest first. */
export function readNotes(tx: Tx, accountNumber: string): Promise<Note[]> {
  return tx.rows(selectNotes, [accountNumber])
}
