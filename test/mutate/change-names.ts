/** Calls and members that are easily confused, and calls that are left out. */
import type { SyntaxNode } from './syntax.ts'

type Slice = (part: SyntaxNode) => string

function pairs(rows: readonly (readonly [string, string])[]) {
  return new Map(rows.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))
}

const methods = pairs([
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['toUpperCase', 'toLowerCase'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['find', 'findLast'],
  ['findIndex', 'findLastIndex'],
  ['indexOf', 'lastIndexOf'],
  ['padStart', 'padEnd'],
])
/** Methods that return a value of the type on which they are called. */
const removable = new Set([
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
  'trimStart',
  'trimEnd',
  'concat',
  'replace',
  'replaceAll',
  'normalize',
])
/** Functions whose result has the type of their first argument. */
const unwrapped = new Set(['abs', 'roundTo', 'roundUpTo', 'addDays', 'String'])
const members = pairs([
  ['openDate', 'holdingStart'],
  ['tradeDate', 'settleDate'],
  ['issueDate', 'maturityDate'],
  ['idIssueDate', 'idExpiration'],
  ['primary', 'contingent'],
  ['long', 'short'],
  ['openedBy', 'via'],
])

export function changeCall(node: SyntaxNode, slice: Slice): string[] {
  const callee = node.callee as SyntaxNode
  const called = (node.arguments as SyntaxNode[]).map(slice)
  if (callee.type === 'Identifier') {
    const name = callee.name as string
    if (name === 'min' || name === 'max') return [otherExtreme(name, called)]
    if (name === 'divide') return [`divide(${[called[1], called[0], ...called.slice(2)].join(', ')})`]
    return unwrapped.has(name) && called.length > 0 ? [`(${called[0]})`] : []
  }
  if (callee.type !== 'MemberExpression' || callee.computed === true) return []
  const name = (callee.property as SyntaxNode).name as string
  const object = slice(callee.object as SyntaxNode)
  const changed: string[] = []
  const other = methods.get(name)
  const dot = callee.optional === true ? '?.' : '.'
  if (other !== undefined) changed.push(`${object}${dot}${other}(${called.join(', ')})`)
  if (removable.has(name)) changed.push(`(${object})`)
  return changed
}

/**
 * The least for the greatest, or the reverse. It is written out, because the file may not import the other function.
 */
function otherExtreme(name: 'min' | 'max', called: readonly string[]): string {
  const sign = name === 'max' ? '<' : '>'
  return `[${called.join(', ')}].reduce((one, two) => (two ${sign} one ? two : one))`
}

export function changeMember(node: SyntaxNode, slice: Slice): string[] {
  if (node.computed === true || node.optional === true) return []
  const name = (node.property as SyntaxNode).name as string
  const other = members.get(name)
  return other === undefined ? [] : [`${slice(node.object as SyntaxNode)}.${other}`]
}
