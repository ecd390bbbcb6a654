/** withdraw-change: the person or credential that requested a change withdraws it. */

import { Rejected } from '../answers.ts'
import { withdrawChangeOf } from '../changes/decide.ts'
import { renderChange } from '../changes/render-change.ts'
import type { Handler } from './context.ts'

export const withdrawChange: Handler<'withdraw-change'> = async ({ changeId }, context) => {
  const withdrawn = await withdrawChangeOf(context, changeId)
  return withdrawn instanceof Rejected ? withdrawn : renderChange(withdrawn)
}
