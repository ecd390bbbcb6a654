/** The command line against the running service: each group's main task, exit codes, JSON, files it writes. */
import assert from 'node:assert/strict'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '@clearing/sdk'
import { applicationFor } from './applications.ts'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let clearing: CommandLine
/** A number that Alpha opened an account under. */
let accountNumber: string

before(async () => {
  service = await startRunningService()
  clearing = await openCommandLine()
  for (const name of ['alpha', 'operations']) {
    const added = await clearing.run(['profile', 'add', name, '--url', service.address], {
      input: `${name}-sandbox-secret\n`,
    })
    assert.equal(added.exitCode, 0, added.stderr)
  }
})
after(async () => {
  await clearing?.[Symbol.asyncDispose]()
  await service?.stop()
})

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const profilesPath = () => join(clearing.folder, 'config/clearing/profiles.json')
const write = (name: string, text: string) => writeFile(join(clearing.folder, name), text)
const read = (name: string) => readFile(join(clearing.folder, name), 'utf8')

describe('profiles', () => {
  test('are kept where their owner alone can read them, and listed without secrets', async () => {
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

  test('are added only with a secret that works', async () => {
    const add = ['profile', 'add', 'beta', '--url', service.address]
    const { exitCode, stderr } = await clearing.run(add, { input: 'wrong\n' })
    assert.equal(exitCode, 1)
    assert.match(stderr, /invalid_client/)
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

  test('are switched, removed, and not needed when the environment says it all', async () => {
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
  test('new-account opens the application of a file, and flags come before the file', async () => {
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

  test('onboarding watch ends with 1 and says what is asked for when the application waits', async () => {
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

  test('onboarding watch --wait sees the decision, and Ctrl-C ends what waits with 130 and no complaint', async () => {
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
    const decision = ['--decision', 'Rejected', '--reason', 'Identity not proven']
    const decided = await clearing.run(['sandbox', 'decide-onboarding', number, ...decision])
    assert.equal(decided.exitCode, 0, decided.stderr)
    const ended = await watching.ended
    assert.equal(ended.exitCode, 1)
    assert.match(ended.stdout, /is Rejected/)
    const again = clearing.start(['load', 'fx-rates', '-', '--format', 'csv', '-p', 'operations'], {
      open: true,
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    again.interrupt()
    const stopped = await again.ended
    assert.deepEqual([stopped.exitCode, stopped.stdout, stopped.stderr], [130, '', ''])
  })

  test('the controls of the sandbox are verbs', async () => {
    const { exitCode, stdout, stderr } = await clearing.run(['sandbox', 'get-clock', '--json'])
    assert.equal(exitCode, 0, stderr)
    assert.equal(JSON.parse(stdout).frozen, false)
  })

  test('a record is names and values for people, and one line of JSON for machines', async () => {
    const people = await clearing.run(['get-account', accountNumber])
    assert.match(people.stdout, /^accountNumber +\d{8}$/m)
    assert.match(people.stdout, /^mailingAddress\n {2}street/m)
    const machines = await clearing.run(['get-account', '--json', accountNumber.toLowerCase()])
    assert.equal(machines.stdout.split('\n').length, 2)
    assert.equal(JSON.parse(machines.stdout).accountNumber, accountNumber)
  })

  test('a list is a table for people, and a row a line for machines', async () => {
    const filter = ['--account-number', accountNumber]
    await service.eventsTold()
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

  test('a refusal names code, field, reason and trace, and ends with 1', async () => {
    const words = ['account-number', '--entity-number', '302', '--rep-code', 'JC01']
    const people = await clearing.run([...words, '--registration-type', 'Individual'])
    assert.equal(people.exitCode, 1)
    assert.match(people.stderr, /account-number was refused \(403\)/)
    assert.match(people.stderr, /ERR\.\d{4} entityNumber\n +\S/)
    assert.match(people.stderr, /traceId 00-[0-9a-f]{32}-/)
    const machines = await clearing.run([...words, '--registration-type', 'Individual', '--json'])
    assert.equal(machines.stdout, '')
    const { error } = JSON.parse(machines.stderr)
    assert.equal(error.status, 403)
    assert.equal(error.errors[0].field, 'entityNumber')
    assert.match(error.traceId, /^00-/)
  })

  test('wrong usage ends with 2 and says what would be right', async () => {
    const wrong: [string[], RegExp][] = [
      [['get-account'], /needs accountNumber/],
      [['get-acount'], /Did you mean get-account\?/],
      [['run-scenario', 'opens'], /Did you mean sandbox run-scenario\?/],
      [['whoami'], /clearing --help tells more/],
      [['list-accounts', '--frozen'], /clearing list-accounts --help tells more/],
    ]
    for (const [words, pattern] of wrong) {
      const { exitCode, stderr } = await clearing.run(words)
      assert.equal(exitCode, 2, words.join(' '))
      assert.match(stderr, pattern)
    }
  })

  test('a service that is not there is told in words, and ends with 1', async () => {
    const add = ['profile', 'add', 'away', '--url', 'http://127.0.0.1:9']
    const { exitCode, stderr } = await clearing.run(add, { input: 'secret' })
    assert.equal(exitCode, 1)
    assert.match(stderr, /Nothing was changed: try again later/)
    assert.match(stderr, /Check that the address is that of the service/)
    assert.equal((await clearing.run([...add, '--unchecked'], { input: 'secret' })).exitCode, 0)
    assert.equal((await clearing.run(['profile', 'remove', 'away'])).exitCode, 0)
  })

  test('a document goes up from a file, and comes down to one that is not there yet', async () => {
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
    const taken = await clearing.run(['get-document', accountNumber, documentId])
    assert.equal(taken.exitCode, 2)
    assert.match(taken.stderr, /is there already/)
    const saved = await clearing.run(['get-document', accountNumber, documentId, '--output', 'copy'])
    assert.equal(saved.exitCode, 0, saved.stderr)
    assert.deepEqual(await readFile(join(clearing.folder, 'copy')), content)
  })

  test('an idempotency key makes a write one, and a dry run sends nothing', async () => {
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
    assert.match(second.stderr, /done before/)
  })
})

describe('operations of the clearing firm', () => {
  test('firms are made, given credentials, and listed', async () => {
    const made = await clearing.run([
      ...['firms', 'create', 'Gamma Advisers', '--entity-numbers', '303,304', '--rep-codes', 'GA01'],
      ...['--settings.requests-per-second', '50', '--profile', 'operations', '--json'],
    ])
    assert.equal(made.exitCode, 0, made.stderr)
    const { firmId, settings, entityNumbers } = JSON.parse(made.stdout)
    assert.deepEqual(entityNumbers, ['303', '304'])
    assert.equal(settings.requestsPerSecond, 50)
    const issued = await clearing.run([
      ...['firms', 'add-credential', firmId, 'Back office', '--client-id', 'gamma'],
      ...['--json', '-p', 'operations'],
    ])
    assert.match(JSON.parse(issued.stdout).clientSecret, /\S{20}/)
    const disabled = await clearing.run(['firms', 'disable-credential', 'gamma', '-p', 'operations'])
    assert.equal(disabled.exitCode, 0, disabled.stderr)
    const { stdout } = await clearing.run(['firms', 'list', '-p', 'operations'])
    assert.match(stdout, /Gamma Advisers +303, 304 +GA01 +gamma \(disabled\)/)
    const refused = await clearing.run(['firms', 'list'])
    assert.equal(refused.exitCode, 1)
    assert.match(refused.stderr, /403/)
  })

  test('a load says what became of its lines, and writes those that were refused, to correct and load again', async () => {
    await write(
      'rates.csv',
      'currency,rate,date\r\nEUR,1.10,2026-01-05\r\nGBP,many,2026-01-05\r\n\r\nCHF,1.2,2026-13-05\r\n',
    )
    const load = ['load', 'fx-rates', '-p', 'operations']
    const first = await clearing.run([...load, 'rates.csv'])
    assert.equal(first.exitCode, 1, first.stderr)
    assert.match(first.stdout, /3 lines .*1 accepted, 0 seen before, 2 refused/)
    assert.equal(
      await read('rates.rejects.csv'),
      'currency,rate,date\nGBP,many,2026-01-05\nCHF,1.2,2026-13-05\n',
    )
    assert.match(
      await read('rates.rejects.txt'),
      /^line 3 \(here 2\): ERR\.\d{4} rate: .*\nline 5 \(here 3\): /,
    )
    await write('rates.rejects.csv', 'currency,rate,date\nGBP,1.3,2026-01-05\nCHF,1.2,2026-13-05\n')
    const second = await clearing.run([...load, 'rates.rejects.csv', '--json'])
    const { received, accepted, rejected, rejectsFile } = JSON.parse(second.stdout)
    assert.deepEqual(
      { received, accepted, rejected, rejectsFile },
      {
        received: 2,
        accepted: 1,
        rejected: 1,
        rejectsFile: 'rates.rejects.csv',
      },
    )
    assert.equal(await read('rates.rejects.csv'), 'currency,rate,date\nCHF,1.2,2026-13-05\n')
    const piped = await clearing.run([...load, '-', '--format', 'ndjson'], {
      input: '{"currency":"CHF","rate":1.2,"date":"2026-01-05"}\n',
    })
    assert.equal(piped.exitCode, 0, piped.stderr)
    assert.equal((await clearing.run([...load, '-'])).exitCode, 2)
  })

  test('a load names the lines that are kept with other contents, beside those that were refused', async () => {
    await write('spot.csv', 'currency,rate,date\nSEK,0.10,2026-01-05\n')
    assert.equal((await clearing.run(['load', 'fx-rates', 'spot.csv', '-p', 'operations'])).exitCode, 0)
    await write('spot.csv', 'currency,rate,date\nSEK,0.11,2026-01-05\nSEK,0.10,2026-01-05\nNOK,,2026-01-05\n')
    const { exitCode, stdout } = await clearing.run(['load', 'fx-rates', 'spot.csv', '-p', 'operations'])
    assert.equal(exitCode, 1)
    assert.match(stdout, /0 accepted, 1 seen before, 1 in conflict with lines of their id, 1 refused/)
    assert.equal(await read('spot.rejects.csv'), 'currency,rate,date\nSEK,0.11,2026-01-05\nNOK,,2026-01-05\n')
    assert.match(await read('spot.rejects.txt'), /^line 2 .*ERR\.2018 rate: .*\nline 4 .*ERR\.1000 rate: /)
  })

  test('more rejects than an answer holds are all written', async () => {
    const lines = Array.from({ length: 2_500 }, (_, at) => `GBP,wrong${at},2026-01-05`)
    await write('many.csv', `currency,rate,date\n${lines.join('\n')}\n`)
    const { exitCode, stderr } = await clearing.run(['load', 'fx-rates', 'many.csv', '-p', 'operations'])
    assert.equal(exitCode, 1, stderr)
    assert.equal(await read('many.rejects.csv'), await read('many.csv'))
  })

  test('the books and the audit chain are verified', async () => {
    const books = await clearing.run(['verify', 'books', '-p', 'operations'])
    assert.equal(books.exitCode, 0, books.stderr)
    assert.match(books.stdout, /tie out/)
    const audit = await clearing.run(['verify', 'audit', '-p', 'operations', '--json'])
    assert.equal(audit.exitCode, 0, audit.stderr)
    assert.equal(JSON.parse(audit.stdout).verified, true)
  })

  test('an export of the audit trail is verified without the service, against heads that were kept', async () => {
    await service.operations.sandbox.advanceClock({ days: 4 })
    const listed = await clearing.run(['list-audit-heads', '-p', 'operations', '--all', '--json'])
    await write('heads.ndjson', listed.stdout)
    await write('keys.json', await (await fetch(`${service.address}/audit/jwks`)).text())
    const exported = await clearing.run(['export-audit', '-p', 'operations', '--output', 'trail.ndjson'])
    assert.equal(exported.exitCode, 0, exported.stderr)
    // Nothing but files: no profile, no address.
    const verify = async (file: string, heads: string, more: string[] = []) => {
      const words = ['verify', 'audit', '--export', file, '--heads', heads, '--keys', 'keys.json', ...more]
      return clearing.run(words, { environment: { XDG_CONFIG_HOME: join(clearing.folder, 'nowhere') } })
    }
    const good = await verify('trail.ndjson', 'heads.ndjson')
    assert.equal(good.exitCode, 0, good.stderr + good.stdout)
    assert.match(good.stdout, /The audit chain holds: \d+ rows of 2 firms/)
    const fromStore = await verify('trail.ndjson', join(service.dataDir, 'documents/audit-heads'))
    assert.equal(fromStore.exitCode, 0, fromStore.stderr + fromStore.stdout)
    const asTable = await clearing.run([
      ...['export-audit', '-p', 'operations', '--format', 'CSV', '--output', 'trail.csv'],
    ])
    assert.equal(asTable.exitCode, 0, asTable.stderr)
    assert.equal((await verify('trail.csv', 'heads.ndjson')).exitCode, 0)

    const rows = (await read('trail.ndjson')).trimEnd().split('\n')
    const alpha = '00000000-0000-4000-8000-000000000301'
    const broken = async (lines: string[], sequence: number, firm = alpha) => {
      await write('changed.ndjson', `${lines.join('\n')}\n`)
      const { exitCode, stdout } = await verify('changed.ndjson', 'heads.ndjson', ['--json'])
      assert.equal(exitCode, 1)
      const { verified, firms } = JSON.parse(stdout)
      assert.equal(verified, false)
      const found = firms.find(({ firmId }: { firmId: string }) => firmId === firm)
      assert.equal(found.firstBreak?.sequence, sequence, stdout)
    }
    const isRow = (row: string, sequence: number) => {
      const { firmId, sequence: at } = JSON.parse(row)
      return firmId === alpha && Number(at) === sequence
    }
    await broken(
      rows.map((row) => (isRow(row, 2) ? row.replace('"actor":"', '"actor":"x') : row)),
      2,
    )
    await broken(
      rows.filter((row) => !isRow(row, 3)),
      3,
    )
    await broken(
      rows.flatMap((row) => (isRow(row, 4) ? [row, row] : [row])),
      4,
    )
    const cut = rows.filter((row) => !row.includes(`"firmId":"${alpha}"`) || JSON.parse(row).sequence < 3)
    await broken(cut, 3)
    await broken(
      rows.filter((row) => !row.includes(alpha)),
      1,
    )
    // A firm alone.
    assert.equal((await verify('trail.ndjson', 'heads.ndjson', [alpha])).exitCode, 0)
    // Heads that somebody else signed, or changed.
    const changed = listed.stdout.replace(
      /"sequence":(\d+)/,
      (_all, digits) => `"sequence":${Number(digits) + 1}`,
    )
    await write('changed-heads.ndjson', changed)
    const unsigned = await verify('trail.ndjson', 'changed-heads.ndjson')
    assert.equal(unsigned.exitCode, 1)
    assert.match(unsigned.stdout, /not signed by one of/)
    for (const words of [
      ['--export', 'trail.ndjson'],
      ['--heads', 'heads.ndjson'],
      ['--export', 'trail.ndjson', '--heads', 'keys.json', '--keys', 'keys.json'],
      ['--export', 'trail.ndjson', '--heads', 'heads.ndjson', '--keys', 'heads.ndjson'],
      ['--export', 'keys.json', '--heads', 'heads.ndjson', '--keys', 'keys.json'],
      ['--export', 'nowhere.ndjson', '--heads', 'heads.ndjson', '--keys', 'keys.json'],
    ]) {
      assert.equal(
        (await clearing.run(['verify', 'audit', '-p', 'operations', ...words])).exitCode,
        2,
        words.join(' '),
      )
    }
  })
})

describe('listen', () => {
  test('forwards events as signed webhooks, shows what the receiver answers, and ends well with Ctrl-C', async () => {
    const received: { body: string; headers: IncomingMessage['headers'] }[] = []
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      received.push({ body, headers: request.headers })
      response.writeHead(received.length === 1 ? 200 : 500).end(received.length === 1 ? 'thanks' : 'broken')
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    try {
      const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
      const listening = clearing.start([
        'listen',
        '--forward-to',
        target,
        '--types',
        'account.*',
        '--from-start',
      ])
      const [, secret = ''] = await listening.until(/Signing with (whsec_\S+)/)
      await listening.until(/→ 200 \(\d+ ms\) {2}thanks[\s\S]*→ the receiver answered 500/)
      listening.interrupt()
      const { exitCode } = await listening.ended
      assert.equal(exitCode, 0)
      for (const { body, headers } of received) {
        const event = await verifyWebhook({ body, headers }, secret)
        assert.match(event.type, /^account\./)
        assert.equal(headers['webhook-id'], event.id)
      }
      const [first] = received
      await assert.rejects(
        verifyWebhook({ body: `${first?.body} `, headers: first?.headers ?? {} }, secret),
        /signature/,
      )
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  })

  test('shows what happens while it listens, as JSON, and a receiver that is away does not end it', async () => {
    const listening = clearing.start(['listen', '--json', '--forward-to', 'http://127.0.0.1:9/'], {
      environment: { CLEARING_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    })
    await listening.until(/Signing with CLEARING_WEBHOOK_SECRET/)
    // The stream opens a moment later: numbers are reserved until one is heard.
    const heard = listening.until(/"type":"account\.reserved"/)
    let isHeard = false
    heard
      .finally(() => {
        isHeard = true
      })
      .catch(() => undefined)
    for (let tries = 0; !isHeard && tries < 50; tries += 1) {
      await service.alpha.accountNumber({
        entityNumber: '301',
        repCode: 'JC01',
        registrationType: 'Individual',
      })
      await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 200))])
    }
    await heard
    listening.interrupt()
    const { stdout, exitCode } = await listening.ended
    assert.equal(exitCode, 0)
    const { event, delivery } = rowsOf(stdout)[0]
    assert.equal(event.specversion, '1.0')
    assert.equal(delivery.status, null)
    assert.match(delivery.error, /\S/)
  })
})

describe('logs tail', () => {
  test('shows earlier calls, then those that come in, and ends well with Ctrl-C', async () => {
    const tail = clearing.start(['logs', 'tail', '--last', '3', '--json'])
    await tail.until(/("requestId"[\s\S]*){3}/)
    await assert.rejects(service.alpha.getAccount({ accountNumber: '99999999' }))
    await tail.until(/"operation":"get-account"[^\n]*"status":404/)
    tail.interrupt()
    const { stdout, exitCode } = await tail.ended
    assert.equal(exitCode, 0)
    const calls = rowsOf(stdout)
    assert.equal(calls.filter(({ operation }) => operation === 'list-requests').length, 0)
    assert.equal(new Set(calls.map(({ requestId }) => requestId)).size, calls.length)
  })

  test('shows what was refused alone, in one line for people', async () => {
    const tail = clearing.start(['logs', 'tail', '--status', '4xx'])
    await tail.until(/ 404 {2}get-account {2}\d+ ms {2}alpha {2}ERR\.2003 {2}00-/)
    tail.interrupt()
    const { stdout } = await tail.ended
    assert.doesNotMatch(stdout, / {2}200 {2}/)
  })
})

/** A PNG of one pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
