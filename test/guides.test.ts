/**
 * Keeps the documentation true. The commands and programs of the guides run unchanged against a sandbox, their example
 * applications are accepted, and generated parts and tables of names equal the code.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { codeLists, limits, operations, type Request, readRequest, suspendedBy } from '@clearing/protocol'
import { followOnboarding } from '@clearing/sdk'
import { listGenerated, listUnshown } from '../docs/write-generated.ts'
import { examineConfig } from '../server/src/config/config.ts'
import { fileNameOf, secretNames, settingNames } from '../server/src/config/setting-names.ts'
import { rulesWithoutEffect } from '../server/src/config/without-effect.ts'
import { type RunningService, startRunningService } from './acceptance/running-service.ts'
import { bundleProgram } from './bundle-program.ts'
import { compile } from './compile.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const documents = ['README.md', ...globSync('docs/guides/*.md', { cwd: root }).sort()]
function read(file: string) {
  return readFileSync(resolve(root, file), 'utf8')
}
const guideTimeoutMs = 120_000
/** The address that the documentation uses. */
const writtenAddress = 'http://127.0.0.1:8080'

let folder: string
let service: RunningService

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guides-'))
  await linkPackages()
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  service = await startRunningService({ withAccounts: true })
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Links the packages of the project. The command is a bundle, because the guides run it often. `npx` runs it without
 * npm, which takes longer to start than the command.
 */
