/**
 * A command that cannot do its work says so in one sentence, which names the setting or the option at fault. It ends
 * with exit code 1, and shows neither a stack nor a secret.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { bundleProgram } from '../bundle-program.ts'

const firmId = '0198b4e2-0000-7000-8000-000000000000'
const login = 'postgresql://clearing:hunter2@'

let folder: string
let bundle: string
const databases: TestDatabase[] = []
const servers: Server[] = []
/** Addresses at which no command can work, by what is wrong with them. */
let bad: Record<string, string>
let right: Record<string, string>
let cells: readonly [string, string]

before(async () => {
  folder = await makeTestFolder('failing-commands-')
  bundle = await bundleProgram('server/src/main.ts')
  await writeFile(join(folder, 'key'), randomBytes(32).toString('base64'), { mode: 0o400 })
  const current = await makeDatabase()
  const newer = await makeDatabase()
  await newer.owner.pg.query("insert into clearing.migration (name, sha256) values ('999-later', 'x')")
  const older = await makeDatabase()
  await older.owner.pg.query("delete from clearing.migration where name > '300'")
  const standby = await makeDatabase()
  const session = await standby.superuser()
  await session.query(`alter database ${standby.name} set default_transaction_read_only = on`)
  const [empty, directory] = [await makeDatabase(true), await makeDatabase(true)]
  bad = {
    'unknown host': `${login}no-such-host.invalid/clearing`,
    'closed port': `${login}127.0.0.1:1/clearing`,
    'no answer': `${login}127.0.0.1:${await listen(() => {})}/clearing`,
    'wrong password': `${login}127.0.0.1:${await listen(refusePassword)}/clearing`,
    'wrong database': current.urls.owner.replace(current.name, 'no_such_database'),
    standby: standby.urls.owner,
    newer: newer.urls.owner,
    older: older.urls.owner,
    empty: empty.urls.owner,
  }
  right = {
    CLEARING_MODE: 'production',
    ISSUER: 'https://clearing.example.com',
    DATABASE_URL: current.urls.owner,
    MASTER_KEY_FILE: join(folder, 'key'),
    DATA_DIR: join(folder, 'data'),
    DIRECTORY_URL: directory.urls.owner,
    CELL: 'cell-0',
    ACCOUNT_NUMBERS: '10-54',
  }
  cells = [await writeCell({}), await writeCell({ CELL: 'cell-1', ACCOUNT_NUMBERS: '55-99' })]
})
after(async () => {
  for (const server of servers) server.close()
  for (const database of databases) await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function makeDatabase(empty = false): Promise<TestDatabase> {
  const made = await createTestDatabase(empty ? { migrations: [] } : {})
  databases.push(made)
  return made
}

async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function refusePassword(socket: Socket): void {
  const fields = Buffer.from('SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0')
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeInt32BE(4 + fields.length, 1)
  socket.end(Buffer.concat([head, fields]))
}

let written = 0
async function writeCell(environment: Record<string, string>): Promise<string> {
  const path = join(folder, `${++written}.env`)
  const lines = Object.entries({ ...right, ...environment }).map((pair) => `${pair.join('=')}\n`)
  await writeFile(path, lines.join(''))
  return path
}

type Case = readonly [environment: Record<string, string>, words: readonly string[], output: string | RegExp]

async function run(environment: Record<string, string>, words: readonly string[]) {
  const child = spawn(process.execPath, [bundle, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = await once(child, 'close')
  return { exitCode, output: (await output).join('').trim() }
}

/** Runs three commands at a time. */
async function checkAll(cases: readonly Case[]): Promise<void> {
  const waiting = [...cases]
  const checkNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [environment, words, expected] = next
      const { exitCode, output } = await run(environment, words)
      const what = `${words.join(' ')}: ${output}`
      assert.equal(exitCode, 1, what)
      if (typeof expected === 'string') assert.equal(output, expected, what)
      else assert.match(output, expected, what)
      assert.doesNotMatch(output, /\n\s+at |hunter2/)
    }
  }
  await Promise.all([checkNext(), checkNext(), checkNext()])
}

const noConnection = 'no database connection'
/** What is said of each bad address, after the setting. */
const said: Record<string, string> = {
  'unknown host': `${noConnection}: the host name no-such-host.invalid does not resolve`,
  'closed port': `${noConnection}: connect ECONNREFUSED 127.0.0.1:1`,
  'no answer': `${noConnection} within 3000 ms: none was made`,
  'wrong password': `${noConnection}: password authentication failed`,
  'wrong database': `${noConnection}: database "no_such_database" does not exist`,
  standby: 'the server that answers is not the primary',
}

/** Also matches the codes of the name resolution at the end. */
function startsWith(words: string): RegExp {
  return new RegExp(`^${words.replaceAll(/[.()]/g, '\\$&')}(?: \\(\\w+\\))?$`)
}

test('a command names the address of the database that does not work', async () => {
  const cases: Case[] = []
  const add = (setting: string, what: string, words: readonly string[]) =>
    cases.push([{ ...right, [setting]: bad[what] ?? '' }, words, startsWith(`${setting}: ${said[what]}`)])
  for (const what of Object.keys(said)) {
    add('DATABASE_URL', what, ['create-operations-credential'])
    add('DIRECTORY_URL', what, ['router-map'])
  }
  for (const setting of ['DATABASE_OWNER_URL', 'DATABASE_FIRMS_URL'])
    add(setting, 'no answer', ['create-operations-credential'])
  for (const words of [
    ['create-admin', 'ada@example.com'],
    ['rewrap-keys'],
    ['replace-data-key', firmId],
    ['remove-signing-key', 'kid'],
  ])
    cases.push([
      { ...right, DATABASE_URL: bad.newer ?? '' },
      words,
      'DATABASE_URL: the database is newer than this code: it has migration 999-later',
    ])
  await checkAll(cases)
})

test('a command names the key file that is missing or cannot be used', async () => {
  const key = join(folder, 'open-key')
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o444 })
  const { MASTER_KEY_FILE: _, CLEARING_MODE: __, ...without } = right
  await checkAll([
    [without, ['rewrap-keys'], /^MASTER_KEY_FILE must name the file of the master key/],
    [
      { ...right, MASTER_KEY_FILE: key },
      ['rewrap-keys'],
      /^MASTER_KEY_FILE: the master key file .* has mode 444/,
    ],
    [
      { ...right, MASTER_KEY_FILE: folder },
      ['rewrap-keys'],
      /- MASTER_KEY_FILE: the file .* cannot be read \(EISDIR\)$/,
    ],
    [{}, ['rewrap-keys'], /^The sandbox has its credentials.*\(DATABASE_URL\)\.$/],
  ])
})

