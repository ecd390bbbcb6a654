/**
 * Clients that other generators make from the served contract. Each compiles under strict settings without a change,
 * opens an account, reads a list and handles a refusal. openapi-typescript is tested every day, in
 * `openapi-client.test.ts`.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { rolldown } from 'rolldown'
import { fetchFromNpm, runTool } from './fetched-tools.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const root = resolve(import.meta.dirname, '../..')
const application = `{
  registrationType: 'Individual',
  entityNumber: '301',
  main: { repCode: 'JC01' },
  mailingAddress: { street: '8 Pier Road', city: 'Hoboken', stateProvince: 'NJ', country: 'US', postalCode: '07030' },
  primaryOwner: {
    firstName: 'Noor', lastName: 'Abadi', citizenshipCountry: 'US', birthDate: '1979-03-02', legalAddress: {},
    taxIdType: 'SSN', taxIdNumber: '219090001', phoneNumberCell: '2015550147',
  },
  electronicDelivery: { email: 'noor@example.com', statements: 'true' },
}`

interface Generator {
  readonly name: string
  readonly packages: readonly string[]
  readonly command: readonly string[]
  /** Files that the generator reads. */
  readonly files?: Readonly<Record<string, string>>
  /** The program that an engineer writes on the generated client. */
  readonly program: string
}

const generators: readonly Generator[] = [
  {
    name: 'hey-api',
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'generated', '-c', '@hey-api/client-fetch'],
    program: `
import { client } from './generated/client.gen'
import { getAccount, listAccounts, newAccount } from './generated'

const [, , baseUrl = '', token = ''] = process.argv
client.setConfig({ baseUrl, auth: token })
const opened = await newAccount({ body: ${application} })
if (opened.error !== undefined) throw new Error(JSON.stringify(opened.error))
const { data, traceId } = opened.data
const accountNumber = 'message' in data ? data.message.accountNumber : data.accountNumber
const refused = await getAccount({ body: { accountNumber: 'short' } })
const listed = await listAccounts({ body: {} })
console.log(JSON.stringify({
  accountNumber,
  traceId,
  refused: refused.error?.errors.map((error) => error.code),
  listed: listed.data?.data.accounts.map((account) => account.accountNumber),
}))
`,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0', 'typescript@5.9.3'],
    command: ['orval', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `export default {
  clearing: {
    input: './openapi.json',
    output: { target: './generated/client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
}
`,
    },
    program: `
import { getAccount, listAccounts, newAccount } from './generated/client'

const [, , , token = ''] = process.argv
const settings = { headers: { authorization: \`Bearer \${token}\` } }
const opened = await newAccount(${application}, settings)
if (opened.status !== 200) throw new Error(JSON.stringify(opened.data))
const { data, traceId } = opened.data
const accountNumber = 'message' in data ? data.message.accountNumber : data.accountNumber
const refused = await getAccount({ accountNumber: 'short' }, settings)
const listed = await listAccounts({}, settings)
console.log(JSON.stringify({
  accountNumber,
  traceId,
  refused: refused.status === 400 ? refused.data.errors.map((error) => error.code) : [],
  listed: listed.status === 200 ? listed.data.data.accounts.map((account) => account.accountNumber) : [],
}))
`,
  },
]

let service: RunningService
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-'))
  service = await startRunningService()
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  outDir: 'built',
  skipLibCheck: true,
}

for (const { name, packages, command, files = {}, program } of generators) {
  test(`a client that ${name} generates compiles, opens an account, lists it and handles a refusal`, async (t) => {
    const project = join(folder, name)
    if (!(await fetchFromNpm(project, '--ignore-scripts', ...packages)))
      return t.skip(`${name} cannot be installed here`)
    const { text } = await service.send('/openapi.json', { method: 'GET' })
    const document = { ...JSON.parse(text), servers: [{ url: service.address }] }
    const settings = JSON.stringify({ compilerOptions, files: ['program.ts'] })
    for (const [file, content] of Object.entries({
      ...files,
      'openapi.json': JSON.stringify(document),
      'program.ts': program,
      'tsconfig.json': settings,
    }))
      await writeFile(join(project, file), content)
    const bin = join(project, 'node_modules/.bin')
    const [tool = '', ...words] = command
    await runTool(join(bin, tool), words, project)
    await runTool(join(bin, 'tsc'), ['-p', '.'], project)
    const bundled = join(project, 'program.mjs')
    const build = await rolldown({ input: join(project, 'built/program.js'), platform: 'node' })
    await build.write({ file: bundled, format: 'esm' })
    const token = await service.token('alpha')
    const { accountNumber, traceId, refused, listed } = JSON.parse(
      await runTool(process.execPath, [bundled, service.address, token], project),
    )
    assert.match(accountNumber, /^[0-9]{8}$/)
    assert.match(traceId, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    assert.deepEqual(refused, ['ERR.1016'])
    assert.ok(listed.includes(accountNumber))
  })
}
