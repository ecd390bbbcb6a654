/**
 * Finds the small faults (mutants) that can be put into a file: a comparison moved by one, a dropped condition, a
 * changed number, date or name, a removed statement. Texts for people, and guards that only throw a fault, stay as they
 * are.
 */

import { changeLiteral, changeTemplate } from './change-literal.ts'
import { changeCall, changeMember } from './change-names.ts'
import { isNode, type Placed, parseSyntax, type SyntaxNode, walk } from './syntax.ts'

/** A part of a file's text, and the text that a mutant puts in its place. */
export interface Mutant {
  readonly start: number
  readonly end: number
  /** The whole text that replaces the part. An empty text removes a statement. */
  readonly replacement: string
  /** An expression is replaced when it runs. A statement is run or skipped. */
  readonly kind: 'expression' | 'statement'
}

type Slice = (part: SyntaxNode) => string

const operators: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}
const assignments: Record<string, string> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '??=': '=',
  '||=': '&&=',
  '&&=': '||=',
}

export function findMutants(file: string, text: string): Mutant[] {
  const found = new Map<string, Mutant>()
  for (const placed of walk(parseSyntax(file, text))) {
    if (isOutside(placed)) continue
    for (const mutant of mutantsOf(placed, text)) {
      const original = text.slice(mutant.start, mutant.end)
      if (mutant.replacement !== original) {
        found.set(`${mutant.start} ${mutant.end} ${mutant.kind} ${mutant.replacement}`, mutant)
      }
    }
  }
  return [...found.values()]
}

/** Texts of thrown errors are for people, and so is the condition of a guard that only finds missing values. */
function isOutside({ node, parents }: Placed): boolean {
  if (parents.some((parent) => parent.type === 'ThrowStatement')) return true
  const place = parents.findIndex((parent) => parent.type === 'IfStatement' && isGuard(parent))
  if (place < 0) return false
  const guard = parents[place] as SyntaxNode
  return (parents[place + 1] ?? node) === guard.test
}

function isGuard(statement: SyntaxNode): boolean {
  const { consequent, test } = statement as unknown as { consequent: SyntaxNode; test: SyntaxNode }
  const only = consequent.type === 'BlockStatement' ? (consequent.body as SyntaxNode[])[0] : consequent
  if (only?.type !== 'ThrowStatement' || test.type !== 'BinaryExpression') return false
  return test.operator === '===' && (test.right as SyntaxNode).name === 'undefined'
}