test('the map of the router is not printed without a directory of cells', async () => {
  const { CELL: _, DIRECTORY_URL: __, ACCOUNT_NUMBERS: ___, ...without } = right
  await checkAll([
    [without, ['router-map'], /set CELL, ACCOUNT_NUMBERS and DIRECTORY_URL\.$/],
    [
      { ...without, CELL: 'cell-0' },
      ['router-map'],
      /- CELL, ACCOUNT_NUMBERS and DIRECTORY_URL must be given together$/,
    ],
    [right, ['router-map'], 'DIRECTORY_URL: no cell has entered this directory.'],
    [
      { ...right, DIRECTORY_URL: bad.newer ?? '' },
      ['router-map'],
      'DIRECTORY_URL: no cell has entered this directory.',
    ],
  ])
})

test('a move names the option, the cell and the setting at fault, before it changes anything', async () => {
  const [from, to] = cells
  const move = (one: string, other: string, ...words: string[]): string[] => {
    return ['move-firm', firmId, '--from', one, '--to', other, ...words]
  }
  const toCell = (environment: Record<string, string>) =>
    writeCell({ CELL: 'cell-1', ACCOUNT_NUMBERS: '55-99', ...environment })
  const cases: Case[] = [
    [{}, move('/no/such/file', to), '--from: there is no file /no/such/file.'],
    [{}, move(from, '/no/such/file'), '--to: there is no file /no/such/file.'],
    [{}, move(folder, to), `--from: the file ${folder} cannot be read (EISDIR).`],
    [{}, move(from, '/dev/null'), '/dev/null must have CELL, DIRECTORY_URL and DATABASE_URL.'],
    [{}, move(from, from), /^The two files must have different names in CELL/],
    [{}, move(from, to, '--remove', '--call-off'), '--remove and --call-off exclude each other.'],
    [
      {},
      move(from, await toCell({ DOCUMENTS_DIR: join(folder, 'key') })),
      /^cell-1, DOCUMENTS_DIR must be a folder/,
    ],
    [
      {},
      move(from, await toCell({ DATABASE_OWNER_URL: bad.empty ?? '' })),
      'cell-1, DATABASE_URL is not the database of DATABASE_OWNER_URL',
    ],
    [
      {},
      move(from, await toCell({ DATABASE_URL: bad.newer ?? '' })),
      'cell-1, DATABASE_URL: the database is newer than this code: it has migration 999-later',
    ],
    [
      {},
      move(from, await toCell({ DATABASE_URL: bad.older ?? '' }), '--remove'),
      /^cell-1, DATABASE_URL: the database lacks migration 300-\S+: start this release of the service in the cell/,
    ],
    [
      {},
      move(from, await toCell({ DATABASE_URL: bad.older ?? '' }), '--call-off'),
      'The firm is not being moved.',
    ],
    [
      {},
      move(from, await toCell({ DATABASE_URL: bad.empty ?? '' }), '--call-off'),
      /^cell-1, DATABASE_URL: the database lacks migration 001-/,
    ],
  ]
  for (const what of ['unknown host', 'no answer', 'standby']) {
    const [url, sentence] = [bad[what] ?? '', said[what] ?? '']
    cases.push(
      [{}, move(from, await toCell({ DATABASE_URL: url })), startsWith(`cell-1, DATABASE_URL: ${sentence}`)],
      [
        {},
        move(await writeCell({ DIRECTORY_URL: url }), await toCell({ DIRECTORY_URL: url })),
        startsWith(`DIRECTORY_URL: ${sentence}`),
      ],
    )
  }
  await checkAll(cases)
})

