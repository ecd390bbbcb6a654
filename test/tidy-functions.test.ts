/**
 * One style of functions: a named function of a module is a declaration; an arrow is a callback, or has an explicit
 * type. No function has many parameters, and none of the product is longer than a reader takes in at once.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'rolldown/utils'
import { findSources, root } from './source-files.ts'

const linesMax = 110
const parametersMax = 5
const product = /^(protocol|domain|server|sdk|cli|console)\//
const tests = /\.(test|nightly)\.tsx?$/

interface Module {
  readonly file: string
  readonly text: string
  readonly program: ReturnType<typeof parseSync>['program']
}

interface Declarator {
  readonly id: { readonly name?: string; readonly typeAnnotation?: unknown }
  readonly init: { readonly type: string } | null
}

function parse(file: string, text: string): Module {
  return { file, text, program: parseSync(file, text).program }
}

/** The names of arrow functions that a module declares without a type of their own. */
function arrowsOf({ file, program }: Module): string[] {
  return program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') return []
    return (declared.declarations as unknown as readonly Declarator[])
      .filter(({ id, init }) => init?.type === 'ArrowFunctionExpression' && !id.typeAnnotation)
      .map(({ id }) => `${file}: ${id.name}`)
  })
}

interface Node {
  readonly type?: string
  readonly start: number
  readonly end: number
  /** Of a function, or of a type of functions. */
  readonly params?: unknown
}

/** What is wrong with the nodes of a module, each with its line. */
function findIn({ file, text, program }: Module, judge: (node: Node) => string | undefined): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const wrong = judge(node as Node)
    if (wrong !== undefined)
      found.push(`${file}:${text.slice(0, (node as Node).start).split('\n').length}: ${wrong}`)
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return found
}

/** The functions of a module that have more lines than `linesMax`. */
function longFunctionsOf(module: Module): string[] {
  return findIn(module, ({ type = '', start, end }) => {
    if (!/^(Function|ArrowFunction)/.test(type)) return undefined
    const lines = module.text.slice(start, end).split('\n').length
    return lines > linesMax ? `${lines} lines` : undefined
  })
}

/** Functions and types of functions with more parameters than `parametersMax`. */
function longParameterListsOf(module: Module): string[] {
  return findIn(module, ({ params }) =>
    Array.isArray(params) && params.length > parametersMax ? `${params.length} parameters` : undefined,
  )
}

const arrows: string[] = []
const longFunctions: string[] = []
const longParameterLists: string[] = []
for (const file of findSources('{protocol,domain,server,sdk,cli,console,test,bench,docs}/**/*.{ts,tsx}')) {
  const text = readFileSync(resolve(root, file), 'utf8')
  const module = parse(file, text)
  arrows.push(...arrowsOf(module))
  longParameterLists.push(...longParameterListsOf(module))
  // A file with fewer lines has no longer function.
  if (product.test(file) && !tests.test(file) && text.split('\n').length > linesMax)
    longFunctions.push(...longFunctionsOf(module))
}

test('a named function of a module is a declaration', () => {
  assert.deepEqual(arrows, [])
})

test('an arrow without a type is found, one with a type is not', () => {
  const text = 'export const one = () => 1\nconst two: () => number = () => 2\nfunction three() {}'
  assert.deepEqual(arrowsOf(parse('a.ts', text)), ['a.ts: one'])
})

test(`no function of the product has more than ${linesMax} lines: give its parts names`, () => {
  assert.deepEqual(longFunctions, [])
})

test(`no function has more than ${parametersMax} parameters: name them in an object`, () => {
  assert.deepEqual(longParameterLists, [])
})

test('functions, methods, arrows and types with one parameter too many are found', () => {
  const list = 'a: 1, b: 1, c: 1, d: 1, e: 1, f: 1'
  const text = `function f(${list}) {}\nclass C { m(${list}) {} }\nconst g = (${list}) => 1\ntype T = (${list}) => void`
  assert.equal(longParameterListsOf(parse('a.ts', text)).length, 4)
  const right = 'const g = (a: 1, b: 1, c: 1, d: 1, e: 1) => 1'
  assert.deepEqual(longParameterListsOf(parse('a.ts', right)), [])
})

test('functions, methods and arrows with one line too many are found', () => {
  const body = '\n'.repeat(linesMax)
  const text = `function f() {${body}}\nclass C { m() {${body}} }\nconst g: F = () => {${body}}\nfunction h() {${body.slice(1)}}`
  assert.equal(longFunctionsOf(parse('a.ts', text)).length, 3)
})
