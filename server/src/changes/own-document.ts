/**
 * Who may approve a document: not the person who added it, as no person approves the own change (decision 208). A
 * document can end a restriction, and proves who the owner is.
 */
import { type Rejection, reject } from '@clearing/protocol'
import { isPerson, isSameActor } from '../actor.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { readActor } from '../store/audit.ts'
import { subjectsToApprove } from './ask-for-change.ts'
import { whySameHand } from './give-access.ts'

/** Why the caller may not approve the document. The context is that of the firm concerned. */
export async function whyOwnDocument(
  context: FirmContext,
  { accountNumber, documentId }: { readonly accountNumber: string; readonly documentId: string },
): Promise<Rejection | undefined> {
  const { tx, firm, caller, parts } = context
  const added = await readActor(tx, { firmId: firm.firmId, accountNumber }, 'add-document', documentId)
  if (added === undefined) return undefined
  const byPerson = isPerson(added.actor)
  if (isSameActor(added.actor, caller.clientId))
    return subjectsToApprove(context, ['Restrictions']).length === 0
      ? undefined
      : reject('ERR.1003', '', 'You added this document; another person must approve it.')
  // Behind a credential may be the person who added the document.
  if (caller.person === undefined)
    return byPerson
      ? reject('ERR.1003', '', 'A person added this document; another person must approve it.')
      : undefined
  // In the sandbox, people try four eyes with persons whom they create.
  return byPerson && !parts.sandbox
    ? whySameHand(tx, { requester: added.actor, approver: caller.clientId }, parts.identity.now())
    : undefined
}
