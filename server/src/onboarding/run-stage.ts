/**
 * Runs a stage of an onboarding: the real checks, or in the sandbox the outcome of a magic value. It writes
 * only the matches that it passes on, so that it can also predict the outcome of an application.
 */
import {
  type AccountRecord,
  birthDateOfMinorChanged,
  duplicateFieldOf,
  findOnApplication,
  type IdentityCase,
  judgeIdentity,
  judgeOpening,
  judgeWatchlist,
  magicTaxIds,
  runMagicStage,
  type StageCode,
  type StageOutcome,
  screenedNames,
  statedBefore,
  succeeded,
  type WatchlistFindings,
} from '@clearing/domain'
import { checkAddress } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys, Keyring } from '../encryption/keyring.ts'
import { newId } from '../ids.ts'
import { type Hit, matchRow, openMatchRow, screenParts } from '../screening/screen-parts.ts'
import type { IndexedList } from '../screening/watch-lists.ts'
import type { Account } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import type { FirmSettings } from '../store/firm.ts'
import { alphabetList, readMatches, type ScreeningMatch } from '../store/screening.ts'
import { findInRecord } from './find-in-record.ts'
import { withAbout } from './with-about.ts'

export interface StageRun {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly keyring: Pick<Keyring, 'load'>
  /** The watch lists in force. */
  readonly lists: () => Promise<readonly IndexedList[]>
  readonly sandbox: boolean
  readonly now: Date
  readonly account: Pick<Account, 'accountNumber' | 'firmId' | 'record'>
  /** The earlier versions of the record from the submission on; empty if it has not changed. */
  readonly earlier: readonly AccountRecord[]
  /** Accounts with the same person and registration at the submission. */
  readonly possibleDuplicates: readonly string[]
  /** Customer ids of the persons whose tax id another person has. */
  readonly numbersOfOthers: ReadonlySet<string>
  readonly firmSettings: FirmSettings
  readonly attempt: number
  readonly keepMatch: (match: ScreeningMatch) => void
}

export async function runStage(stage: StageCode, run: StageRun): Promise<StageOutcome> {
  const owner = run.account.record.primaryOwner
  const magicCase = {
    sandbox: run.sandbox,
    taxIdNumber: owner.taxIdNumber ?? '',
    lastName: owner.lastName ?? '',
  }
  const magic = runMagicStage(magicCase, stage, run.attempt)
  if (magic !== null && !(stage === 'WatchlistCheck' && (await isMagicMatchCleared(run)))) {
    if (stage === 'WatchlistCheck') keepMagicMatch(run)
    return magic
  }
  switch (stage) {
    case 'IdentityCheck':
      return judgeIdentity(findOnApplication(identityCase(run)))
    case 'WatchlistCheck':
      return judgeWatchlist(await screenNames(run))
    case 'MailingAddress':
      return verifyMailingAddress(run.account)
    case 'AccountCreation':
    case 'TrustedContact':
    case 'ElectronicDelivery':
      // These stages set up the record, which exists since the submission.
      return succeeded()
    default:
      return stage satisfies never
  }
}

/**
 * The outcome of the rules before an application that has waited opens, by the day on which it opens. Null if no rule
 * refuses it.
 */
export function judgeBeforeOpening({
  account,
  now,
  sandbox,
}: Pick<StageRun, 'now' | 'sandbox'> & { readonly account: Account }): StageOutcome | null {
  return judgeOpening(account.record, {
    submittedOn: easternDay(new Date(account.createdAt)),
    today: easternDay(now),
    magicTaxIds: sandbox ? magicTaxIds : none,
  })
}

const none: ReadonlySet<string> = new Set()

type Screened = Pick<StageRun, 'tx' | 'keys' | 'keyring' | 'lists' | 'account' | 'now' | 'keepMatch'>

/**
 * Screens the names again before the account opens if the check was earlier, because a list may have got one
 * of them since. Null if no decision is left.
 */