function mutantsOf(placed: Placed, text: string): Mutant[] {
  const { node } = placed
  const slice = (part: SyntaxNode) => text.slice(part.start, part.end)
  const expression = (replacement: string, whole = node): Mutant => ({
    start: whole.start,
    end: whole.end,
    replacement,
    kind: 'expression',
  })
  const statement = (): Mutant => ({ start: node.start, end: node.end, replacement: '', kind: 'statement' })
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return changeOperator(placed, slice).map((replacement) => expression(replacement))
    case 'IfStatement':
      if (isGuard(node)) return []
      return ['true', 'false'].map((value) => expression(value, node.test as SyntaxNode))
    case 'ConditionalExpression':
      return ['true', 'false'].map((value) => expression(value, node.test as SyntaxNode))
    case 'WhileStatement':
    case 'ForStatement':
      return isNode(node.test) ? [expression('false', node.test)] : []
    case 'UnaryExpression':
      return node.operator === '-' || node.operator === '!'
        ? [expression(`(${slice(node.argument as SyntaxNode)})`)]
        : []
    case 'UpdateExpression':
      return [expression(slice(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')))]
    case 'AssignmentExpression': {
      const other = assignments[node.operator as string]
      if (other === undefined) return []
      return [expression(`${slice(node.left as SyntaxNode)} ${other} (${slice(node.right as SyntaxNode)})`)]
    }
    case 'ArrayExpression':
      return (node.elements as unknown[]).length > 0 ? [expression('[]')] : []
    case 'TemplateLiteral':
      return changeTemplate(placed).map((replacement) => expression(replacement))
    case 'Literal':
      return changeLiteral(placed).map((replacement) => expression(replacement))
    case 'ExpressionStatement':
      return isRemovable(node.expression as SyntaxNode) ? [statement()] : []
    case 'ContinueStatement':
    case 'BreakStatement':
      return [statement()]
    case 'CallExpression':
    case 'ChainExpression':
    case 'MemberExpression':
      return changeChain(placed, slice, expression)
    default:
      return []
  }
}

function changeOperator({ node, parents }: Placed, slice: Slice): string[] {
  const left = node.left as SyntaxNode
  const right = node.right as SyntaxNode
  const operator = node.operator as string
  const isText = (part: SyntaxNode) =>
    part.type === 'TemplateLiteral' || (part.type === 'Literal' && typeof part.value === 'string')
  if (operator === '+' && (isText(left) || isText(right))) return []
  const others = (operators[operator] ?? []).filter(
    (_, index) => index > 0 || !isIndifferent(node, parents, slice),
  )
  const changed = others.map((other) => `(${slice(left)}) ${other} (${slice(right)})`)
  // Drops a condition: one side of an `and` or `or`.
  if (operator === '&&' || operator === '||') changed.push(`(${slice(left)})`, `(${slice(right)})`)
  return changed
}

/**
 * Whether equal values can reach either branch. They never do in `a === b ? 0 : a < b ? -1 : 1`, and in `x < 0n ? -x :
 * x` both branches give zero.
 */
function isIndifferent(node: SyntaxNode, parents: readonly SyntaxNode[], slice: Slice): boolean {
  const [outer, inner] = parents.slice(-2)
  if (inner?.type !== 'ConditionalExpression' || inner.test !== node) return false
  const branches = [inner.consequent, inner.alternate].map((branch) => slice(branch as SyntaxNode))
  const operand = slice(node.left as SyntaxNode)
  if (slice(node.right as SyntaxNode) === '0n' && branches.sort().join(' ') === `-${operand} ${operand}`)
    return true
  if (outer?.type !== 'ConditionalExpression' || outer.alternate !== inner) return false
  const test = outer.test as SyntaxNode
  if (test.type !== 'BinaryExpression' || test.operator !== '===') return false
  const sides = (one: SyntaxNode) =>
    [one.left, one.right]
      .map((side) => slice(side as SyntaxNode))
      .sort()
      .join(' ')
  return sides(test) === sides(node)
}

/** Calls and members. Inside a chain of `?.`, the whole chain is replaced, so that it still ends early. */
function changeChain(
  { node, parents }: Placed,
  slice: Slice,
  expression: (replacement: string, whole?: SyntaxNode) => Mutant,
): Mutant[] {
  if (node.type === 'ChainExpression') return []
  const parent = parents.at(-1)
  const isTarget =
    (parent?.type === 'AssignmentExpression' && parent.left === node) || parent?.type === 'UpdateExpression'
  if (isTarget || (parent?.type === 'UnaryExpression' && parent.operator === 'delete')) return []
  const chain = parents.findLast((one) => one.type === 'ChainExpression')
  const within =
    chain !== undefined &&
    parents
      .slice(parents.indexOf(chain) + 1)
      .every(
        (one) =>
          one.type === 'CallExpression' ||
          one.type === 'MemberExpression' ||
          one.type === 'TSNonNullExpression',
      ) &&
    chain.start === node.start
  const whole = within ? chain : node
  const changes =
    node.type === 'CallExpression'
      ? changeCall(node, slice)
      : parent?.type === 'CallExpression' && parent.callee === node
        ? []
        : changeMember(node, slice)
  return changes.map((change) => expression(change + slice(whole).slice(node.end - whole.start), whole))
}

function isRemovable(expression: SyntaxNode): boolean {
  return [
    'CallExpression',
    'AssignmentExpression',
    'UpdateExpression',
    'AwaitExpression',
    'ChainExpression',
  ].includes(expression.type)
}
