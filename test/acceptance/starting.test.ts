/** A start creates what it needs, and reports what is missing. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { on, once } from 'node:events'
import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commands } from '../../server/src/commands/commands.ts'
import { createTestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { bundleProgram } from '../bundle-program.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { startRunningService } from './running-service.ts'

/** The program as `npm start` runs it. The other processes run a bundle. */
const source = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

let bundle: string
let folder: string
before(async () => {
  bundle = await bundleProgram('server/src/main.ts')
  folder = await makeTestFolder('starting-')
})
after(() => rm(folder, { recursive: true, force: true }))

test('a missing data folder is created, though database, key and documents are elsewhere', async () => {
  const key = join(folder, 'key')
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const service = await startRunningService({
    environment: {
      DATA_DIR: join(folder, 'not', 'there', 'yet'),
      MASTER_KEY_FILE: key,
      DOCUMENTS_DIR: join(folder, 'documents'),
    },
  })
  try {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      accountNumber,
      file: { name: 'bill.pdf', content: samplePdf() },
    })
    assert.equal((await fetch(`${service.address}/health/ready`)).status, 200)
  } finally {
    await service.stop()
  }
})

/** Runs the service until it ends. */
async function run(environment: Record<string, string>, words: readonly string[] = []) {
  const child = spawn(process.execPath, [bundle, ...words], {
    env: { ...process.env, DATA_DIR: join(folder, 'none'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece
    })
  const [exitCode] = await once(child, 'close')
  return { exitCode, output }
}

function countOf(text: string, words: string): number {
  return text.split(words).length - 1
}

test('a port in use is reported once, without a stack, before anything is created', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    for (const setting of ['PORT', 'METRICS_PORT']) {
      const { exitCode, output } = await run({ PORT: '0', [setting]: `${port}` })
      assert.equal(exitCode, 1)
      const words = `Port ${port} on 127.0.0.1 is in use: end the program that uses it, or set ${setting} to another.`
      assert.equal(countOf(output, words), 1, output)
      assert.doesNotMatch(output, /\bat .*:\d+:\d+/)
      await assert.rejects(stat(join(folder, 'none')), { code: 'ENOENT' })
    }
  } finally {
    other.close()
  }
})

test('a folder that is a file is reported with its setting, without a stack', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await using database = await createTestDatabase()
  const key = join(folder, 'own-key')
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o400 })
  const withDatabase = { DATABASE_URL: database.urls.owner, MASTER_KEY_FILE: key }
  const cases = [
    { DATA_DIR: file },
    { ...withDatabase, DATA_DIR: file },
    { ...withDatabase, DATA_DIR: '/dev/null' },
    { ...withDatabase, DOCUMENTS_DIR: file },
  ]
  for (const environment of cases) {
    const { exitCode, output } = await run({ PORT: '0', ...environment })
    assert.equal(exitCode, 1)
    const setting = 'DOCUMENTS_DIR' in environment ? 'DOCUMENTS_DIR' : 'DATA_DIR'
    assert.equal(countOf(output, `${setting} must be a folder in which the service can write: E`), 1, output)
    assert.doesNotMatch(output, /\bat .*:\d+:\d+/)
  }
})

test('a missing database is reported with its setting, once, at once, by a start and by a command', async () => {
  await using database = await createTestDatabase()
  const key = join(folder, 'key-of-two')
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o400 })
  const url = database.urls.owner
  const missing = url.replace(database.name, 'no_such_database')
  const one = { PORT: '0', DATABASE_URL: missing }
  const two = { ...one, PROCESSES: '2', MASTER_KEY_FILE: key }
  const owner = { PORT: '0', DATABASE_URL: url, DATABASE_OWNER_URL: missing }
  const service = { PORT: '0', DATABASE_URL: missing, DATABASE_OWNER_URL: url }
  const silent = { LOG_LEVEL: 'silent' }
  const cases: [setting: string, environment: Record<string, string>, words: string[]][] = [
    ['DATABASE_URL', one, []],
    ['DATABASE_URL', one, ['create-operations-credential']],
    ['DATABASE_URL', two, []],
    ['DATABASE_OWNER_URL', owner, []],
    ['DATABASE_OWNER_URL', owner, ['create-operations-credential']],
    ['DATABASE_URL', service, []],
    ['DATABASE_URL', { ...one, ...silent }, []],
    ['DATABASE_URL', { ...two, ...silent }, []],
  ]
  for (const [setting, environment, words] of cases) {
    const { exitCode, output } = await run(environment, words)
    assert.equal(exitCode, 1)
    assert.equal(
      countOf(
        output.replaceAll('\\', ''),
        `${setting}: no database connection: database "no_such_database" does not exist`,
      ),
      1,
      output,
    )
    assert.doesNotMatch(output, /tried again|another is started|\bat .*:\d+:\d+/)
  }
})

