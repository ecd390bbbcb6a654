/** The names of all environment variables of the service. Similar names are reported as misspelt ones. */

/** Secrets. Each can be given as a file instead, under its name with `_FILE`. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_FIRMS_URL',
  'DATABASE_READ_URL',
  'DIRECTORY_URL',
  'STAFF_CLIENT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
] as const

export type SecretName = (typeof secretNames)[number]

export function fileNameOf(secret: SecretName): string {
  return `${secret}_FILE`
}

export const settingNames: readonly string[] = [
  ...secretNames,
  ...secretNames.map(fileNameOf),
  'CLEARING_MODE',
  'ISSUER',
  'HOST',
  'PORT',
  'DATA_DIR',
  'PROCESSES',
  'DATABASE_CONNECTIONS',
  'REPLICA_LAG_MAX_SECONDS',
  'JOBS_AT_ONCE',
  'KEEP_REQUESTS_DAYS',
  'KEEP_DELIVERIES_DAYS',
  'KEEP_EVENTS_DAYS',
  'KEEP_ACCESS_RECORDS_DAYS',
  'MASTER_KEY_FILE',
  'DOCUMENTS_DIR',
  'FREE_SPACE_MIN_MB',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'AWS_SESSION_TOKEN',
  'CLAMD',
  'TRUSTED_PROXIES',
  'CLIENT_CERTIFICATE_HEADER',
  'ACCOUNT_NUMBERS',
  'CELL',
  'MARGIN_CONCENTRATION',
  'MARGIN_RATES',
  'METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'LOG_LEVEL',
  'AUDIT_HEADS_MINUTES',
  'CLOSE_AT',
  'STALE_PRICE_DAYS',
  'CLOSE_SECOND_PERSON',
  'STAFF_ISSUER',
  'STAFF_CLIENT_ID',
  'STAFF_ROLE_CLAIM',
  'STAFF_ROLES',
  'UPDATE_HOURS',
  'DRAIN_SECONDS',
  'SANDBOXES_MAX',
  'SANDBOXES_READY',
]

/** Names of other programs that are near ours. */
const namesOfOthers = new Set(['AWS_ACCESS_KEY', 'HOME', 'HOSTS', 'POST', 'AWS_SECRET_KEY'])

/**
 * Names that are taken for a setting, and are too far from it for a comparison. AWS_REGION is none of them: platforms
 * set it for every program.
 */
const knownSlips: Readonly<Record<string, string>> = {
  TRUSTED_PROXY: 'TRUSTED_PROXIES',
  MASTER_KEY: 'MASTER_KEY_FILE',
  CLOSE_TIME: 'CLOSE_AT',
}

/** One edit is allowed for this many characters, so that `HOME` is not taken for `HOST`. */
const charactersPerEdit = 5

/** Finds variables that are not settings but have a similar name. */
export function findMisspelt(names: readonly string[]): { given: string; meant: string }[] {
  const known = new Set(settingNames)
  return names.flatMap((given) => {
    if (known.has(given) || namesOfOthers.has(given)) return []
    const meant = knownSlips[given] ?? nearestSetting(given)
    return meant === undefined ? [] : [{ given, meant }]
  })
}

function nearestSetting(given: string): string | undefined {
  const plain = plainOf(given)
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const name of settingNames) {
    const target = plainOf(name)
    const allowed = Math.floor(target.length / charactersPerEdit)
    if (Math.abs(target.length - plain.length) > allowed) continue
    const edits = countEdits(plain, target)
    if (edits <= allowed && edits < fewest) [nearest, fewest] = [name, edits]
  }
  return nearest
}

/** Letter case and the kind of separator are common slips. */
function plainOf(name: string): string {
  return name.toUpperCase().replaceAll(/[-._]/g, '')
}

/** The edit distance: insertions, deletions and replacements that lead from one text to the other. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[at - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
