/** Whether a waiting change was requested for an older version of the record, so that no person can approve it. */
import { flatten, recordOf } from '../account/record.ts'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import { useRead } from '../reads.ts'
import type { Change } from './waits.tsx'

/** Their approval is of the values on the screen. */
const ofRecord: readonly string[] = ['update-account', 'set-entitlements', 'correct-identity']

export interface Overtaken {
  readonly why: string
  /** The values that the record has now, of the fields that changed. */
  readonly now: readonly string[]
}

/** Undefined if the change can be approved, and while the record is being read. */
export function useOvertaken({
  accountNumber,
  operation,
  state,
  version,
  fields,
}: Change): Overtaken | undefined {
  const { data } = useRead('get-account', { accountNumber }, { enabled: accountNumber !== '' })
  if (data === undefined || version === null || state !== 'Requested' || !ofRecord.includes(operation))
    return undefined
  const record = recordOf(data)
  if (Number(record.version) === version) return undefined
  const values = new Map(flatten(record))
  const changed = fields.filter(
    ({ field, before }) => typeof before === 'string' && values.has(field) && values.get(field) !== before,
  )
  return {
    why: 'The record has changed since the request. Reject the change and request it again.',
    now: changed.map(
      ({ field }) =>
        `${pathInWords(field)}: the record now has ${valueInWords(field, values.get(field) ?? '')}.`,
    ),
  }
}
