/** The published packages are staged, packed, installed without a network into an empty project, and used there. */
import assert from 'node:assert/strict'
import { type ExecFileOptions, execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type OperationDefinition, operations } from '@clearing/protocol'
import { renderCodeSamples } from '@clearing/protocol/openapi'
import { rolldown } from 'rolldown'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { compile } from '../compile.ts'
import { publishedWorkspaces, stage } from '../stage.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const execute = promisify(execFile)
const timeoutMs = 120_000

let service: RunningService
let folder: string
let project: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'))
  project = join(folder, 'project')
  const staged = join(folder, 'staged')
  service = await startRunningService()
  await install(staged)
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/**
 * npm packs the staged packages and installs them as from a registry, with the packages on which they depend, because
 * there is no network.
 */
async function install(staged: string): Promise<void> {
  await stage(staged)
  const packages = [
    ...publishedWorkspaces.map((workspace) => join(staged, workspace)),
    join(root, 'node_modules/typebox'),
    join(root, 'cli/node_modules/commander'),
  ]
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  await npm(await copySetting(), project)
  await npm(['install', ...quietly, ...packages], project)
}

const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']

/** The words of the command by which the README lets npm copy the packages. */
async function copySetting(): Promise<string[]> {
  const readme = await readFile(join(root, 'sdk/README.md'), 'utf8')
  return /^npm (config .*install-links.*)$/m.exec(readme)?.[1]?.split(' ') ?? []
}

/** npm with its own cache, so that no package comes from an earlier installation. */
function npm(words: readonly string[], cwd: string) {
  return run('npm', words, { cwd, env: { ...process.env, npm_config_cache: join(folder, 'cache') } })
}

function run(program: string, words: readonly string[], settings: ExecFileOptions) {
  return execute(program, [...words], { timeout: timeoutMs, encoding: 'utf8', ...settings }) as Promise<{
    stdout: string
    stderr: string
  }>
}

/** The version that a program on the path prints; empty when the program is missing. */
function version(program: string): Promise<string | undefined> {
  return run(program, ['--version'], {}).then(
    ({ stdout }) => stdout.split('\n')[0],
    () => undefined,
  )
}

/** Other Node.js programs of this machine that the sdk promises to work with. */
async function otherNodes(): Promise<string[]> {
  const found = new Map<string, string>()
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(place, 'node')
    try {
      accessSync(program, constants.X_OK)
      const { stdout } = await run(program, ['--version'], {})
      const version = stdout.trim()
      const isOther = version !== process.version && !found.has(version)
      if (isOther && Number(/^v(\d+)/.exec(version)?.[1]) >= 20) found.set(version, program)
    } catch {
      // The program is missing, or does not run.
    }
  }
  return [...found.values()]
}

