import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeTestFolder } from './database/test-folder.ts'

const run = promisify(execFile)
const hook = new URL('./strip-types.js', import.meta.url).href

/** Runs `main.ts` of a folder with the hook, and returns what it prints. */
async function runWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeTestFolder('clearing-strip-')
  try {
    await mkdir(join(folder, 'later'))
    for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files }))
      await writeFile(join(folder, name), text)
    const { stdout } = await run(process.execPath, ['--import', hook, join(folder, 'main.ts')])
    return stdout.trim()
  } finally {
    await rm(folder, { recursive: true })
  }
}

const printParser = "console.log(process.moduleLoadList.some((name) => name.includes('amaro')))\n"

test('the process of the service does not load the TypeScript parser of Node.js', async () => {
  const printed = await runWith({
    'main.ts': `import { one } from './one.ts'
      const { two }: { two: number } = await import('./later/two.ts')
      console.log(one + two)
      ${printParser}`,
    'one.ts': 'export const one: number = 1',
    'later/two.ts': "import { one } from '../one.ts'\nexport const two: number = 1 + one",
  })
  assert.equal(printed, '3\nfalse')
})

test('modules that no import names are stripped when they are loaded', async () => {
  const printed = await runWith({
    'main.ts': `const name: string = 'one'
      console.log((await import(\`./\${name}.ts\`)).one)
      ${printParser}`,
    'one.ts': 'export const one: number = 1',
  })
  assert.equal(printed, '1\nfalse')
})

test('an example in a text may name a package that is not installed', async () => {
  const printed = await runWith({
    'main.ts': `const example: string = "import { createClient } from '@clearing/absent'"
      console.log(example.length)
      ${printParser}`,
  })
  assert.equal(printed, '47\nfalse')
})

test('a module whose types cannot be stripped is reported with its file and line', async () => {
  const files = { 'main.ts': "import './one.ts'", 'one.ts': '\nenum Color { Red }' }
  await assert.rejects(runWith(files), /one\.ts:2[\s\S]*ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX/)
})

test('an older Node.js is named, with what to do', async () => {
  const older = "import module from 'node:module'; delete module.registerHooks"
  await assert.rejects(
    run(process.execPath, ['--import', `data:text/javascript,${older}`, '--import', hook, '--eval', '1']),
    ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 1)
      assert.match(stderr, /^This needs Node\.js 24 or newer; this is v[\d.]+\. .*run "npm ci" first.*\n$/)
      return true
    },
  )
})

test('every way to start the service has the same options of Node.js', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const start: string = JSON.parse(read('package.json')).scripts.start
  const options = start.replace(/^node /, '')
  assert.match(options, /^--.* --import \.\/server\/src\/strip-types\.js server\/src\/main\.ts$/)
  assert.ok(read('deploy/systemd/clearing.service').includes(`ExecStart=/usr/bin/node ${options}\n`))
  assert.ok(read('docs/operating.md').includes(`\`node ${options}\``))
  assert.ok(read('Dockerfile').includes(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}\n`))
})
