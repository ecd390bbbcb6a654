/** new-account: validates an application, stores it Pending and queues its onboarding, all in one transaction. */
import { type Rendering, renderEcho, renderShape1 } from '@clearing/domain'
import { namesAsSent, operations, parseJson } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { judgeApplication, submitApplication } from '../onboarding/submit-application.ts'
import { type Handler, textOf } from './context.ts'

export const newAccount: Handler<'new-account'> = async (request, context) => {
  const judged = await judgeApplication(request, context)
  if ('rejections' in judged) return new Rejected(judged.rejections)
  const stored = await submitApplication(judged, context, 'new-account', { text: textOf(context.body) })
  if ('rejections' in stored) return new Rejected(stored.rejections, undefined, stored.retryAfterSeconds)
  const { record, accountNumber, accountName } = stored
  const rendering: Rendering = {
    accountNumber,
    accountName,
    accountStatus: 'Pending',
    version: 1,
    personalNumbers: context.caller.scopes.has('pii:read'),
  }
  const employerNames = () => {
    if (request.primaryOwner?.employer === undefined) return []
    const sent = parseJson(textOf(context.body))
    if (!('json' in sent)) return []
    return namesAsSent(operations['new-account'].request, sent.json, ['primaryOwner', 'employer'])
  }
  return new Answered(
    judged.application.accountNumber === undefined
      ? { message: renderShape1(record, rendering, { entityNumber: false }) }
      : renderEcho(record, rendering, request, employerNames()),
    {},
  )
}
