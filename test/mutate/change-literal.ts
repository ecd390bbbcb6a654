/**
 * The changes of a literal. A number becomes the next number, a date the day after, an amount differs in its last
 * digit, a word becomes its opposite, and the code of a rejection becomes another code. Any other name becomes empty.
 * Sentences stay, because they are for people.
 */
import type { Placed, SyntaxNode } from './syntax.ts'

const date = /^\d{4}-\d{2}-\d{2}$/
const code = /^ERR\.\d{4}$/
const amount = /^-?\d+(\.\d+)?$/
/** Words of the trade that are easily confused. */
const opposites = new Map(
  [
    ['long', 'short'],
    ['Long', 'Short'],
    ['BUY', 'SEL'],
    ['Call', 'Put'],
    ['C', 'P'],
    ['Y', 'N'],
    ['Debit', 'Credit'],
    ['Primary', 'Contingent'],
  ].flatMap(([one, other]) => [
    [one as string, other as string],
    [other as string, one as string],
  ]),
)

export function changeLiteral({ node, parents }: Placed): string[] {
  const { value } = node
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'number') return isOrder(value, parents) ? [] : [String(value + 1)]
  if (typeof node.bigint === 'string') return isBound(parents) ? [] : [`${BigInt(node.bigint) + 1n}n`]
  if (isRecord(node.regex)) return changePattern(node.regex.pattern, node.regex.flags)
  if (typeof value === 'string') return changeText(value, parents)
  return []
}

/** The 1 of a comparison for sorting, beside -1 and perhaps 0. Any positive number has the same effect. */
function isOrder(value: number, parents: readonly SyntaxNode[]): boolean {
  if (value !== 1) return false
  const last = parents.findLastIndex(({ type }) => type !== 'UnaryExpression')
  const first = parents.findLastIndex((parent, at) => at <= last && !isConditional(parent)) + 1
  const outermost = first <= last ? parents[first] : undefined
  if (outermost === undefined) return false
  const results = resultsOf(outermost)
  return (
    results.some((one) => one.type === 'UnaryExpression' && one.operator === '-') &&
    results.every((one) => one.type === 'UnaryExpression' || one.value === 1 || one.value === 0)
  )
}

function isConditional({ type }: SyntaxNode): boolean {
  return type === 'ConditionalExpression'
}

/** The possible values of a conditional expression, including those of its branches. */
function resultsOf(node: SyntaxNode): SyntaxNode[] {
  if (!isConditional(node)) return [node]
  return [...resultsOf(node.consequent as SyntaxNode), ...resultsOf(node.alternate as SyntaxNode)]
}

/**
 * The bound of a comparison of amounts. The next amount is a ten-thousand-millionth away, and the comparison itself is
 * changed.
 */
function isBound(parents: readonly SyntaxNode[]): boolean {
  const parent = parents.at(-1)
  return parent?.type === 'BinaryExpression' && /^[<>]/.test(parent.operator as string)
}

function changeText(value: string, parents: readonly SyntaxNode[]): string[] {
  if (date.test(value)) return [`'${dayAfter(value)}'`]
  if (amount.test(value)) return [`'${value.slice(0, -1)}${(Number(value.at(-1)) + 1) % 10}'`]
  if (isCompared(parents)) return []
  if (value === '') return ["'?'"]
  if (code.test(value)) return [value === 'ERR.1015' ? "'ERR.1016'" : "'ERR.1015'"]
  const opposite = opposites.get(value)
  if (opposite !== undefined) return [`'${opposite}'`]
  return /\s/.test(value) ? [] : ["''"]
}

/** A template that forms a name, such as the path of a field. A template with blanks is a sentence for people. */
export function changeTemplate({ node, parents }: Placed): string[] {
  const quasis = node.quasis as { readonly value: { readonly cooked: string } }[]
  if (parents.at(-1)?.type === 'TaggedTemplateExpression' || isCompared(parents)) return []
  if (quasis.some(({ value }) => /\s/.test(value.cooked))) return []
  return quasis.every(({ value }) => value.cooked === '') ? [] : ["''"]
}

/** The types limit the texts of a comparison. The comparison itself is changed elsewhere. */
function isCompared(parents: readonly SyntaxNode[]): boolean {
  const parent = parents.at(-1)
  return parent?.type === 'BinaryExpression' || parent?.type === 'SwitchCase'
}

function changePattern(pattern: string, flags: string): string[] {
  const changed: string[] = []
  if (pattern.startsWith('^')) changed.push(pattern.slice(1))
  if (/(^|[^\\])\$$/.test(pattern)) changed.push(pattern.slice(0, -1))
  for (const { 0: whole, 1: least, 2: most, index } of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    const put = (text: string) => pattern.slice(0, index) + text + pattern.slice(index + whole.length)
    if (most === undefined) changed.push(put(`{${Number(least) + 1}}`))
    else if (most === '') changed.push(put(`{${Number(least) + 1},}`))
    else changed.push(put(`{${Number(least) + 1},${most}}`), put(`{${least},${Number(most) + 1}}`))
  }
  for (const { index } of pattern.matchAll(/(?<=[\])\w])[+](?!\?)/g)) {
    changed.push(`${pattern.slice(0, index)}${pattern.slice(index + 1)}`)
  }
  const patterns = changed.map((text) => `/${text === '' ? '(?:)' : text}/${flags}`)
  if (flags.includes('i')) patterns.push(`/${pattern}/${flags.replace('i', '')}`)
  return patterns.filter(isPattern)
}

function isPattern(text: string): boolean {
  const end = text.lastIndexOf('/')
  try {
    new RegExp(text.slice(1, end), text.slice(end + 1))
    return true
  } catch {
    return false
  }
}

function dayAfter(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? '' : new Date(time + 86_400_000).toISOString().slice(0, 10)
}

function isRecord(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null
}
