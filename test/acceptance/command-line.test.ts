/** The command line with a running service: profiles, operations as verbs, exit codes, JSON, and written files. */
import assert from 'node:assert/strict'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freePort } from '../router-of-cells.ts'
import { applicationFor } from './applications.ts'
import { until } from './calling.ts'
import { clearing, rowsOf, service, startBeforeTests, write } from './command-line-with-profiles.ts'

startBeforeTests()

/** A number that Alpha opened an account under. */
let accountNumber: string

function profilesPath() {
  return join(clearing.folder, 'config/clearing/profiles.json')
}

describe('profiles', () => {
  test('are stored where only their owner can read them, and listed without secrets', async () => {
    assert.equal((await stat(profilesPath())).mode & 0o777, 0o600)
    const people = await clearing.run(['profile', 'list'])
    const machines = await clearing.run(['profile', 'list', '--json'])
    assert.deepEqual(rowsOf(machines.stdout), [
      { name: 'alpha', inUse: true, url: service.address, clientId: 'alpha' },
      { name: 'operations', inUse: false, url: service.address, clientId: 'operations' },
    ])
    for (const { stdout, stderr } of [people, machines])
      assert.doesNotMatch(stdout + stderr, /sandbox-secret/)
  })

  test('are added only with a valid secret', async () => {
    const add = ['profile', 'add', 'beta', '--url', service.address]
    const environment = { CLEARING_CLIENT_ID: 'alpha', CLEARING_CLIENT_SECRET: 'alpha-sandbox-secret' }
    const { exitCode, stderr } = await clearing.run(add, { input: 'wrong\n', environment })
    assert.equal(exitCode, 1)
    assert.match(stderr, /invalid_client/)
    assert.match(stderr, /\nCheck the client id, beta, and the secret that you entered\.\n$/)
    assert.doesNotMatch(await readFile(profilesPath(), 'utf8'), /beta/)
  })

  test('that others can read are refused', async () => {
    const folder = join(clearing.folder, 'open')
    await mkdir(join(folder, 'clearing'), { recursive: true })
    await writeFile(join(folder, 'clearing/profiles.json'), '{"profiles":{}}', { mode: 0o644 })
    const { exitCode, stderr } = await clearing.run(['list-webhooks'], {
      environment: { XDG_CONFIG_HOME: folder },
    })
    assert.equal(exitCode, 2)
    assert.match(stderr, /chmod 600/)
  })

  test('are switched, removed, and unnecessary when the environment gives all settings', async () => {
    const environment = {
      XDG_CONFIG_HOME: join(clearing.folder, 'none'),
      CLEARING_URL: service.address,
      CLEARING_CLIENT_ID: 'beta',
      CLEARING_CLIENT_SECRET: 'beta-sandbox-secret',
    }
    assert.equal((await clearing.run(['list-webhooks'], { environment })).exitCode, 0)
    const { CLEARING_URL, ...rest } = environment
    const missing = await clearing.run(['list-webhooks'], { environment: rest })
    assert.equal(missing.exitCode, 2)
    assert.match(missing.stderr, /clearing profile add/)
    const spare = ['profile', 'add', 'spare', '--url', service.address, '--client-id', 'beta']
    await clearing.run([...spare, '--use'], { input: 'beta-sandbox-secret' })
    assert.match((await clearing.run(['profile', 'use', 'alpha'])).stderr, /alpha is in use/)
    assert.equal((await clearing.run(['profile', 'remove', 'spare'])).exitCode, 0)
    assert.equal((await clearing.run(['profile', 'use', 'spare'])).exitCode, 2)
  })
})

