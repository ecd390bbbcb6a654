/** decide-change: approves a change, which takes effect at once, or rejects it. */
import { reject } from '@clearing/protocol'
import { Answered, Rejected } from '../answers.ts'
import { decideOnChange } from '../changes/decide.ts'
import { renderChange } from '../changes/render-change.ts'
import type { Handler } from './context.ts'

export const decideChange: Handler<'decide-change'> = async (request, context) => {
  const { changeId, reason = '' } = request
  const approved = request.decision === 'Approved'
  if (!approved && reason === '')
    return new Rejected([reject('ERR.1000', 'reason', 'A rejection needs a reason.')])
  const decided = await decideOnChange(context, { changeId, approved, reason })
  if (decided instanceof Rejected) return decided
  const data = renderChange(decided)
  if (decided.state !== 'Requested') return data
  const message = `The record is unchanged: the approval is stored until the ${data.openMatches} open matches of the change are cleared.`
  return new Answered(data, { message })
}
