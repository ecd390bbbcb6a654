/** An onboarding in the form of onboarding-result (Specification, Onboarding result record; Reading 4.2). */
import {
  duplicateFieldOf,
  type Finding,
  findOnApplication,
  listFindings,
  maskPersonalNumbers,
  renderErrorResponses,
  renderRemarks,
} from '@clearing/domain'
import type { Data } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { type Account, readAccount, readVersions } from '../store/accounts.ts'
import { type Onboarding, readTransitions } from '../store/onboarding.ts'
import { readNumbersOfOthers } from '../store/parties.ts'
import { expectedBy } from './expected-by.ts'
import { findInRecord } from './find-in-record.ts'
import { readResidenceAtTransfer } from './residence-at-transfer.ts'
import { withEveryAbout } from './with-about.ts'

type Rendering = Pick<FirmContext, 'tx' | 'now'> & {
  readonly parts: Pick<FirmContext['parts'], 'keyring' | 'sandbox'>
}

export async function renderOnboarding(
  { tx, now, parts }: Rendering,
  onboarding: Onboarding,
): Promise<Data<'onboarding-result'>> {
  const { state, account_number: accountNumber, possible_duplicates: duplicates } = onboarding
  const [transitions, numbersOfOthers, { account, keys }] = await Promise.all([
    readTransitions(tx, accountNumber),
    readNumbersOfOthers(tx, accountNumber),
    parts.keyring.using(onboarding.firm_id, async (keys) => ({
      account: await readAccount(tx, accountNumber, keys),
      keys,
    })),
  ])
  const residenceAtTransfer = account && (await readResidenceAtTransfer(tx, account))
  const settings = { now, sandbox: parts.sandbox, residenceAtTransfer, numbersOfOthers }
  const noted = {
    possibleDuplicates: duplicates.length,
    duplicatePolicy: 'Flag',
    ...(account && { duplicateField: duplicateFieldOf(account.record.primaryOwner) }),
  } as const
  const current = findOnApplication({
    policy: account ? findInRecord(account, settings).map(remarkOf(account)) : [],
    ...noted,
  })
  const inRecord = findOnApplication({
    policy: account
      ? findInRecord({ record: account.record, status: 'Pending' }, settings).flatMap((one) =>
          withEveryAbout(one, account.record, keys),
        )
      : [],
    ...noted,
  })
  return {
    correlationId: onboarding.correlation_id,
    currentState: state.currentState,
    createdOn: onboarding.created_at,
    lastUpdated: onboarding.updated_at,
    expectedBy: expectedBy(state, onboarding.updated_at),
    withdrawnOn: state.withdrawnAt ?? null,
    accountNumber: onboarding.account_number,
    remarks: renderRemarks(state),
    errorResponses: renderErrorResponses(state),
    state: state.stages.map(({ code, status, reason }) => ({ code, status, reason })),
    followUps: state.followUps.map(
      ({ id, code, kind, field, reasons, acceptedDocuments, status, dueBy, answers = [], blocking }) => ({
        id,
        code,
        kind,
        field,
        reasons: [...reasons],
        acceptedDocuments: [...acceptedDocuments],
        status,
        dueBy,
        blocking: blocking !== false,
        answers: answers.map((answer) => ({ ...answer, fields: [...answer.fields] })),
      }),
    ),
    findings: [...listFindings(state.followUps, current, inRecord)],
    request: onboarding.request ?? (await readRequest({ tx, parts }, onboarding)),
    history: transitions.map(({ from_state, to_state, at, reason }) => ({
      from: from_state,
      to: to_state,
      at,
      reason,
    })),
  }
}

/** What operations review of an open account was decided on before it came into the record, so it is a remark now. */
function remarkOf({ status }: Account): (finding: Finding) => Finding {
  const isOpen = status === 'Open' || status === 'Restricted'
  return (finding) => (isOpen && finding.effect === 'review' ? { ...finding, effect: 'note' } : finding)
}

/** The record that was submitted, with its personal numbers masked. */
async function readRequest(
  { tx, parts }: Pick<Rendering, 'tx' | 'parts'>,
  { account_number: accountNumber, firm_id: firmId }: Onboarding,
): Promise<Record<string, unknown>> {
  const versions = await parts.keyring.using(firmId, (keys) => readVersions(tx, accountNumber, 1, 1, keys))
  const first = versions.get(1)
  if (first === undefined) throw new Error(`account ${accountNumber} has no first version`)
  return { ...maskPersonalNumbers(first.record) }
}
