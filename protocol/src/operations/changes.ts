/** Operations on changes that wait for a second person: of records, restrictions, entitlements and credentials. */
import Type from 'typebox'
import { listOf, textOf } from '../answered-values.ts'
import { accountNumber, block, code, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { changeShape } from '../shapes/work.ts'
import { exampleIds } from './examples.ts'
import { firmId } from './work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

function changeId() {
  return words(36, { description: 'ID of the change, as list-changes returns it.' })
}

export const listChanges = defineOperation({
  ...operations,
  summary: 'List changes that need approval',
  description:
    'Returns changes that wait for a second person, or waited for one, the newest first: each with its fields before and after, who requested it and who decided on it.',
  writes: false,
  request: block({
    state: optional(code('changeState', { description: 'Returns changes in this state only.' })),
    firmId: optional(firmId()),
    accountNumber: optional(accountNumber()),
    requestedBy: optional(
      words(limits.emailLengthMax, { description: 'The person or credential that requested the change.' }),
    ),
    changeId: optional(changeId()),
    ...pageOf(),
  }),
  data: Type.Object({ changes: listOf(changeShape, 'The changes of the page.'), next }, strict),
  examples: [{ title: 'The waiting changes', request: { state: 'Requested' } }],
})

export const decideChange = defineOperation({
  ...operations,
  summary: 'Decide on a change',
  description:
    'Approves a change, which then takes effect at once, or rejects it. The person who requested a change cannot decide on it, and no credential decides on the request ' +
    'of a person. If the record changed after the ' +
    'request, the response is ERR.2010: reject the change and have it requested again. While watch-list matches of the change are open, the approval is stored, and ' +
    'the change takes effect when the last match is cleared.',
  writes: true,
  request: block({
    changeId: changeId(),
    decision: code('decision', { description: 'Whether the change is approved or rejected.' }),
    reason: optional(words(limits.noteLengthMax, { description: 'The reason of the decision.' })),
  }),
  data: changeShape,
  examples: [
    {
      title: 'Approve a change',
      request: {
        changeId: exampleIds.change,
        decision: 'Approved',
        reason: 'The letter of the owner is on file.',
      },
      yours: { changeId: 'list-changes' },
    },
  ],
})

export const withdrawChange = defineOperation({
  ...operations,
  summary: 'Withdraw a change',
  description:
    'Withdraws a change before it is decided. Only the person or credential that requested the change can withdraw it.',
  writes: true,
  request: block({ changeId: changeId() }),
  data: changeShape,
  examples: [
    {
      title: 'Withdraw a change',
      request: { changeId: exampleIds.change },
      yours: { changeId: 'list-changes' },
    },
  ],
})

/** A member of the responses to requests that can wait for a second person, as `awaited` is. */
export const statusAfter = textOf('Status of the account now, a value of the code list `accountStatus`.')
export const awaited = Type.Union([changeShape, Type.Null()], {
  description: 'The change that a second person must approve; null if the request took effect.',
})