test('a process with another document store than that of its database does not start, and doctor names it', async () => {
  await using database = await createTestDatabase()
  const key = join(folder, 'key-of-stores')
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o400 })
  const id = '0198b4e2-0000-7000-8000-000000000000'
  const note = 'insert into clearing.document_store (store_id) values ($1)'
  await database.operations.pg.query(note, [id])
  const settings = {
    CLEARING_MODE: 'production',
    ISSUER: 'https://clearing.example.com',
    DATABASE_URL: database.urls.owner,
    MASTER_KEY_FILE: key,
    DATA_DIR: join(folder, 'of-another-process'),
    PORT: '0',
    PROCESSES: '1',
  }
  for (const words of [['doctor'], []]) {
    const { exitCode, output } = await run(settings, words)
    assert.equal(exitCode, 1, output)
    const reason = `the folder of DATA_DIR is not the document store of this database, which has the object store-id/${id}:`
    assert.equal(countOf(output, reason), 1, output)
  }
})

test('--help lists every command, and starts nothing', async () => {
  const { exitCode, output } = await run({ DATA_DIR: join(folder, 'unused') }, ['--help'])
  assert.equal(exitCode, 0)
  for (const { name, takes } of commands)
    assert.ok(output.includes(`\n  ${`${name} ${takes}`.trim()}  `), name)
  await assert.rejects(stat(join(folder, 'unused')), { code: 'ENOENT' })
})

test('--help after a command prints its usage, and does nothing', async () => {
  const runs = await Promise.all(commands.map(({ name }) => run({}, [name, '--help'])))
  for (const [at, { name, takes, does }] of commands.entries()) {
    const { exitCode, output } = runs[at] as (typeof runs)[number]
    assert.equal(exitCode, 0, output)
    assert.equal(output.trim(), `Usage: ${`${name} ${takes}`.trim()}\n\n${does}`)
  }
})

test('a command with wrong words or options is refused, and does nothing', async () => {
  const cases: [words: string[], reason: string][] = [
    [['create-operations-credential', '--forced'], "Unknown option '--forced'"],
    [['create-operations-credential', 'yes'], 'yes is too much'],
    [['replace-data-key'], 'a word is missing'],
    [['remove-signing-key', 'one', 'two'], 'two is too much'],
    [['move-firm', '--from', 'a', '--to', 'b'], 'a word is missing'],
    [['doctor', 'all'], 'all is too much'],
  ]
  const runs = await Promise.all(cases.map(([words]) => run({}, words)))
  for (const [at, [words, reason]] of cases.entries()) {
    const { exitCode, output } = runs[at] as (typeof runs)[number]
    assert.equal(exitCode, 1)
    const { name, takes } = commands.find((command) => command.name === words[0]) as (typeof commands)[number]
    assert.equal(output.trim(), `${name}: ${reason}. Usage: ${`${name} ${takes}`.trim()}`)
  }
})

test('move-firm with a name instead of an id is refused without a stack', async () => {
  const { exitCode, output } = await run({}, ['move-firm', 'nonsense', '--from', 'a', '--to', 'b'])
  assert.equal(exitCode, 1)
  assert.equal(output.trim(), 'There is no firm "nonsense"; list-firms lists their ids.')
})

test('move-firm names the file of settings that are wrong', async () => {
  const [right, wrong] = [join(folder, 'right-cell'), join(folder, 'wrong-cell')]
  await writeFile(
    right,
    'CELL=one\nACCOUNT_NUMBERS=10-54\nDIRECTORY_URL=postgresql://127.0.0.1:1/none\nDATABASE_URL=postgresql://127.0.0.1:1/none\n',
  )
  await writeFile(wrong, 'DATABASE_URL=none\n')
  const id = '0198b4e2-0000-7000-8000-000000000000'
  const { exitCode, output } = await run({}, ['move-firm', id, '--from', right, '--to', wrong])
  assert.equal(exitCode, 1)
  assert.match(output, new RegExp(`^${wrong}: The configuration has 1 mistake`))
})

test('doctor reports every error, and a start refuses the same settings', async () => {
  const settings = {
    CLEARING_MODE: 'production',
    ISSUER: 'http://clearing.example.com',
    DATABASE_URL_FILE: join(folder, 'no-such-file'),
    MASTER_KEY_FILE: join(folder, 'no-such-key'),
    TRUSTED_PROXIES: 'blah',
    METRIC_PORT: '9464',
  }
  const [doctor, start] = await Promise.all([run(settings, ['doctor']), run(settings)])
  assert.deepEqual([doctor.exitCode, start.exitCode], [1, 1])
  for (const { output } of [doctor, start])
    for (const words of ['ISSUER', 'DATABASE_URL_FILE', 'MASTER_KEY_FILE', 'TRUSTED_PROXIES', 'METRIC_PORT'])
      assert.match(output, new RegExp(`^( {2}- |wrong {3})${words}\\b`, 'm'))
})

