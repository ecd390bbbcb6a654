/** One style of functions: a named function of a module is a declaration; an arrow is a callback, or has the type of its use. */
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
