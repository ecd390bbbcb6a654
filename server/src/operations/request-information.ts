/**
 * request-information: asks the firm for documents or fields of an application that waits for a decision. The firm's
 * answers resume the onboarding.
 */
import { type FollowUpRequest, whyFieldFixed } from '@clearing/domain'
import { codeRow, type Rejection, type Request, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { advanceOnboarding } from '../onboarding/advance-onboarding.ts'
import { hasField, isList, pathInRecord } from '../onboarding/field-of-record.ts'
import { renderOnboarding } from '../onboarding/render-onboarding.ts'
import { type Account, readAccount, readAccountHead } from '../store/accounts.ts'
import { readOnboarding } from '../store/onboarding.ts'
import type { Handler } from './context.ts'

type Asked = Request<'request-information'>['requests'][number]

export const requestInformation: Handler<'request-information'> = async (request, context) => {
  const { tx, now, parts, caller, traceId } = context
  const { accountNumber, requests } = request
  const head = await readAccountHead(tx, accountNumber)
  if (head === undefined) return accountNotFound(context.firm)
  const account = await parts.keyring.using(head.firm_id, (keys) => readAccount(tx, accountNumber, keys))
  if (account === undefined) return accountNotFound(context.firm)
  const wrong = requests.flatMap((asked, at) => whyNotAsked(asked, account, `requests[${at}]`))
  if (wrong.length > 0) return new Rejected(wrong)
  const taken = await advanceOnboarding(
    tx,
    accountNumber,
    {
      kind: 'information-requested',
      requests: requests.map(({ code, field = '', reason }) => {
        return { code: code as FollowUpRequest['code'], field: pathInRecord(field), reason }
      }),
      reason: '',
      at: now.toISOString(),
      by: 'operations',
    },
    { clock: parts.clock, now, actor: caller.clientId, traceId },
  )
  if (taken.kind === 'absent') return accountNotFound(context.firm)
  if (taken.kind === 'rejected') return new Rejected([taken.rejection])
  const onboarding = await readOnboarding(tx, accountNumber)
  if (!onboarding) throw new Error(`the onboarding of ${accountNumber} was not found`)
  return renderOnboarding(context, onboarding)
}

function whyNotAsked({ code, field: asked = '' }: Asked, { record }: Account, place: string): Rejection[] {
  const kind = codeRow('followUpCode', code)?.kind
  const field = pathInRecord(asked)
  if (kind === 'Review') {
    return [
      reject('ERR.1015', `${place}.code`, `${code} is a decision of operations, which the firm cannot give.`),
    ]
  }
  if (field === '') {
    return kind === 'Field'
      ? [reject('ERR.1000', `${place}.field`, 'A correction or completion needs the field that it is about.')]
      : []
  }
  if (!hasField(record, field))
    return [reject('ERR.1015', `${place}.field`, `The record of this account has no field ${asked}.`)]
  if (kind === 'Document' && isList(field))
    return [reject('ERR.1015', `${place}.field`, `A document is about one item, such as ${field}[0].`)]
  const fixed = kind === 'Field' ? whyFieldFixed(record, field) : undefined
  return fixed === undefined ? [] : [reject('ERR.1015', `${place}.field`, fixed)]
}
