/** list-notes: the staff's notes on an account, newest first. */

import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readNotes } from '../store/notes.ts'
import type { Handler } from './context.ts'

export const listNotes: Handler<'list-notes'> = async ({ accountNumber }, { firm, tx }) => {
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const notes = await readNotes(tx, accountNumber)
  return {
    notes: notes.map((note) => ({
      noteId: note.note_id,
      accountNumber: note.account_number,
      text: note.content,
      mentions: [...note.mentions],
      writtenBy: note.written_by,
      writtenOn: note.written_at,
    })),
  }
}
