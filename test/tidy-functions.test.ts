/**
 * One style of functions: a named function of a module is a declaration; an arrow is a callback, or has an explicit
 * type. No function of the product is longer than a reader takes in at once.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folders = '{protocol,domain,server,sdk,cli,console,test,bench,docs}'

interface Declarator {
  readonly id: { readonly name?: string; readonly typeAnnotation?: unknown }
  readonly init: { readonly type: string } | null
}

/** The names of arrow functions that a module declares without a type of their own. */
function arrowsOf(file: string, text: string): string[] {
  return parseSync(file, text).program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') return []
    return (declared.declarations as unknown as readonly Declarator[])
      .filter(({ id, init }) => init?.type === 'ArrowFunctionExpression' && !id.typeAnnotation)
      .map(({ id }) => `${file}: ${id.name}`)
  })
}

test('a named function of a module is a declaration', () => {
  const files = globSync(`${folders}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  assert.deepEqual(
    files.flatMap((file) => arrowsOf(file, readFileSync(resolve(root, file), 'utf8'))),
    [],
  )
})

test('an arrow without a type is found, one with a type is not', () => {
  const text = 'export const one = () => 1\nconst two: () => number = () => 2\nfunction three() {}'
  assert.deepEqual(arrowsOf('a.ts', text), ['a.ts: one'])
})

const linesMax = 110

/** The functions of a module that have more lines than `linesMax`. */
function longFunctionsOf(file: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end } = node as {
      readonly type?: string
      readonly start: number
      readonly end: number
    }
    if (type !== undefined && /^(Function|ArrowFunction)/.test(type)) {
      const lines = text.slice(start, end).split('\n').length
      if (lines > linesMax) found.push(`${file}:${text.slice(0, start).split('\n').length}: ${lines} lines`)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, text).program)
  return found
}

test(`no function of the product has more than ${linesMax} lines: give its parts names`, () => {
  const files = globSync('{protocol,domain,server,sdk,cli,console}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  }).filter((file) => !/\.(test|nightly)\.tsx?$/.test(file))
  assert.deepEqual(
    files.flatMap((file) => longFunctionsOf(file, readFileSync(resolve(root, file), 'utf8'))),
    [],
  )
})

test('functions, methods and arrows with one line too many are found', () => {
  const body = '\n'.repeat(linesMax)
  const text = `function f() {${body}}\nclass C { m() {${body}} }\nconst g: F = () => {${body}}\nfunction h() {${body.slice(1)}}`
  assert.equal(longFunctionsOf('a.ts', text).length, 3)
})
