/** code-lists: every coded list and the error catalogue, from the tables of the protocol. */
import { type AccountRuleRow, errorCatalogue, codeLists as lists, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Handler } from './context.ts'

const allLists = Object.entries(lists).map(([name, rows]) => ({
  name,
  values: rows.map(({ value, label, since, ...more }) => ({ value, label, since, ...ruleOf(more) })),
}))

/** The members of a rule of account policy other than its label. */
function ruleOf(row: object) {
  if (!('effects' in row)) return {}
  const { effects, source } = row as Pick<AccountRuleRow, 'effects' | 'source'>
  return { effects: { ...effects }, source }
}

const errors = errorCatalogue.map(({ code, name, status, condition, remedy, example }) => ({
  code,
  name,
  status,
  condition,
  remedy,
  example: { ...example },
}))

export const codeLists: Handler<'code-lists'> = async ({ name }) => {
  if (!name) return { codeLists: allLists, errors }
  const codeLists = allLists.filter((list) => list.name.toLowerCase() === name.toLowerCase())
  if (codeLists.length === 0) {
    const names = allLists.map((list) => list.name).join(', ')
    return new Rejected([
      reject('ERR.1015', 'name', `There is no list of this name; the lists are ${names}.`),
    ])
  }
  return { codeLists, errors }
}