test('doctor does not take a directory that is away for a fault of the database', async () => {
  const { exitCode, output } = await run({ ...right, DIRECTORY_URL: bad['wrong password'] ?? '' }, ['doctor'])
  assert.equal(exitCode, 0, output)
  assert.match(
    output,
    /^advice {2}no firm can be made without the directory\. DIRECTORY_URL: no database connection: password/m,
  )
  assert.doesNotMatch(output, /DATABASE_URL, as|hunter2/)
})

test('doctor and a start name each setting without an effect, once, also with several processes', async () => {
  const settings = {
    ...right,
    DATABASE_URL: bad['wrong database'] ?? '',
    PORT: '0',
    SANDBOXES_MAX: '3',
    S3_BUCKET: 'documents',
    DOCUMENTS_DIR: join(folder, 'documents'),
  }
  const why = {
    SANDBOXES_MAX: 'CLEARING_MODE is production',
    DOCUMENTS_DIR: 'documents are kept in the bucket of S3_BUCKET',
  }
  const doctor = await run({ ...settings, S3_ENDPOINT: 'http://127.0.0.1:1' }, ['doctor'])
  for (const [setting, reason] of Object.entries(why))
    assert.match(doctor.output, new RegExp(`^advice {2}${setting} has no effect: ${reason}$`, 'm'))
  for (const PROCESSES of ['1', '2']) {
    const { output } = await run({ ...settings, PROCESSES }, [])
    const lines = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const warned = lines.filter(({ msg }) => msg === 'a setting has no effect')
    assert.deepEqual(Object.fromEntries(warned.map(({ setting, why }) => [setting, why])), why)
    assert.equal(warned.length, 2)
    for (const { level } of warned) assert.equal(level, 'warn')
  }
})