async function linkPackages(): Promise<void> {
  const [own, linked] = [root, folder].map((place) => join(place, 'node_modules')) as [string, string]
  await mkdir(commandsOfProject(), { recursive: true })
  for (const name of await readdir(own))
    if (!name.startsWith('.')) await symlink(join(own, name), join(linked, name))
  const program = await bundleProgram('cli/src/main.ts')
  const commands = { clearing: `'${process.execPath}' '${program}' "$@"`, npx: '"$@"' }
  for (const [name, words] of Object.entries(commands))
    await writeFile(join(commandsOfProject(), name), `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 })
}

function commandsOfProject(): string {
  return join(folder, 'node_modules/.bin')
}

interface Block {
  /** `sh`, `ts`, `json`… */
  readonly language: string
  /** The text after the language: `refused` marks commands whose response must be an error. */
  readonly note: string
  readonly text: string
}

function blocksOf(document: string): Block[] {
  return [...document.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', note = '', text = '']) => ({ language, note, text }),
  )
}

function run(command: string, words: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((ended, failed) => {
    const child = spawn(command, words, {
      cwd: folder,
      timeout: guideTimeoutMs,
      env: {
        ...process.env,
        PATH: [commandsOfProject(), dirname(process.execPath), process.env.PATH].join(delimiter),
        // The folder for the files of the command line.
        XDG_CONFIG_HOME: join(folder, 'config'),
        XDG_CACHE_HOME: join(folder, 'cache'),
        // Without it, the compiler of .NET leaves processes that keep the output open.
        MSBUILDDISABLENODEREUSE: '1',
        UseSharedCompilation: 'false',
        DOTNET_CLI_TELEMETRY_OPTOUT: '1',
      },
    })
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      output += piece
    })
    child.on('error', failed)
    child.on('close', (exitCode) => ended({ exitCode: exitCode ?? 1, output }))
  })
}

const nextBlock = '=== next block ==='
/** The commands of a file, without those that install and start, which the test has already done. */
function commandsOf(file: string): Block[] {
  return blocksOf(read(file)).filter(({ language, text }) => language === 'sh' && !text.includes('npm ci'))
}
const withCommands = documents.filter((file) => commandsOf(file).length > 0)

/** A block that imports the client begins a program. Every other block continues the program before it. */
function programsOf(file: string): string[] {
  const programs: string[] = []
  for (const { language, text } of blocksOf(read(file))) {
    if (language !== 'ts') continue
    const before = text.includes("from '@clearing/sdk'") ? undefined : programs.pop()
    programs.push(before === undefined ? text : `${before}\n${text}`)
  }
  return programs
}
const programs = documents.flatMap((file) =>
  programsOf(file).map((text, index) => ({
    file,
    number: index + 1,
    name: `${basename(file, '.md').toLowerCase()}-${index + 1}.ts`,
    text,
  })),
)

interface OtherLanguage {
  readonly command: string
  /** The name of the program's file. */
  readonly name: string
  /** The arguments of the command that creates the project of the program. */
  readonly make?: readonly string[]
  /** The arguments of the command that runs the program; by default its file. */
  readonly words?: readonly string[]
}

/** How to run a whole program in another language. */
const otherLanguages: Readonly<Record<string, OtherLanguage>> = {
  python: { command: 'python3', name: 'open_account.py' },
  java: { command: 'java', name: 'OpenAccount.java' },
  csharp: {
    command: 'dotnet',
    name: 'OpenAccount/Program.cs',
    make: ['new', 'console', '--output', 'OpenAccount'],
    words: ['run', '--project', 'OpenAccount'],
  },
}
const otherPrograms = documents.flatMap((file) =>
  blocksOf(read(file)).flatMap(({ language, text }) => {
    const how = otherLanguages[language]
    return how === undefined ? [] : [{ file, language, text, ...how }]
  }),
)

describe('commands and programs of the documentation', () => {
  for (const file of withCommands) {
    test(`the commands of ${file} run as they are printed`, async () => {
      const blocks = commandsOf(file)
      const script = ['set -eu', ...blocks.map(({ text }) => `echo '${nextBlock}'\n${text}`)].join('\n')
      const name = `${basename(file, '.md')}.sh`
      await writeFile(join(folder, name), script.replaceAll(writtenAddress, service.address))
      const { exitCode, output } = await run('bash', [name])
      assert.equal(exitCode, 0, output)
      const outputs = output.split(`${nextBlock}\n`).slice(1)
      assert.equal(outputs.length, blocks.length)
      blocks.forEach(({ note, text }, index) => {
        const refused = outputs[index]?.includes('"hasErrors":true') ?? false
        assert.equal(refused, note === 'refused', `${text}\nanswers\n${outputs[index]}`)
      })
    })
  }

  for (const { file, number, name, text } of programs) {
    test(`program ${number} of ${file} runs`, async () => {
      await writeFile(join(folder, name), text.replaceAll(writtenAddress, service.address))
      const { exitCode, output } = await run(process.execPath, [name])
      assert.equal(exitCode, 0, output)
    })
  }

  for (const { file, language, text, command, name, make, words = [name] } of otherPrograms) {
    test(`the ${language} program of ${file} runs, where the language is on the path`, async (t) => {
      const found = await run(command, ['--version']).catch(() => undefined)
      if (found?.exitCode !== 0) return t.skip(`${command} is not on the path`)
      if (make !== undefined) {
        const made = await run(command, make)
        assert.equal(made.exitCode, 0, made.output)
      }
      await writeFile(join(folder, name), text.replaceAll(writtenAddress, service.address))
      const { exitCode, output } = await run(command, words)
      assert.equal(exitCode, 0, output)
      assert.match(output, /^\d{8} CreationComplete$/m)
    })
  }

  test('the programs compile under strict settings', async () => {
    const settings = {
      extends: resolve(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [resolve(root, 'node_modules/@types')] },
      include: programs.map(({ name }) => name),
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const { exitCode, output } = await compile(['--noEmit', '-p', folder])
    assert.equal(exitCode, 0, output)
  })
})

describe('docs/guides/opening-accounts.md', () => {
  const sections = [
    ...read('docs/guides/opening-accounts.md').matchAll(
      /^### `(\w+)`: [\s\S]+?\n\nThe account is named `([^`]+)`\.\n\n<!-- example: (\w+) -->\n```json\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, heading, title, type, text = '']) => {
    return { heading, title, type, application: JSON.parse(text) as Request<'new-account'> }
  })

  test('has a section for every registration type, with its application', () => {
    const types = codeLists.registrationType.map(({ value }) => value as string).sort()
    assert.deepEqual(sections.map(({ heading }) => heading).sort(), types)
    for (const { heading, type, application } of sections)
      assert.deepEqual([type, application.registrationType], [heading, heading])
  })

  for (const { heading, title, application } of sections) {
    test(`the application of type ${heading} opens through the sdk, under the title that the section names`, async () => {
      const client = service.alpha
      const { data } = await client.newAccount(application)
      const { accountNumber } = 'message' in data ? data.message : data
      const onboarding = await followOnboarding(client, accountNumber, { everyMs: 100 })
      assert.equal(onboarding.data.currentState, 'CreationComplete', JSON.stringify(onboarding.data))
      const account = (await client.getAccount({ accountNumber })).data
      assert.ok('accountStatus' in account)
      assert.deepEqual(
        [account.accountStatus, account.accountName, account.registrationType],
        ['Open', title, heading],
      )
    })
  }
})

test('generated parts of the documentation are current', () => {
  const generated = listGenerated()
  assert.ok(generated.length > 0)
  assert.deepEqual(listUnshown(), [], 'no document contains this generated part')
  for (const { file, current } of generated) {
    assert.ok(current, `${file} is not current: node docs/write-generated.ts`)
  }
})

test('the documents that list the loads name all of them', () => {
  const loads = Object.keys(operations).filter((name) => /^load-(?!watch-list$)/.test(name))
  for (const file of ['docs/books.md', 'docs/operating.md']) {
    const [sentence = ''] = /^Operations load facts with [^.]*/m.exec(read(file)) ?? []
    assert.deepEqual(namesIn(sentence, /`(load-[a-z-]+)`/g), loads.toSorted(), file)
  }
  const guide = read('docs/guides/command-line.md')
  const kinds = /^`load ([a-z|-]+)` takes CSV/m.exec(guide)?.[1]?.split('|') ?? []
  assert.deepEqual(kinds.map((kind) => `load-${kind}`).toSorted(), loads.toSorted())
})

test('the documents that list the restrictions that suspend changes name all of them', () => {
  const suspending = Object.entries(suspendedBy).flatMap(([restriction, suspended]) =>
    suspended.includes('Changes') ? [restriction] : [],
  )
  const lists = {
    'docs/guides/updating-accounts.md': /unless a restriction suspends them: ([^.]*) do\./,
    'docs/readings.md': /Changes of the record are refused \(ERR\.2011\) by ([^.]*) only\./,
  }
  for (const [file, pattern] of Object.entries(lists))
    assert.deepEqual(namesIn(pattern.exec(read(file))?.[1] ?? '', /([A-Z]\w+)/g), suspending.toSorted(), file)
})

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '').toSorted()
}

test('update-account knows every path of the table of fields', () => {
  const lists =
    /^(associatedParties|beneficiaries|transferOfDeathBeneficiaries|retirementBenes|largeTraders)$/
  const table = /## What the fields are called\n([\s\S]*)/.exec(read('docs/guides/updating-accounts.md'))?.[1]
  const paths = [...(table ?? '').matchAll(/^\| `([\w.]+)`/gm)].map((match) => match[1] ?? '')
  assert.ok(paths.length > 150)
  const unknown = paths.filter((path) => {
    const request = path.split('.').reduceRight<unknown>((value, name) => {
      return { [name]: lists.test(name) ? [value] : value }
    }, null)
    const { rejections } = readRequest(operations['update-account'].request, request)
    return rejections.some(({ code }) => code === 'ERR.2001')
  })
  assert.deepEqual(unknown, [])
})

test('docs/operating.md has every setting that the service reads, and no other', () => {
  // One paragraph documents secrets in files for all settings.
  const files = new Set(secretNames.map(fileNameOf))
  const names = settingNames.filter((name) => !files.has(name))
  const table = /## Settings\n([\s\S]*?)\n## /.exec(read('docs/operating.md'))?.[1] ?? ''
  const documented = [...table.matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map((match) => match[1] ?? '')
  assert.deepEqual(documented.sort(), names.sort())
})

test('docs/operating.md has the defaults and the limits that the code has', () => {
  const text = read('docs/operating.md')
  const { config } = examineConfig({}, [])
  const defaults: Record<string, unknown> = {
    CLEARING_MODE: config.mode,
    HOST: config.host,
    PORT: config.port,
    REPLICA_LAG_MAX_SECONDS: config.replicaLagMaxSeconds,
    DATABASE_CONNECTIONS: config.connectionsMax,
    JOBS_AT_ONCE: config.jobsAtOnce,
    KEEP_REQUESTS_DAYS: config.retention.requestDays,
    KEEP_DELIVERIES_DAYS: config.retention.deliveryDays,
    KEEP_EVENTS_DAYS: config.retention.eventDays,
    KEEP_ACCESS_RECORDS_DAYS: config.retention.accessRecordDays,
    FREE_SPACE_MIN_MB: config.freeSpaceMinMb,
    LOG_LEVEL: config.logLevel,
    AUDIT_HEADS_MINUTES: config.auditHeadsMinutes,
    STALE_PRICE_DAYS: config.closeChecks.stalePriceDays,
    CLOSE_SECOND_PERSON: config.closeChecks.secondPersonFrom,
    SANDBOXES_MAX: config.sandboxesMax,
    SANDBOXES_READY: config.sandboxesReady,
  }
  for (const [name, value] of Object.entries(defaults))
    assert.ok(text.includes(`\n| \`${name}\` | \`${value}\` |`), `${name} ${value}`)
  const rows = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|.*?\b(\d+) to (\d+)\b/gm)]
  assert.ok(rows.length >= 10)
  for (const [, name = '', least, most] of rows) {
    const isAccepted = (value: number) =>
      !examineConfig({ [name]: String(value) }, []).mistakes.some((each) => each.startsWith(name))
    const around = [Number(least) - 1, Number(least), Number(most), Number(most) + 1].map(isAccepted)
    assert.deepEqual(around, [false, true, true, false], name)
  }
})

test('docs/operating.md has the conditions under which settings have no effect', () => {
  const text = read('docs/operating.md')
  for (const { condition, settings } of rulesWithoutEffect) {
    const row = `| ${condition} | ${settings.map((name) => `\`${name}\``).join(', ')} |`
    assert.ok(text.includes(row), row)
  }
})

test('the table of limits names every list of client firms whose pages can be larger than the others', () => {
  const rows = read('docs/guides/going-to-production.md')
    .split('\n')
    .filter((line) => line.startsWith('| Entries of a page'))
  const larger = Object.entries(operations).flatMap(([name, { audience, request }]) => {
    const { size } = request.properties as { size?: { maximum: number } }
    return audience !== 'firm' || size === undefined || size.maximum <= limits.pageSizeMax
      ? []
      : [[name, size.maximum.toLocaleString('en-US')] as const]
  })
  assert.ok(larger.length > 0)
  for (const [name, maximum] of larger)
    assert.ok(
      rows.some((row) => row.includes(`\`${name}\``) && row.includes(`| ${maximum} |`)),
      `${name} ${maximum}`,
    )
})
