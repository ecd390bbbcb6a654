/**
 * validate-account: the errors for which new-account would refuse an application, or the outcome of its
 * onboarding. Nothing is stored.
 */
import {
  type Application,
  duplicateFieldOf,
  findOnApplication,
  foreseeOnboarding,
  listFindings,
  type OnboardingState,
  renderErrorResponses,
} from '@clearing/domain'
import { Rejected } from '../answers.ts'
import { unlessNoList } from '../changes/screen-change.ts'
import { mayGive } from '../config/account-numbers.ts'
import { readInFirm } from '../database/transaction.ts'
import { checkRefusedNumbers, refuseNumber } from '../firm-rules/refused-numbers.ts'
import { findInRecord } from '../onboarding/find-in-record.ts'
import { runStage } from '../onboarding/run-stage.ts'
import { type JudgedApplication, judgeApplication, nameAccount } from '../onboarding/submit-application.ts'
import { selectNumberHolder } from '../store/accounts.ts'
import { findNumbersOfOthers } from '../store/parties.ts'
import type { Context, Handler } from './context.ts'

export const validateAccount: Handler<'validate-account'> = async (request, context) => {
  const judged = await judgeApplication(request, context)
  if ('rejections' in judged) return new Rejected(judged.rejections)
  const refused = await refuseTaken(judged, context)
  if (refused !== undefined) return new Rejected(refused.rejections, undefined, refused.retryAfterSeconds)
  const { application } = judged
  const [duplicates, numbersOfOthers] = await Promise.all([
    judged.duplicates(),
    findNumbersOfOthers(context.tx, context.keys, application.record),
  ])
  const others = { duplicates, numbersOfOthers }
  const foreseen = await unlessNoList(() => foresee(application, others, context))
  if (foreseen instanceof Rejected) return foreseen
  const { rest, followUps } = foreseen
  return {
    valid: true,
    registrationType: application.record.registrationType,
    accountName: nameAccount(application),
    possibleDuplicates: [...duplicates],
    ...renderRest(rest),
    followUps: followUps.map(({ code, kind, field, reasons, acceptedDocuments, blocking }) => ({
      code,
      kind,
      field,
      reasons: [...reasons],
      acceptedDocuments: [...acceptedDocuments],
      blocking: blocking !== false,
    })),
    findings: listFindings(followUps, foundIn(application, others, context), []).map(
      ({ followUpId: _, ended: __, ...found }) => found,
    ),
  }
}

/** What other accounts of the firm have in common with the application. */
interface Others {
  readonly duplicates: readonly string[]
  readonly numbersOfOthers: ReadonlySet<string>
}

function foundIn(application: Application, others: Others, { now, parts }: Context) {
  const { duplicates, numbersOfOthers } = others
  const account = { record: application.record, status: 'Pending' } as const
  const policy = findInRecord(account, { now, sandbox: parts.sandbox, numbersOfOthers })
  return findOnApplication({
    policy,
    possibleDuplicates: duplicates.length,
    duplicatePolicy: 'Flag',
    duplicateField: duplicateFieldOf(application.record.primaryOwner),
  })
}

function renderRest(rest: OnboardingState) {
  return {
    currentState: rest.currentState,
    errorResponses: renderErrorResponses(rest),
    state: rest.stages.map(({ code, status, reason }) => ({ code, status, reason })),
  }
}

/** Only operations can see the firm that has a number. new-account refuses the same numbers. */
async function refuseTaken({ application }: JudgedApplication, context: Context) {
  const { accountNumber } = application
  if (accountNumber === undefined) return undefined
  const [holder] = await readInFirm(context.parts.loads, null, selectNumberHolder, [accountNumber])
  if (holder?.status === 'Reserved' && holder.firm_id === context.firm.firmId) return undefined
  const tooMany = await checkRefusedNumbers(context)
  const free = holder === undefined && mayGive(context.parts.accountNumbers, accountNumber)
  if (tooMany !== undefined || free) return tooMany
  return refuseNumber(context, 'validate-account', accountNumber)
}

function foresee(application: Application, { duplicates, numbersOfOthers }: Others, context: Context) {
  const { tx, keys, firm, now, parts } = context
  const account = {
    accountNumber: application.accountNumber ?? '',
    firmId: firm.firmId,
    record: application.record,
  }
  return foreseeOnboarding(now.toISOString(), (stage, attempt) =>
    runStage(stage, {
      tx,
      keys,
      keyring: parts.keyring,
      lists: () => parts.watchLists.seen(tx),
      sandbox: parts.sandbox,
      now,
      account,
      earlier: [],
      possibleDuplicates: duplicates,
      numbersOfOthers,
      firmSettings: firm.settings,
      attempt,
      keepMatch: () => {},
    }),
  )
}
