/**
 * The packed packages under the other runtimes that the sdk promises to work with: Node.js 20, 22 and 24, Deno, Bun and
 * workerd, as npm has them. They are installed into a temporary folder, and `packed.test.ts` runs with them on the
 * path.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetchFromNpm, runTool } from './fetched-tools.ts'

const packedTest = join(dirname(fileURLToPath(import.meta.url)), 'packed.test.ts')
const packages = {
  'node@20': 'node',
  'node@22': 'node',
  'node@24': 'node',
  deno: 'deno',
  bun: 'bun',
  workerd: 'workerd',
}

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The folder of the program, or undefined if the registry does not have it for this machine. */
async function install(name: string, program: string): Promise<string | undefined> {
  const place = join(folder, name.replace('@', '-'))
  const bin = join(place, 'node_modules/.bin')
  if (!(await fetchFromNpm(place, '--foreground-scripts', name))) return undefined
  return runTool(join(bin, program), ['--version'], place).then(
    () => bin,
    () => undefined,
  )
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
  const printed = await runTool(process.execPath, words, folder, env)
  for (const [, line] of printed.matchAll(/^ *# (v\d.*|deno.*|\d.*|workerd.*)$/gm)) t.diagnostic(line ?? '')
  assert.match(printed, /^# fail 0$/m, printed)
})
