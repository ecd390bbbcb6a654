/** What a load of securities asks about the underlyings that its options and convertibles name. */
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { wayOf } from './changed-underlyings.ts'
import { namedSecurity } from './named-underlyings.ts'

const selectWays = statement<{ sec_no: bigint; underlying_no: bigint; way: string[] }>(
  'select-ways-of-underlyings',
  `select sec_no, underlying_no, array(select distinct way.sec_no::text from ${wayOf('named.underlying_no')} as way) as way
   from (
     select sec_no, ${namedSecurity('security.sec_no', 'security.underlying')} as underlying_no
     from clearing.security where sec_no = any ($1::bigint[])
   ) as named where underlying_no is not null`,
)

/** The underlying that a stored option names, and the securities that it has become. */
export interface UnderlyingInUse {
  readonly underlyingNo: bigint
  readonly way: ReadonlySet<string>
}

/** By the number of the option. Those whose underlying is not known are left out. */
export async function readUnderlyingsInUse(
  tx: Tx,
  options: readonly bigint[],
): Promise<Map<bigint, UnderlyingInUse>> {
  const rows = await tx.rows(selectWays, [options])
  return new Map(
    rows.map(({ sec_no, underlying_no, way }) => [
      sec_no,
      { underlyingNo: underlying_no, way: new Set(way) },
    ]),
  )
}

const putKept = statement(
  'keep-underlyings-in-use',
  `insert into clearing.named_underlying (sec_no, name, underlying_no)
   select * from unnest($1::bigint[], $2::text[], $3::bigint[])
   on conflict (sec_no) do update set name = excluded.name, underlying_no = excluded.underlying_no`,
)

/** Options that name their underlying by what it has become. They remain options on the former one. */
export function keepUnderlyings(
  tx: Tx,
  kept: readonly { readonly secNo: bigint; readonly name: string; readonly underlyingNo: bigint }[],
): void {
  if (kept.length === 0) return
  tx.later(putKept, [
    kept.map(({ secNo }) => secNo),
    kept.map(({ name }) => name),
    kept.map(({ underlyingNo }) => underlyingNo),
  ])
}

const selectUnknown = statement<{ name: string }>(
  'select-unknown-underlyings',
  `select name from unnest($1::text[]) as given (name)
   where ${namedSecurity('null', 'given.name')} is null
     and not exists (select from clearing.named_underlying as kept where kept.name = given.name)
   order by name`,
)

/** The names by which no security is known. */
export async function findUnknownUnderlyings(tx: Tx, names: readonly string[]): Promise<string[]> {
  return (await tx.rows(selectUnknown, [names])).map(({ name }) => name)
}