async function firstProgram(readme: string): Promise<string> {
  const text = await readFile(join(project, 'node_modules', readme), 'utf8')
  return (/```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '').replaceAll('http://127.0.0.1:8080', service.address)
}

test('a packed package has its licence and exact versions, and contains no test files', async () => {
  for (const workspace of publishedWorkspaces) {
    const place = join(project, 'node_modules/@clearing', workspace)
    const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
    for (const version of Object.values(manifest.dependencies))
      assert.match(String(version), /^\d+\.\d+\.\d+$/)
    assert.match(await readFile(join(place, 'LICENSE'), 'utf8'), /Apache License/)
    for (const member of ['devDependencies', 'scripts']) assert.equal(member in manifest, false)
    const entry = workspace === 'cli' ? 'dist/main.js' : 'dist/index.js'
    const map = JSON.parse(await readFile(join(place, `${entry}.map`), 'utf8'))
    assert.ok(map.sourcesContent.every((source: unknown) => typeof source === 'string'))
    const { stdout } = await run(
      'find',
      [place, '-name', '*test*', '-o', '-name', '*.ts', '!', '-name', '*.d.ts'],
      {},
    )
    assert.equal(stdout, '')
  }
  const sdk = JSON.parse(await readFile(join(project, 'node_modules/@clearing/sdk/package.json'), 'utf8'))
  assert.deepEqual(Object.keys(sdk.dependencies), ['@clearing/protocol'])
  const protocol = JSON.parse(
    await readFile(join(project, 'node_modules/@clearing/protocol/package.json'), 'utf8'),
  )
  assert.deepEqual(Object.keys(protocol.dependencies), ['typebox'])
})

test('the packages are still copies after a later installation of another package', async () => {
  const other = join(folder, 'other')
  await mkdir(other)
  await writeFile(join(other, 'package.json'), '{ "name": "other", "version": "1.0.0" }\n')
  await npm(['install', ...quietly, other], project)
  for (const workspace of publishedWorkspaces) {
    const { stdout } = await run(
      'find',
      [join(project, 'node_modules/@clearing', workspace), '-type', 'l'],
      {},
    )
    assert.equal(stdout, '', `${workspace} is a link`)
  }
})

test('the example of the sdk opens an account, under this Node.js and under an older one', async (t) => {
  await writeFile(join(project, 'example.js'), await firstProgram('@clearing/sdk/README.md'))
  for (const node of [process.execPath, ...(await otherNodes())]) {
    const { stdout } = await run(node, ['example.js'], { cwd: project })
    assert.match(stdout, /^\w{8} CreationComplete$/m)
    t.diagnostic((await run(node, ['--version'], {})).stdout.trim())
  }
})

/**
 * Features in which runtimes differ: a body that is a stream, a file in the response, server-sent events, the text of
 * numbers, keys.
 */
function tour(address: string) {
  return `
import { createClient, makeWebhookSecret, signWebhook, verifyWebhook } from '@clearing/sdk'

const settings = { baseUrl: '${address}', clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }
const client = createClient(settings)
const accountNumber = (await client.sandbox.runScenario({ name: 'opens' })).data.accountNumber
const bytes = Uint8Array.from(atob('${Buffer.from(samplePdf()).toString('base64')}'), (letter) => letter.charCodeAt(0))
const content = new Blob([bytes]).stream()
const bill = { documentTypeName: 'Identity Documents', reference: 'UTIL', accountNumber }
const { documentId } = (await client.addDocument({ ...bill, file: { name: 'bill.pdf', content } })).data
const file = await client.getDocument({ accountNumber, documentId })
const read = new Uint8Array(await new Response(file.body).arrayBuffer())
console.log(file.fileName, read.length === bytes.length)
for await (const event of client.events({ accountNumber }, { from: 'start' })) {
  if (event.type === 'account.opened') await client.sandbox.emitEvent({ type: 'account.updated', accountNumber })
  if (event.type === 'account.updated') { console.log(event.type); break }
}
const exact = await createClient({ ...settings, decimals: 'string' }).positionSummary({ accountNumber })
console.log(typeof exact.data.totalCash)
const secret = makeWebhookSecret()
const body = JSON.stringify({ id: 'E1', type: 'account.opened' })
const verified = await verifyWebhook({ body, headers: await signWebhook('E1', body, secret) }, [secret])
console.log(verified.type)
`
}

type Runner = (file: string, env: NodeJS.ProcessEnv) => Promise<string>

/** The command of each runtime for a program of the project, and the expected output. */
const runtimes: Readonly<Record<string, Runner>> = {
  deno: runWith('deno', 'run', '--no-prompt', '--allow-net=127.0.0.1'),
  bun: runWith('bun', 'run'),
  workerd: runInWorkerd,
}

function runWith(program: string, ...words: string[]): Runner {
  return async (file, env) => (await run(program, [...words, file], { cwd: project, env })).stdout
}

/** A worker is one module, and may call nothing before it is called itself. */
async function runInWorkerd(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const lines = (await readFile(join(project, file), 'utf8')).split('\n')
  const [imports, body] = [true, false].map((isImport) =>
    lines.filter((line) => line.startsWith('import ') === isImport).join('\n'),
  )
  const input = join(project, `worker-${file}`)
  await writeFile(input, `${imports}\nexport default { async test() {\n${body}\n} }\n`)
  const build = await rolldown({ input, platform: 'browser' })
  await build.write({ file: join(project, 'worker.js'), format: 'esm' })
  await writeFile(join(project, 'worker.capnp'), workerSettings)
  return (await run('workerd', ['test', 'worker.capnp'], { cwd: project, env })).stdout
}

const workerSettings = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2026-01-01", globalOutbound = "out")),
  (name = "out", network = (allow = ["local", "private", "public"])),
]);
`

for (const [runtime, runProgram] of Object.entries(runtimes)) {
  test(`the example of the sdk opens an account under ${runtime}, and the features in which runtimes differ work`, async (t) => {
    const found = await version(runtime)
    if (found === undefined) return t.skip(`${runtime} is not on the path`)
    t.diagnostic(found)
    const env = { PATH: process.env.PATH, HOME: folder }
    await writeFile(join(project, 'example.ts'), await firstProgram('@clearing/sdk/README.md'))
    await writeFile(join(project, 'tour.js'), tour(service.address))
    assert.match(await runProgram('example.ts', env), /^\w{8} CreationComplete$/m)
    assert.deepEqual((await runProgram('tour.js', env)).trim().split('\n'), [
      'bill.pdf true',
      'account.updated',
      'string',
      'account.opened',
    ])
  })
}

test('the declarations are complete: the examples compile under strict settings', async () => {
  await writeFile(join(project, 'sdk.ts'), await firstProgram('@clearing/sdk/README.md'))
  await writeFile(join(project, 'protocol.ts'), await firstProgram('@clearing/protocol/README.md'))
  const samples = await writeSamples()
  const compilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: false,
  }
  const settings = { compilerOptions, files: ['sdk.ts', 'protocol.ts', ...samples] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings))
  assert.deepEqual(await compile(['-p', project]), { exitCode: 0, output: '' })
})