test('doctor examines keys, folders and the database, and changes nothing', async () => {
  await using database = await createTestDatabase()
  const key = join(folder, 'doctor-key')
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const settings = {
    CLEARING_MODE: 'production',
    ISSUER: 'https://clearing.example.com',
    DATABASE_URL: database.urls.owner,
    MASTER_KEY_FILE: key,
    DATA_DIR: join(folder, 'examined'),
  }
  const healthy = await run(settings, ['doctor'])
  assert.equal(healthy.exitCode, 0, healthy.output)
  assert.match(healthy.output, /right +the database takes writes and keeps them; its schema is current/)
  assert.match(
    healthy.output,
    /right +\d+ process(es)? opens? at most \d+ connections of the \d+ that the database allows/,
  )
  assert.match(healthy.output, /advice +TRUSTED_PROXIES names no proxy/)
  await assert.rejects(stat(settings.DATA_DIR), { code: 'ENOENT' })

  const other = join(folder, 'other-key')
  await writeFile(other, `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 })
  const made = await run(settings, ['create-operations-credential'])
  assert.equal(made.exitCode, 0, made.output)
  assert.match(
    (await run(settings, ['doctor'])).output,
    /right +MASTER_KEY_FILE has the master key of every key/,
  )
  const swapped = await run({ ...settings, MASTER_KEY_FILE: other }, ['doctor'])
  assert.equal(swapped.exitCode, 1)
  assert.match(
    swapped.output,
    /wrong +MASTER_KEY_FILE lacks the master key mk-[0-9a-f]+, under which .* has \d+ keys/,
  )

  await database.owner.pg.query("insert into clearing.migration (name, sha256) values ('999-later', 'x')")
  await chmod(key, 0o444)
  assert.match(healthy.output, /right +the heap of a process grows to \d+ MB at most/)

  const lean = {
    CLAMD: '127.0.0.1:1',
    NODE_OPTIONS: '--max-old-space-size=128',
    HOST: 'no-such-host.invalid',
    FREE_SPACE_MIN_MB: '1000000',
    DOCUMENTS_DIR: join(key, 'documents'),
  }
  const ill = await run({ ...settings, ...lean }, ['doctor'])
  assert.equal(ill.exitCode, 1)
  assert.match(ill.output, /wrong .*the database is newer than this code/)
  assert.match(ill.output, /wrong .*has mode 444: others may read or change it/)
  assert.match(ill.output, /wrong .*the virus scanner answers.*: connect E[A-Z]+/)
  assert.match(ill.output, /wrong .*HOST is an address of this machine/)
  assert.match(ill.output, /wrong .*the disk of the data folder has FREE_SPACE_MIN_MB \(1000000\) free/)
  assert.match(ill.output, /wrong .*the document store takes documents.*doctor-key is not a folder/)
  assert.match(ill.output, /advice +the heap .*: a large load may end it/)
})

test('a process on a full disk names the disk as the reason for which it is not ready', async () => {
  const service = await startRunningService({ environment: { FREE_SPACE_MIN_MB: '1000000' } })
  try {
    // A document store on a full disk takes no documents either.
    await rm(join(service.dataDir, 'documents'), { recursive: true })
    const ready = await fetch(`${service.address}/health/ready`)
    assert.equal(ready.status, 503)
    assert.deepEqual(await ready.json(), {
      status: 'not ready',
      reason: 'less than 1000000 MB are free on the disk of the data folder',
    })
  } finally {
    await service.stop()
  }
})

test('after SIGTERM a process is not ready and serves for DRAIN_SECONDS; a second signal ends the wait', async () => {
  await using database = await createTestDatabase()
  const child = spawn(process.execPath, [source, '--empty'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'drained'),
      DATABASE_URL: database.urls.owner,
      DRAIN_SECONDS: '300',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const says = async (words: RegExp) => {
    for await (const [piece] of on(child.stdout, 'data')) {
      output += piece
      const found = words.exec(output)
      if (found) return found
    }
    return undefined
  }
  const ended = once(child, 'exit')
  try {
    const address = (await says(/"address":"(http[^"]+)".*"msg":"ready"/))?.[1]
    assert.equal((await fetch(`${address}/health/ready`)).status, 200)
    child.kill('SIGTERM')
    await says(/draining/)
    const ready = await fetch(`${address}/health/ready`)
    assert.equal(ready.status, 503)
    assert.deepEqual(await ready.json(), { status: 'not ready', reason: 'the process is ending' })
    assert.equal((await fetch(`${address}/health/live`)).status, 200)
    assert.equal((await fetch(`${address}/openapi.json`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
