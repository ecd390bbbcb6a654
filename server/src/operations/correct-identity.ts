/**
 * correct-identity: corrects the tax id or the citizenship of an owner or party of an open account, at once, or after
 * the approval of a second person, a review by account policy, and the decisions on matches.
 */
import { maskNumber } from '@clearing/domain'
import type { Data } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { askIfItWaits } from '../changes/ask-if-it-waits.ts'
import { correctNow, type JudgedIdentity, judgeIdentityCorrection } from '../changes/correct-identity.ts'
import { asFirm } from '../changes/firm-context.ts'
import { renderChange } from '../changes/render-change.ts'
import { findWaitingCorrection } from '../changes/same-change.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { readAccountHead } from '../store/accounts.ts'
import type { ChangedField, StoredChange } from '../store/changes.ts'
import type { Handler } from './context.ts'

export const correctIdentity: Handler<'correct-identity'> = async (request, context) => {
  const { accountNumber, reason } = request
  const head = await readAccountHead(context.tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const ofFirm = await asFirm(context, head.firm_id)
  const judged = await judgeIdentityCorrection(request, ofFirm)
  if (!('account' in judged)) return new Rejected([...judged])
  const { account } = judged
  const outcome = await askIfItWaits(
    judged,
    {
      operation: 'correct-identity',
      subjects: ['Identity'],
      request,
      reason,
      shown: shownTo(judged),
      findAlike: () => findWaitingCorrection(account, request, ofFirm),
    },
    ofFirm,
  )
  if (outcome instanceof Rejected) return outcome
  if (outcome.kind === 'waits') return render(judged, account.version, outcome.change)
  const { version } = await correctNow(judged, { reason }, ofFirm)
  return render(judged, version, undefined)
}

/** What the second person compares the new values with. */
function shownTo({ documents, duplicates }: JudgedIdentity): ChangedField[] {
  const named = (field: string, texts: readonly string[]) =>
    texts.map((after) => ({ field, before: '', after }))
  return [
    ...named(
      'document',
      documents.map(({ reference, document_id }) => `${reference} ${document_id}`),
    ),
    ...named('duplicate', duplicates),
  ]
}

function render(
  { account, party, duplicates }: JudgedIdentity,
  version: number,
  change: StoredChange | undefined,
): Data<'correct-identity'> {
  const { accountNumber, record } = account
  const isOf = ({ customerId }: { customerId?: string }) => customerId === party.customerId
  const before = [record.primaryOwner, ...record.associatedParties].find(isOf)
  const shown = (change === undefined ? undefined : before) ?? party
  return {
    accountNumber,
    version,
    customerId: shown.customerId ?? '',
    taxIdType: shown.taxIdType ?? '',
    taxIdNumber: maskNumber(shown.taxIdNumber ?? ''),
    citizenshipCountry: shown.citizenshipCountry ?? '',
    duplicates: [...duplicates],
    change: change === undefined ? null : renderChange(change),
  }
}
