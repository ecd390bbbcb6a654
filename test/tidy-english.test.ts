/**
 * Keeps private words out of names, comments and messages. Each banned word has a reason and the standard term that
 * replaces it.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { findSources, root } from './source-files.ts'

interface BannedWord {
  readonly word: string
  /** Matched against text whose camelCase names are split into words. */
  readonly pattern: RegExp
  readonly reason: string
  readonly instead: string
  /** Files in which the word has its ordinary meaning. */
  readonly allowed?: RegExp
}

/** A user of Unix, the texts of forms that people sign, and released codes of a filter. */
const people = /^server\/src\/documents\/forms\/|embedded-binaries\.ts$|^protocol\/src\/codes\/staff\.ts$/

const bannedWords: readonly BannedWord[] = [
  {
    word: 'twin',
    pattern: /\btwins?\b/i,
    reason: 'The field has a name for two equal requests at the same time.',
    instead: 'concurrent duplicate',
  },
  {
    word: 'kept answer',
    pattern: /\bkept answers?\b/i,
    reason: 'Stripe and the IETF draft on idempotency speak of responses that are stored.',
    instead: 'stored response',
  },
  {
    word: 'doors',
    pattern: /\bdoors?\b/i,
    reason: 'The image hides whether calls are refused or awaited.',
    instead: 'drain, or admission',
  },
  {
    // The product Postman has a capital letter, and its files have an extension.
    word: 'postman',
    pattern: /\bpostmen\b|\bpostman\b(?!\.(?:ts|json)\b| collection)|\bopen Postman\b/,
    allowed: /^protocol\/src\/openapi\/postman/,
    reason: 'A program is no person.',
    instead: 'dispatcher, or sender',
  },
  {
    // `investmentTimeHorizon` is a field of the specification.
    word: 'horizon',
    pattern: /(?<!\btime )\bhorizons?\b/i,
    reason: 'Logs have a name for the position below which nothing changes.',
    instead: 'low watermark',
  },
  {
    word: 'picture',
    pattern: /\bpictures?\b/i,
    reason: 'State at one moment is no image.',
    instead: 'snapshot',
    // Files about real images: of a document or a screen.
    allowed:
      /^server\/src\/(documents|docs-site)\/|^console\/src\/main|^test\/(console\/|acceptance\/(documents|pdf-readers))|^(README|docs\/guides\/console)\.md$/,
  },
  {
    word: 'told',
    pattern: /\btold\b/i,
    reason: 'Programs report, notify, respond and return.',
    instead: 'reported, notified, answered, or given',
    allowed: /^server\/src\/documents\/forms\//,
  },
  {
    word: 'whoever',
    pattern: /\bwhoever\b/i,
    reason: 'A program is no person.',
    instead: 'the caller, the process, the client: the noun itself',
  },
  {
    word: 'nobody, somebody, anybody, everybody',
    // In quotes, after a comma or a dash, or before an @, the word is data.
    pattern: /(?<!['"=,-]|\b(?:Bearer|profile) )\b(?:no|some|any|every)body\b(?!@)/i,
    reason: 'A program is no person.',
    instead: 'no caller, another process, a person, every client: the noun itself',
    allowed: people,
  },
  {
    word: 'till',
    pattern: /\btills?\b/i,
    reason: 'It means a drawer for cash, or until.',
    instead: 'until, or the name of the store',
  },
]

const sources = findSources('**/*.{ts,tsx}')
/** `docs/specification.md` is given. Decisions and migrations are not edited later. */
const files = [
  ...sources.filter((file) => file !== 'test/tidy-english.test.ts'),
  ...globSync('{*.md,docs/**/*.md,{sdk,cli,protocol}/README.md}', { cwd: root }).filter(
    (file) => file !== 'docs/specification.md',
  ),
]

const texts = new Map<string, string>()
/** The text of a file, with its names split into words. */
function readWords(file: string): string {
  const known = texts.get(file)
  if (known !== undefined) return known
  const text = splitNames(readFileSync(resolve(root, file), 'utf8'))
  texts.set(file, text)
  return text
}

/** `keptAnswer` → `kept Answer`, `kept_answer` → `kept answer`. */
function splitNames(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** Lines that contain the word. The file's own name counts as its line 0. */
function findWord({ pattern, allowed }: BannedWord, file: string, words: string): string[] {
  if (allowed?.test(file)) return []
  const name = splitNames(file.replace(/[-/.]/g, ' '))
  if (!pattern.test(words) && !pattern.test(name)) return []
  return [name, ...words.split('\n')].flatMap((line, number) =>
    pattern.test(line) ? [`${file}:${number}: ${line.trim()}`] : [],
  )
}

describe('plain English', () => {
  test('the files are found', () => assert.ok(files.length > 350, `${files.length}`))

  for (const banned of bannedWords) {
    test(`no "${banned.word}": ${banned.reason} Write: ${banned.instead}`, () => {
      assert.deepEqual(
        files.flatMap((file) => findWord(banned, file, readWords(file))),
        [],
      )
    })
  }

  const wrong: readonly [word: string, text: string][] = [
    ['twin', 'const twinWaitMs = 1'],
    ['kept answer', 'interface KeptAnswer {}'],
    ['kept answer', "statement('keep', 'kept_answer')"],
    ['doors', '// While the doors are shut'],
    ['postman', 'this.#postman.send()'],
    ['horizon', 'export const readHorizon = () => 1'],
    ['picture', 'let picture: Picture | undefined'],
    ['told', 'const everybodyIsTold = 1'],
    ['whoever', '/** Whoever asks waits. */'],
    ['nobody, somebody, anybody, everybody', '// Nobody waits for it.'],
    ['till', '// Not till then.'],
  ]
  for (const [word, text] of wrong) {
    test(`finds "${word}" in ${text}`, () => {
      const banned = bannedWords.find((each) => each.word === word) as BannedWord
      assert.equal(findWord(banned, 'server/src/some.ts', splitNames(text)).length, 1)
    })
  }

  const right = [
    'investmentTimeHorizon: string',
    "import { render } from './postman.ts'",
    '// Postman reads it.',
  ]
  for (const text of right) {
    test(`leaves alone ${text}`, () => {
      assert.deepEqual(
        bannedWords.flatMap((banned) => findWord(banned, 'server/src/some.ts', splitNames(text))),
        [],
      )
    })
  }

  test('finds a word in the name of a file', () => {
    const [twin] = bannedWords as [BannedWord]
    assert.equal(findWord(twin, 'server/src/http/twin-wait.ts', '').length, 1)
  })
})