export async function screenBeforeOpening(run: Screened): Promise<StageOutcome | null> {
  const { tx, keys, keyring, lists, account, now, keepMatch } = run
  const current = await lists()
  const names = screenedNames(account.record)
  const hits = (await screenParts({ tx, lists: current, keys, keyring, now }, { names })).filter(
    ({ standing }) => standing !== 'cleared',
  )
  for (const hit of hits) keepMatch(openMatchRow(hit, account, now))
  const reason = 'Possible matches of a watch list that was loaded since the names were checked.'
  return hits.length === 0 ? null : { kind: 'referred', code: 'WatchlistReview', reason }
}

/** Screens every name of the account, passes the matches on, and counts the undecided ones. */
async function screenNames({
  tx,
  keys,
  keyring,
  lists,
  account,
  now,
  keepMatch,
}: Screened): Promise<WatchlistFindings> {
  const current = await lists()
  const names = screenedNames(account.record)
  const hits = await screenParts({ tx, lists: current, keys, keyring, now }, { names })
  for (const hit of hits) keepMatch(matchRow(hit, account, now))
  const count = (is: (hit: Hit) => boolean) => hits.filter(is).length
  return {
    open: count(({ standing, listName }) => standing === 'open' && listName !== alphabetList),
    confirmed: count(({ standing }) => standing === 'confirmed'),
    unscreenable: count(({ standing, listName }) => standing === 'open' && listName === alphabetList),
  }
}

function identityCase(run: StageRun): IdentityCase {
  const { account, earlier, possibleDuplicates, numbersOfOthers, now, firmSettings, sandbox, keys } = run
  const { record } = account
  const found = findInRecord({ record, status: 'Pending' }, { now, sandbox, numbersOfOthers })
  const [submitted] = earlier
  const ofMinor = submitted && birthDateOfMinorChanged(submitted, record, easternDay(now))
  const before = earlier.map((one) => ({
    record: one,
    findings: findInRecord({ record: one, status: 'Pending' }, { now, sandbox }),
  }))
  return {
    policy: [
      ...[...found, ...(ofMinor === undefined ? [] : [ofMinor])].map((one) => withAbout(one, record, keys)),
      ...statedBefore(before, { record, findings: found }).map((one) =>
        withAbout(one.finding, one.record, keys),
      ),
    ],
    possibleDuplicates: possibleDuplicates.length,
    duplicatePolicy: firmSettings.duplicateApplications,
    duplicateField: duplicateFieldOf(record.primaryOwner),
  }
}

function verifyMailingAddress(account: StageRun['account']): StageOutcome {
  const errors = checkAddress(account.record.mailingAddress, 'mailingAddress')
  return errors.length === 0
    ? succeeded()
    : { kind: 'failed', reason: 'The mailing address is incomplete.', errors }
}

/** A clearance is remembered as that of a listed name is. */
async function isMagicMatchCleared({ tx, account }: StageRun): Promise<boolean> {
  const matches = await readMatches(tx, account.accountNumber)
  return matches.some(({ entry_id, decision }) => entry_id === magicEntry && decision === 'Cleared')
}

const magicEntry = 'MAGIC'

/** The sandbox's possible match is stored like a real one, so that operations can decide on it. */
function keepMagicMatch({ keepMatch, account, now }: StageRun): void {
  keepMatch({
    account_number: account.accountNumber,
    match_id: newId(now),
    firm_id: account.firmId,
    customer_id: account.record.primaryOwner.customerId ?? '',
    list_name: 'SANDBOX',
    list_version: 'SANDBOX',
    entry_id: magicEntry,
    entry_version: 'SANDBOX',
    score: 90,
    matched_name: 'A POSSIBLE MATCH OF THE SANDBOX',
    reasons: [{ field: 'idNumber', outcome: 'agree', detail: 'Tax id 000000005 requests a possible match.' }],
    party_fingerprint: `magic:${account.accountNumber}`,
    decision: 'Open',
    decided_by: null,
    decided_at: null,
    reason: null,
    expires_at: null,
    field: 'primaryOwner',
    change_id: null,
    restriction_id: null,
    clearance_change_id: null,
    dropped_at: null,
  })
}
