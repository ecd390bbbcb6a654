/**
 * Finds the load that accepted a rejected line of activity after it was corrected: a later load with a line of the same
 * id for the firm of the same account. A line with another id, or with the number of no account, is not found.
 */

/** The value of a field of a line. Names may have any letter case. No text holds some of the escaped characters. */
function fieldOf(name: string): string {
  return `(select btrim(value) from json_each_text(case when strpos(kept.sent, '\\u') = 0 then kept.sent::json end)
    where lower(key) = '${name}' limit 1)`
}

/**
 * The id of that load, or null, by the names that a statement has for rows of `load` and of `load_reject`. A conflict
 * is not corrected by sending its line again.
 */
export function acceptedBy(load: string, reject: string): string {
  return `(
  select later.load_id from clearing.load_reject_line as kept
    cross join lateral (select ${fieldOf('externalid')} as external_id, upper(${fieldOf('acctno')}) as account_number offset 0) as named
    join clearing.account using (account_number)
    cross join lateral (
      select activity.load_id
      from clearing.activity_key as key join clearing.activity using (account_number, process_date, sequence)
      where key.firm_id = account.firm_id and key.external_id = named.external_id
      union all
      select pending.load_id from clearing.pending_line as pending
      where pending.firm_id = account.firm_id and pending.external_id = named.external_id
    ) as held
    join clearing.load as later on later.load_id = held.load_id
  where kept.load_id = ${reject}.load_id and kept.line = ${reject}.line and ${load}.kind = 'load-activity'
    and ${reject}.code <> 'ERR.2018' and later.load_id <> ${load}.load_id and later.started_at >= ${load}.started_at
  limit 1)`
}