test('the declarations are complete without those of Node.js, as in a program for browsers', async () => {
  const file = 'browser.ts'
  await writeFile(join(project, file), await firstProgram('@clearing/sdk/README.md'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    types: [],
    skipLibCheck: false,
  }
  await writeFile(join(project, 'tsconfig.browser.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const compiled = await compile(['-p', join(project, 'tsconfig.browser.json')])
  assert.deepEqual(compiled, { exitCode: 0, output: '' })
})

/** The programs that the reference shows for each operation. Their credential is declared around them. */
async function writeSamples(): Promise<string[]> {
  const all = Object.entries(operations) as [string, OperationDefinition][]
  await mkdir(join(project, 'samples'))
  return Promise.all(
    all.map(async ([name, operation]) => {
      const samples = renderCodeSamples(name, operation, service.address)
      const source = samples.find(({ lang }) => lang === 'TypeScript')?.source ?? ''
      const file = join('samples', `${name}.ts`)
      const around = 'declare const clientId: string, clientSecret: string'
      await writeFile(join(project, file), `${around}\n${source}\nexport {}\n`)
      return file
    }),
  )
}

/** A program of a CommonJS project, with types where the compiler needs them. */
function commonProgram(load: string): string {
  return `${load}
const client = createClient({ baseUrl: '${service.address}', clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' })
async function main() {
  const { data } = await client.getDocumentTypes()
  try {
    await client.getAccount({ accountNumber: 'NOTTHERE' })
  } catch (error) {
    if (error instanceof RequestRejected) console.log(data.documentTypes.length > 0, error.status, error.has('ERR.2003'))
  }
}
main()
`
}

test('a CommonJS project compiles with the sdk and calls with it, under this Node.js and under an older one', async () => {
  const common = join(project, 'common')
  await mkdir(common)
  await writeFile(join(common, 'package.json'), '{ "private": true, "type": "commonjs" }\n')
  const names = '{ createClient, RequestRejected }'
  await writeFile(join(common, 'typed.ts'), commonProgram(`import ${names} from '@clearing/sdk'`))
  const compilerOptions = {
    strict: true,
    module: 'node20',
    target: 'es2022',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: false,
  }
  await writeFile(join(common, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
  assert.deepEqual(await compile(['-p', common]), { exitCode: 0, output: '' })
  assert.match(await readFile(join(common, 'typed.js'), 'utf8'), /require\("@clearing\/sdk"\)/)
  await writeFile(join(common, 'plain.js'), commonProgram(`const ${names} = require('@clearing/sdk')`))
  for (const node of [process.execPath, ...(await otherNodes())]) {
    for (const file of ['typed.js', 'plain.js'])
      assert.equal((await run(node, [file], { cwd: common })).stdout, 'true 404 true\n')
  }
})

test('a project of CommonJS whose tools do not read exports compiles with the sdk and calls with it', async () => {
  const older = join(folder, 'older')
  const modules = join(older, 'node_modules')
  await cp(join(project, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true })
  for (const workspace of ['protocol', 'sdk']) {
    const file = join(modules, '@clearing', workspace, 'package.json')
    const { exports: _, ...others } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(others))
  }
  await writeFile(join(older, 'package.json'), '{ "private": true }\n')
  await writeFile(
    join(older, 'typed.ts'),
    commonProgram("import { createClient, RequestRejected } from '@clearing/sdk'"),
  )
  const compilerOptions = {
    strict: true,
    module: 'commonjs',
    target: 'es2022',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
  }
  await writeFile(join(older, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
  assert.deepEqual(await compile(['-p', older]), { exitCode: 0, output: '' })
  assert.equal((await run(process.execPath, ['typed.js'], { cwd: older })).stdout, 'true 404 true\n')
})

const oneCallGzippedMax = 40_000

test('a bundle with one call is small', async (t) => {
  const input = join(project, 'one-call.js')
  await writeFile(
    input,
    `import { createClient } from '@clearing/sdk'
const client = createClient({ baseUrl: location.origin, accessToken: () => 'token' })
console.log(await client.getAccount({ accountNumber: '30100001' }))`,
  )
  const build = await rolldown({ input, platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  const sizeBytes = gzipSync(output[0].code).length
  t.diagnostic(`${sizeBytes} bytes gzipped`)
  assert.ok(sizeBytes <= oneCallGzippedMax, `${sizeBytes} bytes`)
})

test('the installed command line calls the service, under this Node.js and under an older one', async () => {
  for (const node of [process.execPath, ...(await otherNodes())]) await callFromCommandLine(node)
})

async function callFromCommandLine(node: string): Promise<void> {
  const env = {
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    HOME: folder,
    CLEARING_URL: service.address,
    CLEARING_CLIENT_ID: 'alpha',
    CLEARING_CLIENT_SECRET: 'alpha-sandbox-secret',
  }
  const clearing = join(project, 'node_modules/.bin/clearing')
  const words = [
    'account-number',
    '--entity-number',
    '301',
    '--rep-code',
    'JC01',
    '--registration-type',
    'Individual',
  ]
  const { stdout } = await run(clearing, [...words, '--json'], { cwd: project, env })
  assert.equal(JSON.parse(stdout).accountStatus, 'Reserved')
  assert.match((await run(clearing, ['--version'], { cwd: project, env })).stdout, /^\d+\.\d+\.\d+$/m)
  // A floating-point number cannot hold this amount.
  const { accountNumber } = (await service.alpha.sandbox.runScenario({ name: 'opens' })).data
  const deposit = { externalId: accountNumber, acctNo: accountNumber, transType: 'Deposit' }
  const amount = { netAmount: '90071992547409.93', tradeDate: '2026-01-05' }
  const ndjson = [{ ...deposit, ...amount }]
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
  const summary = await run(clearing, ['position-summary', accountNumber, '--json'], { cwd: project, env })
  assert.match(summary.stdout, /"totalCash":90071992547409\.93\b/)
  await verifyExport(clearing, env)
}

/** Verifies an export of the audit trail without the service. */
async function verifyExport(clearing: string, env: NodeJS.ProcessEnv): Promise<void> {
  const trail = join(project, 'trail.ndjson')
  const keys = join(project, 'keys.json')
  const secret = { CLEARING_CLIENT_ID: 'operations', CLEARING_CLIENT_SECRET: 'operations-sandbox-secret' }
  await rm(trail, { force: true })
  // The heads are signed by the time of the sandbox.
  await service.operations.sandbox.advanceClock({ days: 4 })
  await run(clearing, ['export-audit', '--output', trail], { cwd: project, env: { ...env, ...secret } })
  await writeFile(keys, await (await fetch(`${service.address}/audit/jwks`)).text())
  const heads = join(service.dataDir, 'documents/audit-heads')
  const words = ['verify', 'audit', '--export', trail, '--heads', heads, '--keys', keys]
  // Rows after the newest head are not covered; the exit code is 0 if the others are as they were signed.
  assert.match((await run(clearing, words, { cwd: project, env })).stdout, /The audit chain holds/)
}

test('the command of the source tree runs under any Node.js on the path', async () => {
  for (const node of [process.execPath, ...(await otherNodes())]) {
    const { stdout } = await run(node, [join(root, 'cli/bin/clearing.js'), '--version'], {})
    assert.match(stdout, /^\d+\.\d+\.\d+$/m)
    const wrong = await run(node, [join(root, 'cli/bin/clearing.js'), 'no-such-verb'], {}).catch(
      (error) => error,
    )
    assert.ok(wrong.code > 0 && !/\n +at /.test(wrong.stderr), wrong.stderr)
  }
})
