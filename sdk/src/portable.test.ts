import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

/** All files that a file imports at run time, and the packages that they import. */
function reach(file: URL, files: Map<string, string>, packages: Set<string>) {
  if (files.has(file.href)) return
  const source = readFileSync(file, 'utf8')
  files.set(file.href, source)
  for (const [, types, name = ''] of source.matchAll(/^(?:import|export)( type)?[^'";]*?from '([^']+)'/gm)) {
    if (types !== undefined) continue
    if (name.startsWith('.')) reach(new URL(name, file), files, packages)
    else packages.add(name)
    if (name.startsWith('@clearing/protocol')) reach(new URL(import.meta.resolve(name)), files, packages)
  }
}

test('the client uses no module that exists only in Node.js', () => {
  const files = new Map<string, string>()
  const packages = new Set<string>()
  reach(new URL('./index.ts', import.meta.url), files, packages)
  assert.ok(files.size > 15)
  assert.deepEqual([...packages], ['@clearing/protocol/calls'])
  for (const [file, source] of files) {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    assert.doesNotMatch(code, /\b(process|Buffer|require|__dirname)[.(]|'node:/, file)
  }
})
