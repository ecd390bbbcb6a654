/**
 * Checks the structure of the repository: imports between packages, declared dependencies, names, links, and one file
 * for each operation.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { test } from 'node:test'
import { operations } from '@clearing/protocol'
import { findSources, isTest, root } from './source-files.ts'

const workspaces = ['protocol', 'domain', 'server', 'sdk', 'cli', 'console'] as const
const allowedImports: Record<(typeof workspaces)[number], readonly string[]> = {
  protocol: [],
  domain: ['protocol'],
  server: ['protocol', 'domain'],
  sdk: ['protocol'],
  cli: ['protocol', 'sdk'],
  console: ['protocol', 'sdk'],
}
function sources(workspace: string) {
  return findSources(`${workspace}/**/*.{ts,tsx}`)
}
function read(file: string) {
  return readFileSync(resolve(root, file), 'utf8')
}
function imports(text: string) {
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

for (const workspace of workspaces) {
  test(`${workspace} imports only what its package declares and the allowed packages`, () => {
    const declared = JSON.parse(read(`${workspace}/package.json`))
    const allowed = new Set([
      ...Object.keys(declared.dependencies ?? {}),
      ...Object.keys(declared.optionalDependencies ?? {}),
      ...Object.keys(declared.peerDependencies ?? {}),
    ])
    const rootDev = [
      ...Object.keys(JSON.parse(read('package.json')).devDependencies),
      'typebox',
      '@clearing/sdk',
    ]
    for (const file of sources(workspace)) {
      for (const from of imports(read(file))) {
        if (from.startsWith('.')) {
          const target = resolve(root, dirname(file), from)
          assert.ok(
            target.startsWith(resolve(root, workspace)),
            `${file} imports from outside its package: ${from}`,
          )
          continue
        }
        if (from.startsWith('node:')) {
          assert.ok(
            workspace !== 'domain' || isTest(file),
            `${file}: domain does no input or output, but imports ${from}`,
          )
          continue
        }
        const name = from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/')
        const own = name === declared.name
        assert.ok(
          own ||
            allowed.has(name) ||
            (isTest(file) && rootDev.includes(name)) ||
            (file.endsWith('.config.ts') && name in (declared.devDependencies ?? {})),
          `${file} imports ${name}`,
        )
        const other = name.startsWith('@clearing/') ? name.slice('@clearing/'.length) : undefined
        if (other && !own && !isTest(file))
          assert.ok(
            allowedImports[workspace].includes(other),
            `${file}: ${workspace} may not import ${other}`,
          )
      }
    }
  })
}

test('domain reads no clock and draws no random number', () => {
  for (const file of sources('domain').filter((name) => !isTest(name))) {
    assert.doesNotMatch(
      read(file),
      /Date\.now|\bDate\s*\(\s*\)|Math\.random|performance\.now|process\./,
      file,
    )
  }
})

test('books and money never pass through a float', () => {
  const exact = globSync(['domain/src/**/*.ts', 'server/src/{books,business-day,statements}/**/*.ts'], {
    cwd: root,
    // A yield is found by approximation. Random histories begin as random numbers.
    exclude: ['domain/src/market/interest/yield-to-maturity.ts', 'domain/src/books/random-history.ts'],
  })
  // `exactNumber` writes the digits unchanged.
  const throughFloat = /parseFloat|\.toFixed\(|(?<!exact)Number\(renderDecimal|Math\.round\(Number/
  for (const file of exact.filter((name) => !isTest(name)))
    assert.doesNotMatch(read(file), throughFloat, file)
})

test('no folder or file has a meaningless name', () => {
  const empty = /(^|\/)(utils?|common|shared|helpers?|lib|core|types|misc|managers?|services?|dto)(\/|\.ts$)/
  for (const workspace of workspaces) {
    for (const file of sources(workspace)) {
      assert.doesNotMatch(file.replace('server/src/service.ts', ''), empty)
      assert.match(file.split('/').at(-1) ?? '', /^[a-z0-9-]+(\.[a-z-]+)*\.tsx?$/, `${file} is kebab-case`)
    }
  }
})

test('every file begins with a description of what it is', () => {
  for (const workspace of workspaces) {
    for (const file of sources(workspace).filter((name) => !isTest(name))) {
      assert.match(read(file), /^(#!.*\n)?(\/\*\*|\/\/|\/\*)/, `${file} has no opening lines`)
    }
  }
})

test('only the transaction helper begins and ends transactions, and only config reads the environment', () => {
  for (const file of sources('server').filter((name) => !isTest(name))) {
    const text = read(file)
    if (!file.startsWith('server/src/database/')) {
      assert.doesNotMatch(text, /query\(\s*['"`]\s*(begin|commit|rollback)/i, file)
    }
    const mayReadEnvironment = [
      'server/src/config/config.ts',
      'server/src/main.ts',
      'server/src/database/test-database.ts',
      'server/src/database/embedded-cluster.ts',
    ]
    if (!mayReadEnvironment.includes(file)) assert.doesNotMatch(text, /process\.env/, file)
  }
})

