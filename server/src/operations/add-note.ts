/** add-note: what staff want others of the staff to know of an account. */

import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { newId } from '../ids.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeNote } from '../store/notes.ts'
import type { Handler } from './context.ts'

export const addNote: Handler<'add-note'> = async ({ accountNumber, text }, context) => {
  const { tx, now, caller } = context
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound()
  const noteId = newId(now)
  writeNote(tx, { noteId, accountNumber, firmId: head.firm_id, content: text, by: caller.clientId, at: now })
  // In the clearing firm's own chain: a client firm can be shown its trail without what was said of it.
  writeAudit(context, { action: 'add-note', accountNumber, target: noteId, changes: {} })
  return { noteId, accountNumber, text, writtenBy: caller.clientId, writtenOn: now.toISOString() }
}
