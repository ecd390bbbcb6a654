/**
 * The command line of the clearing firm: its firms, loads and their rejects, verification of the books and of the audit
 * trail.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { clearing, read, service, startBeforeTests, write } from './command-line-with-profiles.ts'

startBeforeTests()

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

  test('a load reports the result of its lines, and writes the rejected lines, to correct and load again', async () => {
    await write(
      'rates.csv',
      'currency,rate,date\r\nEUR,1.10,2026-01-05\r\nGBP,many,2026-01-05\r\n\r\nCHF,1.2,2026-13-05\r\n',
    )
    const load = ['load', 'fx-rates', '-p', 'operations']
    const first = await clearing.run([...load, 'rates.csv'])
    assert.equal(first.exitCode, 1, first.stderr)
    assert.match(first.stdout, /3 lines .*1 accepted, 0 loaded before, 2 rejected/)
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

  test('a load names the lines that are stored with other contents, and the rejected lines', async () => {
    await write('spot.csv', 'currency,rate,date\nSEK,0.10,2026-01-05\n')
    assert.equal((await clearing.run(['load', 'fx-rates', 'spot.csv', '-p', 'operations'])).exitCode, 0)
    await write('spot.csv', 'currency,rate,date\nSEK,0.11,2026-01-05\nSEK,0.10,2026-01-05\nNOK,,2026-01-05\n')
    const { exitCode, stdout } = await clearing.run(['load', 'fx-rates', 'spot.csv', '-p', 'operations'])
    assert.equal(exitCode, 1)
    assert.match(
      stdout,
      /0 accepted, 1 loaded before, 1 in conflict with the stored line of their id, 1 rejected/,
    )
    assert.equal(await read('spot.rejects.csv'), 'currency,rate,date\nSEK,0.11,2026-01-05\nNOK,,2026-01-05\n')
    assert.match(await read('spot.rejects.txt'), /^line 2 .*ERR\.2018 rate: .*\nline 4 .*ERR\.1000 rate: /)
  })

  test('a load without lines says so, and fails if CSV has no header line', async () => {
    const load = ['load', 'fx-rates', '-p', 'operations']
    await write('none.csv', '')
    await write('header.csv', 'currency,rate,date\n')
    const none = await clearing.run([...load, 'none.csv'])
    assert.deepEqual([none.exitCode, none.stderr.includes('without the header line')], [1, true])
    const piped = await clearing.run([...load, '-', '--format', 'csv', '--json'], { input: '' })
    assert.deepEqual([piped.exitCode, JSON.parse(piped.stdout).received], [1, 0])
    const header = await clearing.run([...load, 'header.csv'])
    assert.deepEqual([header.exitCode, header.stderr.includes('the input has no lines')], [0, true])
  })

  test('all rejects are written, even if a response cannot contain them all', async () => {
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

  test('an export of the audit trail is verified without the service, against stored heads', async () => {
    // A firm beside the clearing firm also has rows, two for each account.
    for (let account = 0; account < 3; account += 1)
      await openAndFollow(service.alpha, applicationFor('Individual'))
    await service.operations.sandbox.advanceClock({ days: 4 })
    const listed = await clearing.run(['list-audit-heads', '-p', 'operations', '--all', '--json'])
    await write('heads.ndjson', listed.stdout)
    await write('keys.json', await (await fetch(`${service.address}/audit/jwks`)).text())
    const exported = await clearing.run(['export-audit', '-p', 'operations', '--output', 'trail.ndjson'])
    assert.equal(exported.exitCode, 0, exported.stderr)
    // Only files: no profile, and no address.
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
    // Heads that another party signed, or changed.
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

test('a firm reads the realized gains of an account, its tax report, and its Form 8949', async () => {
  const account = await openAndFollow(service.alpha, applicationFor('Individual'))
  const { operations } = service.operations
  await operations.loadSecurities({ lines: { ndjson: [{ symbol: 'CLIG', secTypeName: 'Common Stock' }] } })
  const trade = { acctNo: account, transType: 'Trade', symbol: 'CLIG', quantity: '10', secFee: '0' }
  const ndjson = [
    { ...trade, externalId: 'cli-buy', buySell: 'BUY', price: '50', tradeDate: '2025-01-06' },
    { ...trade, externalId: 'cli-sale', buySell: 'SEL', price: '65', tradeDate: '2025-03-20' },
  ]
  assert.deepEqual((await operations.loadActivity({ lines: { ndjson } })).data.rejects, [])
  const asked = ['--account-number', account]
  const range = ['--date-from', '2025-01-01', '--date-to', '2025-12-31']
  const gains = await clearing.run(['realized-gains', ...asked, ...range])
  assert.match(gains.stdout, /2025-03-20 +CLIG +10 +2025-01-06 +Short +650\S* +500\S* +150/, gains.stderr)
  const taxes = await clearing.run(['tax-report', ...asked, '--year', '2025'])
  assert.match(taxes.stdout, /A +10 sh\. CLIG +.*2025-01-06 +2025-03-20 +650\S* +500/, taxes.stderr)
  const form = await clearing.run(['form-8949', ...asked, '--year', '2025', '--output', 'form.csv'])
  assert.equal(form.exitCode, 0, form.stderr)
  assert.match(
    await read('form.csv'),
    /^A,10 sh\. CLIG,01\/06\/2025,03\/20\/2025,650\.00,500\.00,,,150\.00\r$/m,
  )
})
