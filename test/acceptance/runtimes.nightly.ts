/**
 * The packed packages under the other runtimes that the sdk promises to work with: Node.js 22 and 24, Deno and Bun, as npm has them. They are
 * installed into a temporary folder, and `packed.test.ts` runs with them on the path.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const timeoutMs = 900_000
const packedTest = join(dirname(fileURLToPath(import.meta.url)), 'packed.test.ts')
const packages = { 'node@20': 'node', 'node@22': 'node', 'node@24': 'node', deno: 'deno', bun: 'bun' }

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The folder of the program, or undefined if the registry does not have it for this machine. */
async function install(name: string, program: string): Promise<string | undefined> {
  const place = join(folder, name.replace('@', '-'))
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true }\n')
  const bin = join(place, 'node_modules/.bin')
  try {
    const words = ['install', '--no-audit', '--no-fund', '--foreground-scripts', name]
    await execute('npm', words, { cwd: place, timeout: timeoutMs })
    await execute(join(bin, program), ['--version'], { timeout: timeoutMs })
    return bin
  } catch {
    return undefined
  }
}

test('the packed packages work under every runtime that can be installed', async (t) => {
  const bins: string[] = []
  for (const [name, program] of Object.entries(packages)) {
    const bin = await install(name, program)
    t.diagnostic(`${name}: ${bin === undefined ? 'not to be had' : 'installed'}`)
    if (bin !== undefined) bins.push(bin)
  }
  if (bins.length === 0) return t.skip('no other runtime can be installed here')
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env
  const env = { ...outer, PATH: [...bins, process.env.PATH].join(delimiter) }
  const words = ['--test', '--test-reporter=tap', packedTest]
  const { stdout } = await execute(process.execPath, words, { env, timeout: timeoutMs }).catch(
    (error) => error,
  )
  assert.match(stdout, /^# fail 0$/m, stdout)
})
