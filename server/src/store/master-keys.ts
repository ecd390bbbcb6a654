/** The master keys under which keys of the database are wrapped. */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { readInFirm, type Tx } from '../database/transaction.ts'

export interface MasterKeyUse {
  readonly masterKeyId: string
  /** Keys of firms, keys that sign tokens, and keys that seal business days. */
  readonly keys: number
}

const selectUses = statement<MasterKeyUse>(
  'select-master-key-uses',
  `select master_key_id as "masterKeyId", count(*)::int as keys from (
     select master_key_id from clearing.firm_key
     union all select master_key_id from clearing.signing_key where wrapped is not null
     union all select master_key_id from clearing.seal_key
   ) as wrapped group by master_key_id order by master_key_id`,
)

/** In an operations transaction. */
export function readMasterKeyUses(tx: Tx): Promise<MasterKeyUse[]> {
  return tx.rows(selectUses)
}

const selectFirmsWithoutKeys = statement<{ masterKeyId: string; firms: number }>(
  'select-firms-without-master-keys',
  `select master_key_id as "masterKeyId", count(distinct firm_id)::int as firms
   from clearing.firm_key join clearing.firm using (firm_id)
   where master_key_id <> all ($1) and disabled_at is null
     and not exists (select from clearing.moving_firm as moving where moving.firm_id = firm.firm_id)
   group by master_key_id order by master_key_id`,
)

/**
 * The other master keys under which keys of firms are wrapped, with the number of these firms. Firms that are disabled,
 * or that are being moved between cells, are left out. In an operations transaction.
 */
export function findOtherMasterKeys(
  tx: Tx,
  held: readonly string[],
): Promise<{ masterKeyId: string; firms: number }[]> {
  return tx.rows(selectFirmsWithoutKeys, [held])
}

const selectSessions = statement<{ name: string }>(
  'select-session-names',
  `select application_name as name from pg_catalog.pg_stat_activity
   where datname = current_database() and application_name like $1`,
)

/** The names of the sessions of this database that begin with a text. */
export async function readSessionNames(operations: Pool, beginning: string): Promise<string[]> {
  const sessions = await readInFirm(operations, null, selectSessions, [`${beginning} %`])
  return sessions.map(({ name }) => name)
}