describe('operations', () => {
  test('new-account opens the application of a file, and flags may come before the file', async () => {
    const application = applicationFor('Individual')
    await write('application.json', JSON.stringify(application))
    const { exitCode, stdout, stderr } = await clearing.run([
      'new-account',
      '--file',
      'application.json',
      '--primary-owner.last-name',
      'Lighthouse',
      '--json',
    ])
    assert.equal(exitCode, 0, stderr)
    const data = JSON.parse(stdout)
    assert.equal(data.message.primaryOwner.lastName, 'LIGHTHOUSE')
    accountNumber = data.message.accountNumber
  })

  test('onboarding watch follows it until it is open', async () => {
    const { exitCode, stdout, stderr } = await clearing.run([
      'onboarding',
      'watch',
      accountNumber,
      '--timeout',
      '20',
    ])
    assert.equal(exitCode, 0, stdout + stderr)
    assert.match(stdout, /Success {2}IdentityCheck/)
    assert.match(stdout, new RegExp(`${accountNumber} is CreationComplete`))
  })

  test('onboarding watch ends with 1 and prints the follow-ups when the application waits', async () => {
    const application = applicationFor('Individual')
    const waiting = {
      ...application,
      primaryOwner: { ...application.primaryOwner, taxIdNumber: '000000002' },
    }
    const { stdout } = await clearing.run(['new-account', '--file', '-', '--json'], {
      input: JSON.stringify(waiting),
    })
    const number = JSON.parse(stdout).message.accountNumber
    const watched = await clearing.run(['onboarding', 'watch', number, '--timeout', '20'])
    assert.equal(watched.exitCode, 1, watched.stderr)
    assert.match(watched.stdout, /Asked for: AddressDocument.*needed; a document of type UTIL or BANK; by /)
    const json = await clearing.run(['onboarding', 'watch', number, '--json'])
    assert.equal(rowsOf(json.stdout).at(-1).currentState, 'ActionRequired')
  })

  test('onboarding watch --wait prints the decision, and Ctrl-C ends a waiting command with 130 and no error', async () => {
    const application = applicationFor('Individual')
    const waiting = {
      ...application,
      primaryOwner: { ...application.primaryOwner, taxIdNumber: '000000004' },
    }
    const { stdout } = await clearing.run(['new-account', '--file', '-', '--json'], {
      input: JSON.stringify(waiting),
    })
    const number = JSON.parse(stdout).message.accountNumber
    const watching = clearing.start(['onboarding', 'watch', number, '--wait'])
    await watching.until(/is ManualReview/)
    const again = clearing.start(['onboarding', 'watch', number, '--wait'])
    await again.until(/is ManualReview/)
    again.interrupt()
    const stopped = await again.ended
    assert.deepEqual([stopped.exitCode, stopped.stderr], [130, ''])
    const decision = ['--decision', 'Rejected', '--reason', 'Identity not proven']
    const decided = await clearing.run(['sandbox', 'decide-onboarding', number, ...decision])
    assert.equal(decided.exitCode, 0, decided.stderr)
    const ended = await watching.ended
    assert.equal(ended.exitCode, 1)
    assert.match(ended.stdout, new RegExp(`^${number} is Rejected: Identity not proven$`, 'm'))
  })

  test('the controls of the sandbox are verbs', async () => {
    const { exitCode, stdout, stderr } = await clearing.run(['sandbox', 'get-clock', '--json'])
    assert.equal(exitCode, 0, stderr)
    assert.equal(JSON.parse(stdout).frozen, false)
  })

  test('sandbox create, list, reset and delete manage a sandbox with the variables that create prints', async () => {
    const list = async () => rowsOf((await clearing.run(['sandbox', 'list', '--json'])).stdout)
    const created = await clearing.run(['sandbox', 'create', 'build 4711', '--idle-minutes', '30', '--env'])
    assert.equal(created.exitCode, 0, created.stderr)
    const environment = Object.fromEntries(
      [...created.stdout.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    )
    const { CLEARING_SANDBOX_ID: sandboxId = '', CLEARING_URL: baseUrl } = environment
    assert.deepEqual(
      (await list()).map((each) => [each.sandboxId, each.name, each.baseUrl]),
      [[sandboxId, 'build 4711', baseUrl]],
    )
    const inside = (...words: string[]) => clearing.run([...words, '--json'], { environment })
    const opened = await inside('new-account', '--file', 'application.json')
    assert.equal(opened.exitCode, 0, opened.stderr)
    const within = JSON.parse(opened.stdout).message.accountNumber
    assert.equal((await inside('get-account', within)).exitCode, 0)
    const reset = await inside('sandbox', 'reset')
    assert.equal(reset.exitCode, 0, reset.stderr)
    const gone = await inside('get-account', within)
    assert.deepEqual([gone.exitCode, JSON.parse(gone.stderr).error.status], [1, 404])
    assert.equal((await clearing.run(['get-account', accountNumber])).exitCode, 0, 'the service was reset')
    const deleted = await clearing.run(['sandbox', 'delete', sandboxId])
    assert.equal(deleted.exitCode, 0, deleted.stderr)
    assert.deepEqual(await list(), [])
    assert.equal((await inside('get-account', within)).exitCode, 1)
  })

  test('the log of calls is searched by the trace of a refusal', async () => {
    const refused = await clearing.run(['get-account', '99999999', '--json'])
    const { traceId } = JSON.parse(refused.stderr).error
    // A call is logged shortly after its response.
    const found = await until(
      async () => rowsOf((await clearing.run(['list-requests', '--trace-id', traceId, '--json'])).stdout),
      ({ length }) => length > 0,
    )
    assert.deepEqual(
      found.map((call) => [call.operation, call.status, call.errorCodes, call.traceId]),
      [['get-account', 404, ['ERR.2003'], traceId]],
    )
    const people = await clearing.run(['list-requests', '--trace-id', traceId])
    assert.match(people.stdout, /^at .*\n.* 404 +get-account .*\n$/)
    const other = traceId.replace(/[0-9a-f]{8}/, '00000000')
    assert.equal((await clearing.run(['list-requests', '--trace-id', other, '--json'])).stdout, '')
  })

  test('a record is printed as names and values for people, and as one line of JSON for machines', async () => {
    const people = await clearing.run(['get-account', accountNumber])
    assert.match(people.stdout, /^accountNumber +\d{8}$/m)
    assert.match(people.stdout, /^mailingAddress\n {2}street/m)
    const machines = await clearing.run(['get-account', '--json', accountNumber.toLowerCase()])
    assert.equal(machines.stdout.split('\n').length, 2)
    assert.equal(JSON.parse(machines.stdout).accountNumber, accountNumber)
  })

  test('a list is printed as a table for people, and as one line for each row for machines', async () => {
    const filter = ['--account-number', accountNumber]
    await service.eventsReported()
    const people = await clearing.run(['list-events', ...filter])
    assert.match(people.stdout.split('\n')[0] ?? '', /^time +type +accountnumber/)
    const first = rowsOf((await clearing.run(['list-events', '--json', '--size', '1', ...filter])).stdout)
    assert.equal(first.length, 1)
    const all = rowsOf(
      (await clearing.run(['list-events', '--all', '--json', '--size', '1', ...filter])).stdout,
    )
    assert.ok(all.length >= 4)
    assert.ok(all.every(({ specversion }) => specversion === '1.0'))
  })

  test('activity is a table and one line for each row, and one line if it has a second list', async () => {
    const { operations } = service.operations
    await operations.loadSecurities({ lines: { ndjson: [{ symbol: 'CLI', secTypeName: 'Common Stock' }] } })
    const bought = { transType: 'Trade', buySell: 'BUY', symbol: 'CLI', price: '10', tradeDate: '2026-01-05' }
    const lines = ['5', '7'].map((quantity) => ({
      externalId: `CLI${quantity}`,
      acctNo: accountNumber,
      quantity,
      ...bought,
    }))
    assert.equal((await operations.loadActivity({ lines: { ndjson: lines } })).data.accepted, 2)
    const asked = ['trade-activity', accountNumber, '--date-from', '2026-01-01', '--date-to', '2029-12-31']
    const people = await clearing.run(asked)
    assert.match(people.stdout.split('\n')[0] ?? '', /^tradeDate +settleDate +buySell +quantity +symbol/)
    const quantities = (rows: { quantity: string }[]) => rows.map(({ quantity }) => quantity)
    const rows = rowsOf((await clearing.run([...asked, '--json'])).stdout)
    assert.deepEqual(quantities(rows), ['5', '7'])
    const entered = rowsOf((await clearing.run([...asked, '--date-field', 'enteredOn', '--json'])).stdout)
    assert.equal(entered.length, 1)
    assert.deepEqual([quantities(entered[0].activity), entered[0].restated], [['5', '7'], []])
    const report = await clearing.run(['tax-report', accountNumber, '--year', '2026'])
    assert.match(report.stdout + report.stderr, /There are no rows/)
  })

  test('an empty list of an unknown account says so, also with --all', async () => {
    for (const flags of [[], ['--all'], ['--all', '--json']]) {
      const { stderr, exitCode } = await clearing.run([
        'list-calls',
        '--account-number',
        '99999999',
        ...flags,
      ])
      assert.equal(exitCode, 0)
      assert.match(stderr, /Your firm has no account with this number\./, flags.join(' '))
    }
  })

  test('a refusal prints code, field, reason and trace as the guide shows them, and ends with 1', async () => {
    const words = ['account-number', '--entity-number', '302', '--rep-code', 'JC01']
    const people = await clearing.run([...words, '--registration-type', 'Individual'])
    assert.equal(people.exitCode, 1)
    const trace = /traceId 00-[0-9a-f]{32}-[0-9a-f]{16}-01/
    assert.match(people.stderr, trace)
    const guide = await readFile('docs/guides/command-line.md', 'utf8')
    const [shown] = /^account-number was refused [^`]*/m.exec(guide) ?? []
    assert.equal(people.stderr.replace(trace, 'traceId'), shown?.replace(trace, 'traceId'))
    const machines = await clearing.run([...words, '--registration-type', 'Individual', '--json'])
    assert.equal(machines.stdout, '')
    const { error } = JSON.parse(machines.stderr)
    assert.equal(error.status, 403)
    assert.equal(error.errors[0].field, 'entityNumber')
    assert.match(error.traceId, /^00-/)
  })

  test('wrong usage ends with 2 and prints the correct usage', async () => {
    const wrong: [string[], RegExp][] = [
      [['get-account'], /needs accountNumber/],
      [['get-acount'], /Did you mean get-account\?/],
      [['run-scenario', 'opens'], /Did you mean sandbox run-scenario\?/],
      [['whoami'], /clearing --help shows the help/],
      [['list-accounts', '--frozen'], /clearing list-accounts --help shows the help/],
    ]
    for (const [words, pattern] of wrong) {
      const { exitCode, stderr } = await clearing.run(words)
      assert.equal(exitCode, 2, words.join(' '))
      assert.match(stderr, pattern)
    }
  })

  test('an unavailable service is reported in words, and the command ends with 1', async () => {
    const add = ['profile', 'add', 'away', '--url', `http://127.0.0.1:${await freePort()}`]
    const { exitCode, stderr } = await clearing.run(add, { input: 'secret' })
    assert.equal(exitCode, 1)
    assert.match(stderr, /Nothing was changed: try again later/)
    assert.match(stderr, /Check that the address is that of the service/)
    assert.equal((await clearing.run([...add, '--unchecked'], { input: 'secret' })).exitCode, 0)
    assert.equal((await clearing.run(['profile', 'remove', 'away'])).exitCode, 0)
  })

  test('a document is uploaded from a file, and downloaded to a new file', async () => {
    const content = Buffer.from(onePixel, 'base64')
    const name = 'bill.png'
    await writeFile(join(clearing.folder, name), content)
    const words = [
      'add-document',
      accountNumber,
      '--document-type-name',
      'Identity Documents',
      '--reference',
      'UTIL',
    ]
    const added = await clearing.run([...words, '--file', name, '--json'])
    assert.equal(added.exitCode, 0, added.stderr)
    const { documentId } = JSON.parse(added.stdout)
    const piped = await clearing.run(['get-document', accountNumber, documentId])
    assert.deepEqual([piped.exitCode, piped.stderr], [0, ''])
    assert.match(piped.stdout, /PNG/)
    const taken = await clearing.run(['get-document', accountNumber, documentId, '--output', name])
    assert.equal(taken.exitCode, 2)
    assert.match(taken.stderr, /exists: --force/)
    const saved = await clearing.run(['get-document', accountNumber, documentId, '--output', 'copy'])
    assert.equal(saved.exitCode, 0, saved.stderr)
    assert.deepEqual(await readFile(join(clearing.folder, 'copy')), content)
    const astray = await clearing.run(['get-document', accountNumber, documentId, '--output', 'nowhere/copy'])
    assert.equal(astray.exitCode, 2)
    assert.match(astray.stderr, /^nowhere\/copy: there is no folder nowhere$/m)
    const folder = await clearing.run(['get-document', accountNumber, documentId, '--output', '.', '--force'])
    assert.equal(folder.exitCode, 1)
    assert.match(folder.stderr, /^\. is not complete: it is a folder$/m)
  })

  test('a document from a pipe is uploaded under the given name', async () => {
    const content = Buffer.from(onePixel, 'base64')
    const words = ['add-document', accountNumber, '--document-type-name', 'Identity Documents']
    words.push('--reference', 'UTIL', '--file', '-', '--json')
    const nameless = await clearing.run(words, { input: content })
    assert.equal(nameless.exitCode, 2)
    assert.match(nameless.stderr, /needs a name with its extension, such as --file-name bill\.pdf/)
    const added = await clearing.run([...words, '--file-name', 'piped.png'], { input: content })
    assert.equal(added.exitCode, 0, added.stderr)
    const { documentId } = JSON.parse(added.stdout)
    const saved = await clearing.run(['get-document', accountNumber, documentId, '--json'])
    assert.equal(saved.exitCode, 0, saved.stderr)
    assert.deepEqual(await readFile(join(clearing.folder, 'piped.png')), content)
  })

  test('an idempotency key makes a repeated write take effect once, and a dry run sends nothing', async () => {
    const words = [
      'account-number',
      '--entity-number',
      '301',
      '--rep-code',
      'JC01',
      '--registration-type',
      'JointTIC',
    ]
    const dry = await clearing.run([...words, '--dry-run'])
    assert.match(dry.stdout, /^POST \/account-api\/v1\/account-number\n/)
    assert.match(dry.stdout, /"repCode": "JC01"/)
    const first = await clearing.run([...words, '--idempotency-key', 'once', '--json'])
    const second = await clearing.run([...words, '--idempotency-key', 'once', '--json'])
    assert.equal(first.stdout, second.stdout)
    assert.match(second.stderr, /sent before/)
  })
})

/** A PNG of one pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
