/** What is noted of a position whose lines the books refused: booked lines that could not be reversed still count. */
import { decimal, renderDecimal, sum } from '@clearing/domain/decimal'
import type { ExaminedEntitlement } from '../../store/books/announced-entitlements.ts'
import { cancelOf } from './ids-of-lines.ts'
import type { PlannedHolder } from './plan-holders.ts'

/** `isRefused`: by the id of a planned line. */
export function keepUnreversed(
  { examined, reversed }: PlannedHolder,
  isRefused: (externalId: string) => boolean,
  reason: string,
): ExaminedEntitlement {
  const kept = reversed.filter(({ externalId }) => isRefused(cancelOf(externalId)))
  const [due, booked] = [true, false].map((refused) =>
    examined.lines.filter(({ externalId }) => isRefused(externalId) === refused),
  )
  const amounts = (due ?? []).flatMap(({ line: { netAmount } }) => netAmount ?? [])
  return {
    ...examined,
    state: 'Refused',
    reason,
    lines: [...kept, ...(booked ?? [])],
    ...(kept.length > 0 && {
      unreversed: {
        lines: kept.map(({ externalId }) => externalId),
        due: amounts.length > 0 ? renderDecimal(sum(amounts.map((amount) => decimal(amount))), 2) : undefined,
      },
    }),
  }
}