test('every operation has its handler in a file of its name, and the folder has no other code', () => {
  const contract = ['context.ts', 'parts.ts', 'index.ts']
  const files = findSources('server/src/operations/**/*.ts')
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => name.replace('server/src/operations/', ''))
  const handlers = Object.keys(operations).map((name) => `${name}.ts`)
  assert.deepEqual(files.sort(), [...handlers, ...contract].sort())
  for (const name of Object.keys(operations)) {
    const file = `server/src/operations/${name}.ts`
    const text = read(file)
    const exported = text.match(/^export\b.*$/gm) ?? []
    assert.deepEqual(
      exported.map((line) => /^export const \w+: (Handler<'[a-z0-9-]+'>) = /.exec(line)?.[1]),
      [`Handler<'${name}'>`],
      `${file} exports its handler alone`,
    )
    // This operation decides on each item by the operation of its queue.
    if (name === 'decide-work') continue
    const others = imports(text).filter((from) => handlers.some((handler) => from === `./${handler}`))
    assert.deepEqual(others, [], `${file} imports another handler`)
  }
})

test('only the store, and the code that connects to the database, contains SQL', () => {
  const sql = /\b(from|into|join|update)\s+clearing\.|\b(statement|unprepared)(<[^;]*?>)?\(\s*[`'"]/
  for (const file of sources('server')) {
    if (isTest(file) || /^server\/src\/(store|database)\/|\/testing\.ts$/.test(file)) continue
    assert.doesNotMatch(read(file), sql, file)
  }
})

/** Locks a row of a table whose rows foreign keys name: decision 200. */
const locksKey =
  /\bclearing\.(account|account_books|firm|security|credential|staff|webhook|announcement|incident|business_day_close)\b[^()]*\bfor update\b/

test('a row that foreign keys name is locked for no key update', () => {
  for (const file of sources('server')) {
    if (isTest(file)) continue
    for (const [text] of read(file).matchAll(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g))
      if (/\bfor update\b/.test(text)) assert.doesNotMatch(withoutSubqueries(text), locksKey, file)
  }
})

/** Without the parts in parentheses, except those that lock rows themselves. */
function withoutSubqueries(sql: string): string {
  const shorter = sql.replaceAll(/\((?![^()]*\bfor update\b)[^()]*\)/g, '')
  return shorter === sql ? sql : withoutSubqueries(shorter)
}

/**
 * Each of these makes any value pass as the expected type. A renamed member of the protocol would then go unnoticed.
 */
const blindCasts = /\bas never\b|\bas unknown as\b|\bas any\b|<any>|@ts-ignore|@ts-nocheck/

test('nothing in the console, the command line and the sdk bypasses the types of the protocol', () => {
  for (const workspace of ['console', 'cli', 'sdk'])
    for (const file of sources(workspace)) assert.doesNotMatch(read(file), blindCasts, file)
})

/** A hook of a file, or a helper that registers one. */
const hooksOfFile = /^(before|\w+BeforeTests)\(/gm

// The runner starts the hooks of a file at once, so that a second one does not find what the first one prepares. In a
// shared process, a file is a suite, whose hooks run in turn: the tests of the file then pass only there.
test('a test file has one hook before its tests', () => {
  const several = findSources('{protocol,domain,server,sdk,cli,console,test}/**/*.{test,nightly}.ts').filter(
    (file) => (read(file).match(hooksOfFile)?.length ?? 0) > 1,
  )
  assert.deepEqual(several, [])
})

test('links in the documentation resolve', () => {
  const documents = globSync('{*.md,docs/**/*.md,decisions/*.md}', { cwd: root })
  for (const file of documents) {
    if (file === 'docs/specification.md') continue
    for (const [, target = ''] of read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(resolve(root, dirname(file), target)), `${file} links to ${target}`)
    }
  }
})

test('no file contains a path of one machine', () => {
  const files = globSync('**/*.{ts,tsx,md,sql,json,yaml}', {
    cwd: root,
    exclude: (name) => ['node_modules', 'data', 'dist'].includes(name),
  })
  for (const file of files) {
    if (file === 'test/tidy.test.ts') continue
    assert.doesNotMatch(read(file), /\/work\/main|\/work\/shared|\/root\//, `${file} has a path of a machine`)
  }
})

/**
 * The floors of the server, lowest first. A file imports from its own folder and from floors below it, values and types
 * alike.
 */
const floors: readonly (readonly string[])[] = [
  [
    'config',
    'clock.ts',
    'ids.ts',
    'actor.ts',
    'answers.ts',
    'listen.ts',
    'make-folder.ts',
    'memory-settings.ts',
    'part-unavailable.ts',
    'short-lived.ts',
    'started.ts',
    'within.ts',
  ],
  ['turns.ts'],
  ['database'],
  ['encryption'],
  ['store'],
  ['books', 'documents', 'screening', 'identity'],
  ['firm-rules', 'paging', 'audit'],
  ['onboarding', 'statements'],
  ['business-day', 'events'],
  ['changes'],
  ['sandbox'],
  ['operations'],
  ['docs-site', 'http'],
  ['observe'],
  ['jobs'],
  ['commands'],
  ['processes'],
  ['open-data.ts'],
  ['make-parts.ts'],
  ['start-duties.ts'],
  ['service.ts', 'welcome.ts'],
  ['run.ts', 'run-processes.ts'],
  ['main.ts'],
]
function serverFolderOf(file: string) {
  return file.replace('server/src/', '').split('/')[0] ?? ''
}
function floorOf(folder: string) {
  return floors.findIndex((floor) => floor.includes(folder))
}

test('the server has floors: a folder imports only from floors below it', () => {
  const upward: string[] = []
  for (const file of sources('server').filter((name) => name.startsWith('server/src/') && !isTest(name))) {
    const own = serverFolderOf(file)
    assert.ok(floorOf(own) >= 0, `${file} is on no floor: add its folder to the floors`)
    for (const from of imports(read(file)).filter((name) => name.startsWith('.'))) {
      const target = fromRoot(file, from)
      if (!target.startsWith('server/src/')) continue
      const other = serverFolderOf(target)
      // `http` serves the pages of the documentation, and is on the same floor.
      const served = own === 'http' && other === 'docs-site'
      if (own === other || served || floorOf(other) < floorOf(own)) continue
      upward.push(`${file} imports ${target}, which is not on a floor below`)
    }
  }
  assert.deepEqual(upward, [])
})

test('ARCHITECTURE.md describes each folder and file of a floor', () => {
  const described = read('ARCHITECTURE.md').split('## The floors')[1] ?? ''
  const missing = floors.flat().filter((name) => !described.includes(name.includes('.') ? name : `${name}/`))
  assert.deepEqual(missing, [])
})

test('no files import values from each other in a cycle, and cycles of types stay within a folder', () => {
  for (const workspace of workspaces) {
    const files = sources(workspace).filter((name) => !isTest(name))
    assert.deepEqual(findCircles(files, valueImports), [], 'a cycle of values')
    const across = findCircles(files, localImports).filter(
      (circle) => new Set(circle.map((file) => dirname(file))).size > 1,
    )
    assert.deepEqual(across, [], 'a cycle of types over several folders')
  }
})

test('cycles are found', () => {
  const edges: Record<string, readonly string[]> = {
    a: ['b', 'd'],
    b: ['c'],
    c: ['b'],
    d: ['d', 'e'],
    e: ['a'],
  }
  const circles = findCircles(Object.keys(edges), (file) => edges[file] ?? [])
  assert.deepEqual(
    circles.map((circle) => circle.toSorted().join('')),
    ['bc', 'ade'],
  )
})

/** Each largest set of files that all reach each other (Tarjan's algorithm). */
function findCircles(files: readonly string[], edgesOf: (file: string) => readonly string[]): string[][] {
  const order = new Map<string, number>()
  const earliest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    earliest.set(file, own)
    path.push(file)
    const reach = (place: number) => earliest.set(file, Math.min(place, earliest.get(file) ?? own))
    for (const next of edgesOf(file).filter((name) => files.includes(name))) {
      if (!order.has(next)) reach(visit(next))
      else if (path.includes(next)) reach(order.get(next) ?? own)
    }
    const first = earliest.get(file) ?? own
    if (first === own) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) circles.push(circle)
    }
    return first
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles
}

function fromRoot(file: string, from: string) {
  return resolve(root, dirname(file), from).replace(`${root}/`, '')
}

/** Files of the same package that a file imports, values and types alike. */
function localImports(file: string): string[] {
  return imports(read(file)).flatMap((from) => (from.startsWith('.') ? [fromRoot(file, from)] : []))
}

/** Files of the same package from which a file imports values when the module is loaded. */
function valueImports(file: string): string[] {
  const statement = /^(?:import|export)\s+(?!type\b)([^'"]*?)\s*from\s+'(\.[^']+)'/gm
  return [...read(file).matchAll(statement)].flatMap(([, names = '', from = '']) => {
    const named = names.startsWith('{')
      ? names
          .replace(/[{}]/g, '')
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
      : []
    if (named.length > 0 && named.every((name) => name.startsWith('type '))) return []
    return [fromRoot(file, from)]
  })
}
