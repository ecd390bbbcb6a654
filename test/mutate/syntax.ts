/** The syntax tree of a TypeScript file, as far as the search for mutants needs it. */
import { parseSync } from 'rolldown/utils'

/** A node of the tree (ESTree with TypeScript). `start` and `end` are places in the text. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A node with its parents, the root first. */
export interface Placed {
  readonly node: SyntaxNode
  readonly parents: readonly SyntaxNode[]
}

export function parseSyntax(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text, { preserveParens: false })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program as unknown as SyntaxNode
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
}

/** Nodes that only name types. They do not exist when the program runs. */
const typeMembers = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
])
const typeWrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const skipped = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TemplateElement', 'ImportExpression'])

/** Every node that runs, parents before children. */
export function* walk(node: SyntaxNode, parents: readonly SyntaxNode[] = []): Generator<Placed> {
  if (skipped.has(node.type) || (node.type.startsWith('TS') && !typeWrappers.has(node.type))) return
  if (node.type === 'ExportNamedDeclaration' && node.source) return
  yield { node, parents }
  const way = [...parents, node]
  for (const [name, value] of Object.entries(node)) {
    if (typeMembers.has(name) || isPlainName(node, name)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child, way)
  }
}

/** A property's name or a member's name, written as itself. */
function isPlainName(node: SyntaxNode, member: string): boolean {
  if (node.computed === true) return false
  return (
    (member === 'key' && node.type === 'Property') ||
    (member === 'property' && node.type === 'MemberExpression')
  )
}
