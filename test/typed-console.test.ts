/**
 * Renaming a member of a request in the protocol breaks the types of the console, and so its build, wherever the
 * console sends the member.
 */
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { compile } from './compile.ts'

const root = resolve(import.meta.dirname, '..')
const workspaces = ['protocol', 'sdk', 'console']

/**
 * The renamed members, with the file that must fail: in a form, in its response to a block, in a list's filter, in a
 * request sent at once, and in paging.
 */
const renames: readonly [file: string, from: string, to: string, seenIn: string][] = [
  ['operations/work.ts', 'text: words(limits.staffNoteLengthMax, {', 'words', 'account/notes.tsx'],
  ['operations/work.ts', 'workIds: workIds() }),\n  data: takenShape,', 'items', 'work/work-screen.tsx'],
  ['operations/work.ts', 'olderThanHours: optional(', 'hours', 'work/work-screen.tsx'],
  ['operations/firms.ts', 'duplicateApplications: optional(', 'duplicates', 'firms/firm-acts.tsx'],
  ['operations/books.ts', 'reason: words(limits.noteLengthMax, {', 'why', 'books/business-day-screen.tsx'],
  ['operations/oversight.ts', 'kind: optional(words(40', 'operation', 'books/loads-screen.tsx'],
  ['operations/oversight.ts', 'security: words(12, {', 'name', 'books/stock-record-screen.tsx'],
  ['operations/changes.ts', 'changeId: changeId(),', 'id', 'change/change-screen.tsx'],
  ['paging.ts', 'size: optional(', 'count', 'account/events-tab.tsx'],
]

test('a renamed member of a request breaks the types of the console', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'typed-console-'))
  context.after(() => rmSync(folder, { recursive: true }))
  copySources(folder)
  for (const [file, from, to] of renames) {
    const path = join(folder, 'protocol/src', file)
    const text = readFileSync(path, 'utf8')
    assert.ok(text.includes(from), `${file} has no ${from}`)
    writeFileSync(path, text.replace(from, `${to}${from.slice(from.indexOf(':'))}`))
  }
  const { exitCode, output } = await compile(['--noEmit', '-p', 'console'], folder)
  assert.notEqual(exitCode, 0)
  // Only the renamed member is missing. All other members resolve.
  assert.doesNotMatch(output, /Cannot find|design\/|^protocol/m)
  for (const [file, from, , seenIn] of renames)
    assert.match(output, new RegExp(`console/src/${seenIn}`), `${from} of ${file}`)
})

function copySources(folder: string) {
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  for (const workspace of workspaces) {
    for (const part of readdirSync(join(root, workspace)))
      if (part !== 'dist' && part !== 'node_modules')
        cpSync(join(root, workspace, part), join(folder, workspace, part), {
          recursive: true,
          verbatimSymlinks: true,
        })
  }
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@clearing'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@clearing') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const workspace of workspaces)
    symlinkSync(join(folder, workspace), join(modules, '@clearing', workspace))
}
