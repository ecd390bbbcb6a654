/**
 * The interest on the debit of a margin account in a period, itemized as 17 CFR 240.10b-16(a)(2)(ii) requires: the
 * nights, each debit balance, the interest at each rate, and the total.
 */
import { sum } from '@clearing/domain/decimal'
import { addDays } from '@clearing/domain/market'
import { divideNights, type NightsWithInterest } from '../books/margin/interest-of-nights.ts'
import { type Row, type Section, table, text } from '../documents/forms/form.ts'
import type { MarginInterest } from '../store/margin-interest.ts'
import { figure, money } from './amounts.ts'

type Item = NightsWithInterest & Pick<MarginInterest, 'debit' | 'debitBefore'>

/** Nothing if no interest was computed in the period. */
export function marginInterestSections(interest: readonly MarginInterest[]): Section[] {
  if (interest.length === 0) return []
  const items = interest.flatMap((one) => divideNights(one).map((nights): Item => ({ ...one, ...nights })))
  const columns = {
    'Nights from': 2,
    to: 2,
    '>Nights': 1.2,
    '>Debit balance': 2.5,
    '>Rate': 1.5,
    '>Interest': 2,
  }
  return [
    {
      title: 'Interest on the debit balance in US dollars',
      parts: [
        table(columns, [...joinItems(items).map(rowOf), ...totalRows(items)]),
        text(
          'Interest is computed for each night on the settled debit balance, at a rate in percent over 360 days. Proceeds of short sales do not reduce this ' +
            'balance, and securities sold short count at their market value. If later lines changed the balance of nights that had passed, the difference ' +
            'in their interest is listed. Interest lines in the activity charge what was accrued.',
        ),
      ],
    },
  ]
}

/** Consecutive nights on the same debit and at the same rate become one item. */
function joinItems(items: readonly Item[]): Item[] {
  const joined: Item[] = []
  for (const item of items) {
    const last = joined.at(-1)
    const goesOn =
      last !== undefined &&
      item.from === addDays(last.to, 1) &&
      item.debit === last.debit &&
      item.debitBefore === last.debitBefore &&
      item.rate === last.rate
    if (!goesOn) joined.push(item)
    else {
      const [nights, interest] = [last.nights + item.nights, last.interest + item.interest]
      joined.splice(-1, 1, { ...last, to: item.to, nights, interest })
    }
  }
  return joined
}

function rowOf({ from, to, nights, debit, debitBefore, rate, interest }: Item): Row {
  const before = debitBefore === undefined ? '' : `\ninstead of ${money(debitBefore)}`
  return { cells: [from, to, String(nights), `${money(debit)}${before}`, figure(rate), money(interest)] }
}

/** The interest at each rate, if there are several, and in all. */
function totalRows(items: readonly Item[]): Row[] {
  const byRate = [...Map.groupBy(items, ({ rate }) => rate)]
  const row = (label: string, of: readonly Item[]) => {
    return ['', '', '', '', label, money(sum(of.map(({ interest }) => interest)))]
  }
  return [
    ...(byRate.length > 1 ? byRate.map(([rate, of]) => ({ cells: row(`At ${figure(rate)}`, of) })) : []),
    { cells: row('Total', items), strong: true },
  ]
}
