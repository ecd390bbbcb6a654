/** A waiting change, shown where it will take effect: a link to it, and the person who requested it. */
import { Link } from '@tanstack/react-router'
import type { Answered } from '../client.ts'
import { Status } from '../design/status.tsx'

export type Change = Answered<'list-changes'>['changes'][number]

/** The operations whose change ends a restriction, at once or with what the restriction was placed for. */
export const ends: readonly string[] = ['end-restriction', 'waive-follow-up']

/** Whether the change concerns a field. */
export function isAbout({ fields }: Change, name: string, value: string): boolean {
  return fields.some(({ field, before, after }) => field === name && (before === value || after === value))
}

export function Waits({ what, change }: { readonly what: string; readonly change: Change }) {
  return (
    <div>
      <Status of={what} tone="waiting" />
      <div className="quiet">
        <Link to={`/changes/${change.changeId}`}>A second person must decide</Link>; requested by{' '}
        {change.requestedBy}
      </div>
    </div>
  )
}
