/**
 * Turns an application into a Pending account. The application is judged as a whole, then stored with its onboarding,
 * audit row and event.
 */
import {
  type Application,
  checkApplication,
  composeAccountName,
  duplicateFieldOf,
  parseApplication,
  registrationOf,
} from '@clearing/domain'
import { type OperationName, type Rejection, type Request, reject } from '@clearing/protocol'
import { mayGive } from '../config/account-numbers.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { checkRefusedNumbers, refuseNumber } from '../firm-rules/refused-numbers.ts'
import { ruleSettings } from '../firm-rules/rule-settings.ts'
import { newAccountNumber, newCustomerId } from '../ids.ts'
import { fillReservedAccount, insertPendingAccount, type NewAccount } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeEvent, writeFirstEvent } from '../store/events.ts'
import { findDuplicates } from '../store/parties.ts'
import type { SentApplication } from '../store/sent-applications.ts'
import { startOnboarding } from './start-onboarding.ts'

/** An application that passed every rule. */
export interface JudgedApplication {
  readonly application: Application
  /**
   * Accounts of the firm with the same person and registration (Reading 3.6), which are read once, when first asked
   * for.
   */
  readonly duplicates: () => Promise<readonly string[]>
}

type Refused = { readonly rejections: readonly Rejection[]; readonly retryAfterSeconds?: number }

/** All errors of an application, or its follow-ups. Nothing is stored. */
export async function judgeApplication(
  request: Partial<Request<'new-account'>>,
  context: FirmContext,
): Promise<JudgedApplication | Refused> {
  const application = parseApplication(request, newCustomerId)
  const { record } = application
  const rejections = [
    ...context.refused.rejections,
    ...checkApplication(application, ruleSettings(context)),
    ...(await checkOwnership(
      context,
      { entityNumber: record.entityNumber, ...(record.main.repCode ? { repCode: record.main.repCode } : {}) },
      'main.repCode',
    )),
  ]
  if (rejections.length > 0) return { rejections }
  let found: Promise<string[]> | undefined
  const duplicates = () =>
    (found ??= findDuplicates(context.tx, context.keys, record, application.accountNumber ?? ''))
  if (context.firm.settings.duplicateApplications === 'Refuse') {
    const [accountNumber] = await duplicates()
    const owner = record.primaryOwner.nameType === 'Entity' ? 'entity' : 'person'
    const reason = `The same ${owner} already has this registration in account ${accountNumber}.`
    if (accountNumber !== undefined)
      return {
        rejections: [reject('ERR.2012', duplicateFieldOf(record.primaryOwner), reason, 'PossibleDuplicate')],
      }
  }
  return { application, duplicates }
}

/** Stores a judged application as a Pending account and starts its onboarding. */
export async function submitApplication(
  judged: JudgedApplication,
  context: FirmContext,
  operation: OperationName,
  sent: SentApplication,
): Promise<NewAccount | Refused> {
  // The duplicates are read in the round trip that stores the account, before it.
  const [duplicates, stored] = await Promise.all([
    judged.duplicates(),
    storeApplication(judged.application, context, operation, sent),
  ])
  if ('rejections' in stored) return stored
  const { accountNumber, accountName, record } = stored
  startOnboarding(context, { accountNumber, duplicates })
  writeAudit(context, {
    action: operation,
    accountNumber,
    changes: { registrationType: record.registrationType, accountName, possibleDuplicates: duplicates },
  })
  return stored
}

/** The number of random account numbers tried before the range counts as exhausted. */
const numberAttemptsMax = 20

/** Stores the account under the requested number, or under a free random one. */
async function storeApplication(
  application: Application,
  context: FirmContext,
  operation: OperationName,
  sent: SentApplication,
): Promise<NewAccount | Refused> {
  const { tx, keys, firm, caller, now, traceId, parts } = context
  const { record } = application
  const base = {
    firmId: firm.firmId,
    accountName: nameAccount(application),
    record,
    at: now,
    by: { actor: caller.clientId, operation, traceId },
    sent,
  }
  const submitted = (accountNumber: string) => ({
    firmId: firm.firmId,
    accountNumber,
    type: 'application.submitted',
    at: now,
    traceId,
    content: { registrationType: record.registrationType, accountStatus: 'Pending' },
  })
  const codes = { entityNumber: record.entityNumber, repCode: record.main.repCode ?? '' }
  const asked = application.accountNumber
  if (asked !== undefined) {
    const account = { ...base, accountNumber: asked }
    if (await fillReservedAccount(tx, account, keys)) {
      writeEvent(tx, submitted(asked))
      return account
    }
    const tooMany = await checkRefusedNumbers(context)
    if (tooMany !== undefined) return tooMany
    const made = mayGive(parts.accountNumbers, asked) && (await insertPendingAccount(tx, account, keys))
    if (!made) return refuseNumber(context, operation, asked)
    writeFirstEvent(tx, submitted(asked), codes)
    return account
  }
  for (let attempt = 0; attempt < numberAttemptsMax; attempt++) {
    const account = { ...base, accountNumber: newAccountNumber(parts.accountNumbers) }
    if (!(await insertPendingAccount(tx, account, keys))) continue
    writeFirstEvent(tx, submitted(account.accountNumber), codes)
    return account
  }
  throw new Error(`no free account number was found in ${numberAttemptsMax} tries`)
}

/** The title of the application's account. */
export function nameAccount({ record }: Application): string {
  const type = registrationOf(record.registrationType)
  if (type === undefined) throw new Error(`registration type ${record.registrationType} passed the rules`)
  return composeAccountName(record, type)
}
