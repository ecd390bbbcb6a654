/** Statements that store corrections of facts with a key, and find the lines that contradict what is stored. */
import { type Statement, statement } from '../../database/statement.ts'
import { openDateOr } from '../business-day.ts'
import { placedRowsOf } from './bulk.ts'
import { type CorrectedTable, correctedValue, sameKey } from './corrected-facts.ts'

/** Given rows whose key is stored with other values: their positions, and the fields that differ. */
export type OtherRows = Statement<{ readonly place: bigint; readonly fields: readonly string[] }>

/** The values in one comparison. Null equals null. */
function valuesOf({ values }: CorrectedTable, row: string): string {
  return `row(${values.map(({ column }) => `${row}.${column}`).join(', ')})`
}

/** The rows without a correction whose key is stored, and with none of the values that it has had. */
export function otherRows(table: CorrectedTable): OtherRows {
  const { name, key, values } = table
  const differing = values.map(
    ({ column, field }) =>
      `case when ${correctedValue(table, column, 'null')} is distinct from given.${column} then '${field}' end`,
  )
  return statement(
    `select-other-rows-of-${name.replaceAll('_', '-')}`,
    `select place, array_remove(array[${differing.join(', ')}], null) as fields
     from ${placedRowsOf(name)} join clearing.${name} on ${sameKey(key, name, 'given')}
     where ${valuesOf(table, name)} is distinct from ${valuesOf(table, 'given')} and not exists (
       select from clearing.${name}_correction as correction
       where ${sameKey(key, 'correction', 'given')}
         and ${valuesOf(table, 'correction')} is not distinct from ${valuesOf(table, 'given')})`,
  )
}

/** The statements for rows with a correction. */
export interface CorrectionStatements {
  /**
   * Stores the corrections that are new, of facts that are stored, and returns their names. `$2` is the current market
   * day, for books in which no business day was opened.
   */
  readonly insert: Statement<{ readonly fact: string }>
  /** Rows whose fact is not stored. */
  readonly unfounded: Statement<{ readonly place: bigint }>
  /** Rows whose correction is stored with other values. */
  readonly others: OtherRows
}

export function correctionsOf(table: CorrectedTable): CorrectionStatements {
  const { name, key, values, others = [] } = table
  const corrections = `${name}_correction`
  const title = name.replaceAll('_', '-')
  const given = [...others, ...values.map(({ column }) => column), 'load_id'].join(', ')
  const keyOf = (row: string) => key.map((column) => `${row}.${column}`).join(', ')
  const stored = `clearing.${corrections} as stored where ${sameKey(key, 'stored', 'given')}`
  const differing = values.map(
    ({ column, field }) => `case when stored.${column} is distinct from given.${column} then '${field}' end`,
  )
  return {
    insert: statement(
      `insert-${title}-corrections`,
      `insert into clearing.${corrections} (${key.join(', ')}, version, correction_id, ${given}, entered_on)
       select ${keyOf('given')},
         coalesce((select max(version) from ${stored}), 0) + row_number() over (partition by ${keyOf('given')} order by place),
         correction_id, ${given}, ${openDateOr('$2')}
       from ${placedRowsOf(corrections)}
       where exists (select from clearing.${name} as fact where ${sameKey(key, 'fact', 'given')})
         and not exists (select from ${stored} and stored.correction_id = given.correction_id)
       returning concat_ws(' ', ${key.join(', ')}, correction_id) as fact`,
    ),
    unfounded: statement(
      `select-unfounded-${title}-corrections`,
      `select place from ${placedRowsOf(corrections)}
       where not exists (select from clearing.${name} as fact where ${sameKey(key, 'fact', 'given')})`,
    ),
    others: statement(
      `select-other-${title}-corrections`,
      `select place, array_remove(array[${differing.join(', ')}], null) as fields
       from ${placedRowsOf(corrections)} join clearing.${corrections} as stored
         on ${sameKey(key, 'stored', 'given')} and stored.correction_id = given.correction_id
       where ${valuesOf(table, 'stored')} is distinct from ${valuesOf(table, 'given')}`,
    ),
  }
}
