/** A client that openapi-typescript generates from the served contract compiles and opens an account. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { type RunningService, startRunningService } from './running-service.ts'

const root = resolve(import.meta.dirname, '../..')
/** The generator needs an older compiler than the project's. Both are installed beside the sdk. */
const fromSdk = createRequire(join(root, 'sdk/package.json'))
function packageFolder(name: string): string {
  return dirname(fromSdk.resolve(`${name}/package.json`))
}
const toolTimeoutMs = 60_000

/** The program that an engineer of a client firm would write on the generated types. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './contract.ts'

const [, , baseUrl, token] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
const opened = await client.POST('/account-api/v1/new-account', {
  body: {
    registrationType: 'Individual',
    entityNumber: '301',
    main: { repCode: 'JC01' },
    mailingAddress: { street: '8 Pier Road', city: 'Hoboken', stateProvince: 'NJ', country: 'US', postalCode: '07030' },
    primaryOwner: {
      firstName: 'Noor', lastName: 'Abadi', citizenshipCountry: 'US', birthDate: '1979-03-02', legalAddress: {},
      taxIdType: 'SSN', taxIdNumber: '219090001', phoneNumberCell: '2015550147',
    },
    electronicDelivery: { email: 'noor@example.com', statements: 'true' },
  },
})
if (opened.error) throw new Error(JSON.stringify(opened.error))
const data = opened.data.data
const accountNumber: string = 'message' in data ? data.message.accountNumber : data.accountNumber
const refused = await client.POST('/account-api/v1/get-account', { body: { accountNumber: 'short' } })
const listed = await client.POST('/account-api/v1/list-events', { body: { types: ['account.*'] } })
const subjects = listed.data?.data.events.map((event) => event.subject)
console.log(JSON.stringify({ accountNumber, subjects, traceId: opened.data.traceId, refused: refused.error?.errors.map((error) => error.code) }))
`

let service: RunningService
let folder: string
before(async () => {
  service = await startRunningService()
  folder = await mkdtemp(join(tmpdir(), 'contract-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'program.ts'), program)
})
after(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Runs a program of Node.js and returns its output. Fails with this output when the program fails. */
async function run(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, words, { cwd: folder, timeout: toolTimeoutMs })
  let printed = ''
  let said = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const status = await new Promise((done) => child.once('close', done))
  assert.equal(status, 0, printed + said)
  return printed
}

test('a client that openapi-typescript generates compiles, opens an account and handles a refusal', async () => {
  const { text } = await service.send('/openapi.json', { method: 'GET' })
  await writeFile(join(folder, 'openapi.json'), text)
  // Without the setting, members with a default are required, such as `size` of lists.
  const generation = ['openapi.json', '-o', 'contract.ts', '--default-non-nullable=false']
  await run(join(packageFolder('openapi-typescript'), 'bin/cli.js'), ...generation)
  await run(
    join(packageFolder('typescript'), 'bin/tsc'),
    ...'--noEmit --strict --skipLibCheck --target es2022 --module nodenext --allowImportingTsExtensions'.split(
      ' ',
    ),
    ...['--types', 'node', 'program.ts'],
  )
  const printed = await run('program.ts', service.address, await service.token('alpha'))
  const { accountNumber, subjects, traceId, refused } = JSON.parse(printed)
  assert.match(accountNumber, /^[0-9]{8}$/)
  assert.match(traceId, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  assert.deepEqual(refused, ['ERR.1016'])
  assert.ok(Array.isArray(subjects))
  const { data } = await service.alpha.onboardingResult({ accountNumber })
  assert.equal(data.accountNumber, accountNumber)
})
