/** The watch lists in force with their files, and the last comparison of each with the open accounts. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface ListInForce {
  readonly list_name: string
  readonly list_version: string
  readonly entries: number
  readonly loaded_at: string
  readonly files: readonly {
    readonly part: string
    readonly source: string
    readonly loadedBy: string
    readonly loadedOn: string
    readonly size: number
    readonly digest: string
  }[]
  /** Null for a list whose loads had no entries to compare. */
  readonly comparison: {
    readonly listVersion: string
    readonly gained: number
    readonly accounts: number
    readonly accountsInAll: number | null
    readonly matches: number
    readonly restricted: number
    readonly startedBy: string
    readonly startedOn: string
    readonly endedOn: string | null
  } | null
}

function time(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

const selectLists = statement<ListInForce>(
  'select-watch-lists-in-force',
  `select list_name, list_version, entries, loaded_at,
     (select jsonb_agg(jsonb_build_object('part', part, 'source', source, 'loadedBy', loaded_by, 'loadedOn', ${time('file.loaded_at')},
          'size', octet_length(content), 'digest', encode(sha256(content), 'hex')) order by part desc)
      from clearing.watch_list_part as file where file.list_name = list.list_name) as files,
     (select jsonb_build_object('listVersion', list_version, 'gained', cardinality(gained), 'accounts', accounts,
          'accountsInAll', accounts_in_all, 'matches', matches, 'restricted', restricted, 'startedBy', started_by,
          'startedOn', ${time('started_at')}, 'endedOn', ${time('ended_at')})
      from clearing.rescreening as compared where compared.list_name = list.list_name
      order by started_at desc limit 1) as comparison
   from clearing.watch_list as list order by list_name`,
)

export function readListsInForce(tx: Tx): Promise<ListInForce[]> {
  return tx.rows(selectLists)
}
