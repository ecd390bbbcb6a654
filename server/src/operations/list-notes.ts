/** list-notes: what staff wrote on an account, newest first. */
import type { Handler } from '../context.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readNotes } from '../store/notes.ts'
import { accountNotFound } from './account-not-found.ts'

export const listNotes: Handler<'list-notes'> = async ({ accountNumber }, { tx }) => {
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound()
  const notes = await readNotes(tx, accountNumber)
  return {
    notes: notes.map((note) => ({
      noteId: note.note_id,
      accountNumber: note.account_number,
      text: note.content,
      writtenBy: note.written_by,
      writtenOn: note.written_at,
    })),
  }
}
