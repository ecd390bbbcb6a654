/** add-note: adds a note of the staff to an account, and notifies the persons whom it mentions. */
import { limits, type Rejection, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Tx } from '../database/transaction.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { newId } from '../ids.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeNote } from '../store/notes.ts'
import { writeNotification } from '../store/notifications.ts'
import { readStaffByEmail } from '../store/staff.ts'
import type { Handler } from './context.ts'

export const addNote: Handler<'add-note'> = async (request, context) => {
  const { accountNumber, text } = request
  const { tx, now, caller, traceId } = context
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const mentions = [...new Set((request.mentions ?? []).map((email) => email.toLowerCase()))]
  const refused = await whyNotMention(tx, mentions)
  if (refused !== undefined) return new Rejected([refused])
  const noteId = newId(now)
  const by = caller.clientId
  writeNote(tx, { noteId, accountNumber, firmId: head.firm_id, content: text, mentions, by, at: now })
  for (const recipient of mentions)
    writeNotification(tx, {
      recipient,
      kind: 'Mention',
      accountNumber,
      target: noteId,
      detail: text,
      causedBy: by,
      at: now,
      traceId,
    })
  // Written to the clearing firm's chain, because a client firm can read its own audit trail and must not see the note.
  writeAudit(context, { action: 'add-note', accountNumber, target: noteId, changes: { mentions } })
  return { noteId, accountNumber, text, mentions, writtenBy: by, writtenOn: now.toISOString() }
}

async function whyNotMention(tx: Tx, mentions: readonly string[]): Promise<Rejection | undefined> {
  if (mentions.length > limits.noteMentionsMax)
    return reject('ERR.1015', 'mentions', `A note mentions at most ${limits.noteMentionsMax} persons.`)
  const known = await Promise.all(mentions.map((email) => readStaffByEmail(tx, email)))
  const unknown = known.findIndex((person) => person === undefined || person.disabledAt !== null)
  return unknown < 0
    ? undefined
    : reject('ERR.1015', `mentions[${unknown}]`, 'No member of the staff has this e-mail address.')
}
