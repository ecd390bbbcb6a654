/** The restrictions in force on an account and what they suspend: seen on every tab while there are any. */
import { Alert } from '@mantine/core'
import { labelOf } from '../design/codes.ts'
import { usePages } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

export const InForce = ({ accountNumber }: TabProps) => {
  const { rows } = usePages('list-restrictions', 'restrictions', { accountNumber, inForce: true })
  if (rows.length === 0) return null
  return (
    <Alert color="yellow" variant="light" mb="md">
      {rows.map(({ restrictionId, restrictionCode, suspends }) => (
        <div key={restrictionId}>
          {labelOf('restrictionCode', restrictionCode)}: suspends{' '}
          {suspends.map((one) => labelOf('entitlement', one).toLowerCase()).join(', ')}
        </div>
      ))}
    </Alert>
  )
}
