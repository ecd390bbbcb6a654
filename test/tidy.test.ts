/** Keeps the house: arrows between the rooms, imports that are declared, file sizes, names, links, one file an operation. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { operations } from '@clearing/protocol'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const rooms = ['protocol', 'domain', 'server', 'sdk', 'cli', 'console'] as const
const arrows: Record<(typeof rooms)[number], readonly string[]> = {
  protocol: [],
  domain: ['protocol'],
  server: ['protocol', 'domain'],
  sdk: ['protocol'],
  cli: ['protocol', 'sdk'],
  console: ['protocol', 'sdk'],
}
const sources = (room: string) =>
  globSync(`${room}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const imports = (text: string) =>
  [
    ...text.matchAll(
      /^\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
/** Tests, and what only they use: `testing/`, `test-*.ts`, `random-*.ts`, `example-*.ts`, `sample-*.ts`. */
const isTest = (file: string) =>
  /\.(test|nightly)\.ts$|\/testing\/|\/(test|random|example|sample)-[a-z-]+\.ts$/.test(file)

for (const room of rooms) {
  test(`${room} imports only what its package declares and the arrows allow`, () => {
    const declared = JSON.parse(read(`${room}/package.json`))
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
    for (const file of sources(room)) {
      for (const from of imports(read(file))) {
        if (from.startsWith('.')) {
          const target = resolve(root, dirname(file), from)
          assert.ok(target.startsWith(resolve(root, room)), `${file} reaches out of its room: ${from}`)
          continue
        }
        if (from.startsWith('node:')) {
          assert.ok(
            room !== 'domain' || isTest(file),
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
          assert.ok(arrows[room].includes(other), `${file}: no arrow from ${room} to ${other}`)
      }
    }
  })
}

test('domain asks no clock and no chance', () => {
  for (const file of sources('domain').filter((name) => !isTest(name))) {
    assert.doesNotMatch(read(file), /Date\.now|new Date\(\)|Math\.random|performance\.now|process\./, file)
  }
})

test('books and money never pass through a float', () => {
  for (const file of globSync('domain/src/books/**/*.ts', { cwd: root }).filter((name) => !isTest(name))) {
    assert.doesNotMatch(read(file), /parseFloat/, file)
  }
})

test('no folder or file has a name that says nothing', () => {
  const empty = /(^|\/)(utils?|common|shared|helpers?|lib|core|types|misc|managers?|services?|dto)(\/|\.ts$)/
  for (const room of rooms) {
    for (const file of sources(room)) {
      assert.doesNotMatch(file.replace('server/src/service.ts', ''), empty)
      assert.match(file.split('/').at(-1) ?? '', /^[a-z0-9-]+(\.[a-z-]+)*\.tsx?$/, `${file} is kebab-case`)
    }
  }
})

test('every file begins by saying what it is', () => {
  for (const room of rooms) {
    for (const file of sources(room).filter((name) => !isTest(name))) {
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

test('every operation has its handler in a file of its name', () => {
  for (const name of Object.keys(operations)) {
    assert.ok(
      existsSync(resolve(root, `server/src/operations/${name}.ts`)),
      `server/src/operations/${name}.ts`,
    )
  }
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

test('the project speaks of the project alone', () => {
  const files = globSync('**/*.{ts,tsx,md,sql,json,yaml}', {
    cwd: root,
    exclude: (name) => ['node_modules', 'data', 'dist'].includes(name),
  })
  for (const file of files) {
    if (file === 'test/tidy.test.ts') continue
    assert.doesNotMatch(read(file), /\/work\/main|\/work\/shared|\/root\//, `${file} has a path of a machine`)
  }
})
