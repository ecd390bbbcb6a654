/**
 * Corrects the tax id or the citizenship of an owner or party of an open account, at once, or after the approval of a
 * second person and the decisions on matches (decision 231).
 */
import { type CorrectedIdentity, type IdentityFacts, whyNotCorrected, withIdentity } from '@clearing/domain'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { ruleSettings } from '../firm-rules/rule-settings.ts'
import { parseUuid } from '../ids.ts'
import { answerFieldFollowUps } from '../onboarding/follow-ups.ts'
import { readResidenceAtTransfer } from '../onboarding/residence-at-transfer.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import type { StoredChange } from '../store/changes.ts'
import { type Document, readDocument } from '../store/documents.ts'
import { findDuplicates, findNumbersOfOthers } from '../store/parties.ts'
import { keepAmendment, type Why } from './amend-record.ts'
import { whyOtherVersion } from './expected-version.ts'
import { keepMatchesOfChange, screenChange, unlessNoList } from './screen-change.ts'
import { type Came, hasOpenMatches } from './update-effect.ts'
import { whyFixed } from './why-fixed.ts'

type Asked = Request<'correct-identity'>

export interface JudgedIdentity extends CorrectedIdentity {
  /** The locked account, still with its former values. */
  readonly account: Account
  readonly documents: readonly Document[]
  /** Accounts of the same owner with the same registration, if the number of the owner changes. */
  readonly duplicates: readonly string[]
}

/** Locks the account. The context is that of the firm concerned. */
export async function judgeIdentityCorrection(
  asked: Asked,
  context: FirmContext,
): Promise<JudgedIdentity | readonly Rejection[]> {
  const { tx, keys } = context
  const { accountNumber, expectedVersion } = asked
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account === undefined) throw new Error(`account ${accountNumber} has a head but no row`)
  if (account.status === 'Pending') return [reject('ERR.2011', 'accountNumber', pending)]
  const fixed = await whyFixed(tx, account, 'accountNumber')
  if (fixed !== undefined) return [fixed]
  const otherVersion = whyOtherVersion(account, expectedVersion)
  if (otherVersion !== undefined) return [otherVersion]
  const identity = withIdentity(account.record, asked)
  if (identity === undefined) {
    const reason = 'The account has no owner or party with this customer id.'
    return [reject('ERR.1015', 'customerId', reason)]
  }
  const documents = await readApproved(asked, context)
  const facts: IdentityFacts = {
    ...ruleSettings(context),
    residenceAtTransfer: await readResidenceAtTransfer(tx, account),
    shownBy: documents.approved.map(({ reference }) => reference),
    numbersOfOthers: await findNumbersOfOthers(tx, keys, identity.amended),
  }
  const isNewOwner = identity.changes.some(({ field }) => field === 'primaryOwner.taxIdNumber')
  const duplicates = isNewOwner ? await findDuplicates(tx, keys, identity.amended, accountNumber) : []
  const rejections = [
    ...documents.rejections,
    ...whyNotCorrected(account.record, identity, facts),
    ...whyDuplicate(context, duplicates),
  ]
  return rejections.length > 0
    ? rejections
    : { ...identity, account, documents: documents.approved, duplicates }
}

const pending =
  'The account is Pending; correct-identity changes accounts that were opened. Reject the application, and the firm sends another with the right values.'

/** The approved documents that the request names, and the rejections of the others. */
async function readApproved(
  { accountNumber, documentIds }: Asked,
  { tx }: FirmContext,
): Promise<{ readonly approved: Document[]; readonly rejections: Rejection[] }> {
  const approved: Document[] = []
  const rejections: Rejection[] = []
  for (const [index, sent] of documentIds.entries()) {
    const id = parseUuid(sent)
    const field = `documentIds[${index}]`
    const document = id === undefined ? undefined : await readDocument(tx, accountNumber, id)
    if (document === undefined)
      rejections.push(reject('ERR.2013', field, 'The account has no document with this id.'))
    else if (document.status !== 'Approved')
      rejections.push(reject('ERR.2053', field, `The document is ${document.status}; it must be approved.`))
    else approved.push(document)
  }
  return { approved, rejections }
}

/** As for an application: the firm's setting decides whether one person may have two such accounts. */
function whyDuplicate({ firm }: FirmContext, [accountNumber]: readonly string[]): Rejection[] {
  if (accountNumber === undefined || firm.settings.duplicateApplications !== 'Refuse') return []
  const reason = `The same person already has this registration in account ${accountNumber}.`
  return [reject('ERR.2012', 'taxIdNumber', reason, 'PossibleDuplicate')]
}

/** Stores the new values. */
export async function correctNow(
  { account, amended, changes }: Pick<JudgedIdentity, 'account' | 'amended' | 'changes'>,
  why: Why,
  context: FirmContext,
): Promise<Account> {
  const changed = keepAmendment(account, { amended, changes }, context, 'correct-identity', why)
  await answerFieldFollowUps(context, changed, changes)
  return changed
}

/**
 * The effect of the approval, or of the last cleared match. The second person decides on the record that was shown;
 * afterwards no other change may come in between.
 */
export async function effectOfIdentity(
  { expectedVersion: _, ...asked }: Asked,
  context: FirmContext,
  change: StoredChange,
): Promise<Came> {
  const judged = await judgeIdentityCorrection(asked, context)
  if (!('account' in judged)) return judged
  const { account, amended } = judged
  if (account.version !== change.version) return 'stale'
  const hits = await unlessNoList(() => screenChange(context, account.record, amended))
  if (hits instanceof Rejected) return hits.rejections
  keepMatchesOfChange(context, account, change.change_id, hits)
  if (hits.length > 0 || (await hasOpenMatches(context, change))) return 'waits'
  await correctNow(judged, { reason: change.reason, requestedBy: change.requested_by }, context)
  return 'made'
}
