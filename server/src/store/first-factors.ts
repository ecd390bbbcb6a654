/** Factors of pools that were changed after closes whose days they concern. */
import { firstOtherFactor } from '@clearing/domain/market'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type HeldPool, readCountingFactors } from './books/pool-factors.ts'
import type { ClosedAccount, CorrectionsWanted } from './first-corrected.ts'

const enteredSince =
  'version.factor_changed and version.entered_on > $1::date and ($2::date is null or version.entered_on <= $2::date)'

// On most days there is none. What the accounts have held is then not read.
const selectAny = statement<{ any: boolean }>(
  'select-any-changed-factor-since',
  `select exists (select from clearing.security_version as version where ${enteredSince}) as any`,
)

// A request has one account, and a day can have changed the factors of all pools.
const selectHeld = statement<{ place: bigint; sec_no: bigint }>(
  'select-held-pools-with-changed-factors',
  `select place, sec_no
   from unnest($3::text[], $4::date[]) with ordinality as closed (account_number, close_date, place)
   join clearing.holding using (account_number)
   cross join lateral (
     select from clearing.security_version as version
     where version.sec_no = holding.sec_no and version.entered_on > close_date and ${enteredSince} limit 1
   ) as changed`,
)

/** By account, the first close that a factor concerns which was changed since the last close. */
export async function readFirstFactors(
  tx: Tx,
  accounts: readonly (ClosedAccount & Pick<HeldPool, 'upTo'>)[],
  { since, knownOn, from }: CorrectionsWanted,
): Promise<Map<string, string>> {
  if (knownOn !== null && knownOn <= since) return new Map()
  const found = await tx.row(selectAny, [since, knownOn])
  if (!found?.any) return new Map()
  const rows = await tx.rows(selectHeld, [
    since,
    knownOn,
    accounts.map(({ accountNumber }) => accountNumber),
    accounts.map(({ closeDate }) => closeDate),
  ])
  const pools = rows.flatMap(({ place, sec_no }) => {
    const account = accounts[Number(place) - 1]
    return account === undefined ? [] : [{ ...account, secNo: String(sec_no) }]
  })
  if (pools.length === 0) return new Map()
  const counting = await readCountingFactors(tx, pools, knownOn ?? undefined)
  const days = new Map<string, string>()
  for (const [at, { accountNumber, closeDate }] of pools.entries()) {
    const day = firstOtherFactor(counting[at] ?? [], closeDate)
    if (day === undefined || day < from) continue
    const before = days.get(accountNumber)
    if (before === undefined || day < before) days.set(accountNumber, day)
  }
  return days
}
