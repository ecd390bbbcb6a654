/** The time of the last signature over the audit chains, and the result of the last nightly proof. */
import { Text } from '@mantine/core'
import { countOf, verbOf } from '../design/count.ts'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

export function SignedHeads() {
  const { data } = useRead('list-audit-heads', { size: 1 })
  if (data === undefined) return null
  const [head] = data.heads
  const { proof } = data
  return (
    <Text size="sm" component="div">
      Signed: {head === undefined ? <span className="quiet">never</span> : <Time at={head.at} />}
      {head !== undefined && `, checkpoint ${head.number}`}. Proved by night:{' '}
      {proof === null ? <span className="quiet">not yet</span> : <Time at={proof.at} />}
      {proof !== null &&
        (proof.verified
          ? `, ${countOf(proof.rows, 'row')} of ${countOf(proof.firms, 'firm')} ${verbOf(proof.rows, 'holds', 'hold')}`
          : `, does not hold: ${proof.reason}`)}
      .
    </Text>
  )
}
