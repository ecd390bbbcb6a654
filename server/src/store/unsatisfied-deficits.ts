/** Intraday margin deficits that were not satisfied in time. */
import { MINOR_DEFICIT } from '@clearing/domain/market'

/**
 * An expression for the number of them in the twelve months until the call of a row, this one included; null for other
 * calls. Minor deficits do not count (FINRA Rule 4210(d)(2)(D)). The equity is that of the close of the day of the
 * deficit.
 */
export function unsatisfiedDeficitsOf(call: string): string {
  return `case when ${call}.kind = 'Intraday' then (
    select count(*)::integer from clearing.margin_call as deficit
    left join clearing.margin_ledger as closed
      on closed.account_number = deficit.account_number and closed.close_date = deficit.issued_on
    where deficit.account_number = ${call}.account_number and deficit.kind = 'Intraday'
      and deficit.issued_on <= ${call}.issued_on and deficit.issued_on > ${call}.issued_on - interval '1 year'
      and deficit.amount > greatest(0,
        least(${MINOR_DEFICIT.amount}, coalesce(closed.equity, 0) * ${MINOR_DEFICIT.equityPercent} / 100))
      and case when deficit.met_on is null then deficit.aged_on >= deficit.due_by else deficit.met_on > deficit.due_by end
  ) end`
}
