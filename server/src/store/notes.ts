/** Notes that staff write on accounts. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface Note {
  readonly note_id: string
  readonly account_number: string
  readonly content: string
  readonly written_by: string
  readonly written_at: string
}

const insertNote = statement(
  'insert-note',
  `insert into clearing.note (note_id, account_number, firm_id, content, written_by, written_at)
   values ($1, $2, $3, $4, $5, $6)`,
)
const selectNotes = statement<Note>(
  'select-notes',
  `select note_id, account_number, content, written_by, written_at from clearing.note
   where account_number = $1 order by written_at desc, note_id desc limit 1000`,
)

export function writeNote(
  tx: Tx,
  note: { noteId: string; accountNumber: string; firmId: string; content: string; by: string; at: Date },
): void {
  tx.later(insertNote, [note.noteId, note.accountNumber, note.firmId, note.content, note.by, note.at])
}

/** Newest first; the last thousand. */
export function readNotes(tx: Tx, accountNumber: string): Promise<Note[]> {
  return tx.rows(selectNotes, [accountNumber])
}
