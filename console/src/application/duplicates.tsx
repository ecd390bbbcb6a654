/**
 * The accounts that the same person had with the same registration when the application was submitted. Responses to
 * firms count them; the audit trail names them.
 */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { given } from '../client.ts'
import { useRead } from '../reads.ts'

export function Duplicates({ of: accountNumber }: { readonly of: string }) {
  const action = useRead('get-application', { accountNumber }).data?.operation
  const { data } = useRead('list-audit', given<CallOf<'list-audit'>>({ accountNumber, action, size: 1 }), {
    enabled: action !== undefined,
  })
  const duplicates = duplicatesIn(data?.rows[0]?.detail)
  if (duplicates.length === 0) return null
  return (
    <div>
      Compare with account{duplicates.length > 1 && 's'}{' '}
      {duplicates.map((duplicate, index) => (
        <span key={duplicate}>
          {index > 0 && ', '}
          <Link to={`/accounts/${duplicate}`}>{duplicate}</Link>
        </span>
      ))}
    </div>
  )
}

function duplicatesIn(detail: unknown): readonly string[] {
  if (typeof detail !== 'object' || detail === null || !('possibleDuplicates' in detail)) return []
  const { possibleDuplicates } = detail
  return Array.isArray(possibleDuplicates) ? possibleDuplicates.map(String) : []
}
