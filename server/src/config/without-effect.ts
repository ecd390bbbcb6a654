/**
 * Settings that are given and change nothing, because of another setting or of the mode. A start warns of each, and
 * `doctor` lists them, because the person who gave such a setting relies on it.
 */

/** What decides whether a setting has an effect. */
export interface Surrounding {
  readonly mode: 'sandbox' | 'production'
  /** True if the standard output is a terminal. */
  readonly terminal: boolean
  /** The contents of the files of MASTER_KEY_FILE. */
  readonly masterKeys: readonly string[]
  /** The text of a setting, also one that was read from a file. */
  readonly text: (name: string) => string | undefined
}

export interface WithoutEffect {
  /** The name as it was given. */
  readonly setting: string
  readonly why: string
}

interface Rule {
  /** The condition, as the documentation states it. */
  readonly condition: string
  readonly holds: (surrounding: Surrounding) => boolean
  readonly settings: readonly string[]
  /** What makes the settings ineffective, as the log states it. */
  readonly why: string
}

const bucketKeys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

export const rulesWithoutEffect: readonly Rule[] = [
  {
    condition: 'with `S3_BUCKET`',
    holds: ({ text }) => text('S3_BUCKET') !== undefined,
    settings: ['DOCUMENTS_DIR'],
    why: 'documents are kept in the bucket of S3_BUCKET',
  },
  {
    condition: 'without `S3_BUCKET`',
    holds: ({ text }) => text('S3_BUCKET') === undefined,
    settings: [...bucketKeys, ...bucketKeys.map((name) => `${name}_FILE`), 'AWS_SESSION_TOKEN'],
    why: 'S3_BUCKET is absent',
  },
  {
    condition: 'with `S3_BUCKET` and `AWS_SESSION_TOKEN`',
    holds: ({ text }) => text('S3_BUCKET') !== undefined && text('AWS_SESSION_TOKEN') !== undefined,
    settings: bucketKeys.map((name) => `${name}_FILE`),
    why: 'with AWS_SESSION_TOKEN, the keys are read from the environment and not from files',
  },
  {
    condition: 'with `S3_BUCKET`, without `AWS_ACCESS_KEY_ID`',
    holds: ({ text }) => text('S3_BUCKET') !== undefined && text('AWS_ACCESS_KEY_ID') === undefined,
    settings: ['AWS_SESSION_TOKEN'],
    why: 'AWS_ACCESS_KEY_ID is absent',
  },
  {
    condition: 'without `DATABASE_READ_URL`',
    holds: ({ text }) => text('DATABASE_READ_URL') === undefined,
    settings: ['REPLICA_LAG_MAX_SECONDS'],
    why: 'DATABASE_READ_URL is absent',
  },
  {
    condition: 'in production',
    holds: ({ mode }) => mode === 'production',
    settings: ['SANDBOXES_MAX', 'SANDBOXES_READY', '--empty'],
    why: 'CLEARING_MODE is production',
  },
  {
    condition: 'in a sandbox with `SANDBOXES_MAX=0`',
    holds: ({ mode, text }) => mode === 'sandbox' && Number(text('SANDBOXES_MAX')) === 0,
    settings: ['SANDBOXES_READY'],
    why: 'SANDBOXES_MAX is 0',
  },
  {
    condition: 'in a sandbox on a terminal, which logs warnings and errors',
    holds: ({ mode, terminal }) => mode === 'sandbox' && terminal,
    settings: ['LOG_LEVEL'],
    why: 'a sandbox on a terminal logs warnings and errors',
  },
  {
    condition: 'a second file with the same key, or the same file again',
    holds: ({ masterKeys }) => new Set(masterKeys).size < masterKeys.length,
    settings: ['MASTER_KEY_FILE'],
    why: 'two of its files hold the same key, so the second file adds none',
  },
]

/** `given` has the names of all settings that are not empty, and the words of the command. */
export function findWithoutEffect(surrounding: Surrounding, given: ReadonlySet<string>): WithoutEffect[] {
  return rulesWithoutEffect
    .filter(({ holds }) => holds(surrounding))
    .flatMap(({ settings, why }) =>
      settings.filter((name) => given.has(name)).map((setting) => ({ setting, why })),
    )
}
