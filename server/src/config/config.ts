/**
 * The only reader of the environment. It reads all settings, then decides, reports every mistake at once, and returns a
 * frozen value that is passed down.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Severity } from '@clearing/domain/books'
import { codeLists, type StaffRole } from '@clearing/protocol'
import { type CheckSettings, usualChecks } from './close-checks.ts'
import { defaultMarginRates, type MarginRate, parseMarginRates } from './margin-rate.ts'
import type { OutsideProviderSettings } from './outside-provider-settings.ts'

export type Mode = 'sandbox' | 'production'

export interface Config {
  readonly mode: Mode
  readonly host: string
  readonly port: number
  /** The address that tokens name as their issuer. */
  readonly issuer: string
  readonly dataDir: string
  /** Leaves out the demonstration accounts. */
  readonly empty: boolean
  readonly database:
    | { readonly kind: 'embedded' }
    | { readonly kind: 'external'; readonly url: string; readonly ownerUrl: string }
  readonly connectionsMax: number
  readonly jobsAtOnce: number
  /** Files with one base64 key each; the first holds the current key. */
  readonly masterKeyFiles: readonly string[]
  readonly blobs:
    | { readonly kind: 'folder'; readonly folder: string }
    | {
        readonly kind: 's3'
        readonly bucket: string
        readonly endpoint: string | undefined
        readonly region: string
      }
  /** `host:port` or the socket path of clamd. Without it, documents are not scanned. */
  readonly virusScanner: string | undefined
  readonly trustedProxies: readonly string[]
  readonly logLevel: string
  readonly traceExporter: string | undefined
  /** Updates are refused outside 07:00 to 19:30 US Eastern and on holidays (Reading 10). */
  readonly updateHours: boolean
  /** How often the heads of the audit chains are signed. */
  readonly auditHeadsMinutes: number
  /**
   * The time at which the clock closes the business day, US Eastern (`18:00`). Undefined: only close-business-day
   * closes it.
   */
  readonly closeAt: string | undefined
  /** Settings of the checklist of a close: stale data, and when a second person is needed. */
  readonly closeChecks: CheckSettings
  /** The interest on margin debits in percent a year, by first day (`8.5,2026-07-01=8.25`). */
  readonly marginRates: readonly MarginRate[]
  /** The process is not ready while a disk that it writes to has less free space. */
  readonly freeSpaceMinMb: number
  /** The port of the metrics, when it is not the main port. */
  readonly metricsPort: number | undefined
  /** An OpenID provider that signs staff in, instead of passwords of this service. */
  readonly staffProvider: OutsideProviderSettings | undefined
}

export class ConfigMistakes extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(
      `The configuration has ${mistakes.length} mistake(s):\n${mistakes.map((each) => `  - ${each}`).join('\n')}`,
    )
    this.mistakes = mistakes
  }
}

export function readConfig(environment: NodeJS.ProcessEnv, settings: readonly string[]): Config {
  const mistakes: string[] = []
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined
  const choice = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const given = text(name)
    if (given === undefined) return fallback
    if ((values as readonly string[]).includes(given)) return given as T
    mistakes.push(`${name} must be one of ${values.join(', ')}`)
    return fallback
  }
  const whole = (name: string, fallback: number, smallest: number, largest: number): number => {
    const given = text(name)
    if (given === undefined) return fallback
    const number = Number(given)
    if (Number.isInteger(number) && number >= smallest && number <= largest) return number
    mistakes.push(`${name} must be a whole number from ${smallest} to ${largest}`)
    return fallback
  }

  const timeOfDay = (name: string): string | undefined => {
    const given = text(name)
    if (given === undefined || given === 'off') return undefined
    if (/^([01]\d|2[0-3]):[0-5]\d$/.test(given)) return given
    mistakes.push(`${name} must be off or a time such as 18:00`)
    return undefined
  }

  const ratesOf = (name: string): readonly MarginRate[] => {
    const given = text(name)
    if (given === undefined) return defaultMarginRates
    const rates = parseMarginRates(given)
    if (rates === undefined) mistakes.push(`${name} must be rates in percent such as 8.5,2026-07-01=8.25`)
    return rates ?? defaultMarginRates
  }

  const mode = choice('CLEARING_MODE', ['sandbox', 'production'], 'sandbox')
  const host = text('HOST') ?? '127.0.0.1'
  const port = whole('PORT', 8080, 0, 65_535)
  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const url = text('DATABASE_URL')
  const keyFiles = (text('MASTER_KEY_FILE') ?? '').split(',').filter(Boolean)
  for (const file of keyFiles)
    if (!existsSync(file)) mistakes.push(`MASTER_KEY_FILE: there is no file ${file}`)
  if (mode === 'production') {
    if (!url) mistakes.push('DATABASE_URL must name a PostgreSQL of yours in production')
    if (keyFiles.length === 0)
      mistakes.push('MASTER_KEY_FILE must name a file with the master key in production')
    if (!text('ISSUER')) mistakes.push('ISSUER must be the public address of the service in production')
  }
  if (url && !/^postgres(ql)?:\/\//.test(url)) mistakes.push('DATABASE_URL must be a postgresql:// address')
  for (const name of ['ISSUER', 'S3_ENDPOINT'] as const) {
    const given = text(name)
    if (given && !URL.canParse(given)) mistakes.push(`${name} must be an address`)
  }
  const staffProvider = readStaffProvider(text, mistakes)
  const unknown = settings.filter((setting) => setting !== '--empty')
  if (unknown.length > 0) mistakes.push(`unknown setting ${unknown.join(' ')}; there is --empty`)

  const bucket = text('S3_BUCKET')
  const config: Config = {
    mode,
    host,
    port,
    issuer: text('ISSUER') ?? `http://${host}:${port}`,
    dataDir,
    empty: settings.includes('--empty'),
    database: url
      ? { kind: 'external', url, ownerUrl: text('DATABASE_OWNER_URL') ?? url }
      : { kind: 'embedded' },
    connectionsMax: whole('DATABASE_CONNECTIONS', 10, 2, 200),
    jobsAtOnce: whole('JOBS_AT_ONCE', 4, 1, 64),
    masterKeyFiles: keyFiles,
    blobs: bucket
      ? { kind: 's3', bucket, endpoint: text('S3_ENDPOINT'), region: text('S3_REGION') ?? 'us-east-1' }
      : { kind: 'folder', folder: resolve(text('DOCUMENTS_DIR') ?? `${dataDir}/documents`) },
    virusScanner: text('CLAMD'),
    trustedProxies: (text('TRUSTED_PROXIES') ?? '').split(',').filter(Boolean),
    logLevel: choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
    traceExporter: text('OTEL_EXPORTER_OTLP_ENDPOINT'),
    updateHours: choice('UPDATE_HOURS', ['on', 'off'], 'off') === 'on',
    auditHeadsMinutes: whole('AUDIT_HEADS_MINUTES', 10, 1, 1_440),
    closeAt: timeOfDay('CLOSE_AT'),
    closeChecks: {
      stalePriceDays: whole('STALE_PRICE_DAYS', usualChecks.stalePriceDays, 0, 366),
      secondPersonFrom: severityOf(choice('CLOSE_SECOND_PERSON', ['High', 'Medium', 'Low', 'off'], 'High')),
    },
    marginRates: ratesOf('MARGIN_RATES'),
    freeSpaceMinMb: whole('FREE_SPACE_MIN_MB', 32, 0, 1_000_000),
    metricsPort: text('METRICS_PORT') ? whole('METRICS_PORT', 9464, 1, 65_535) : undefined,
    staffProvider,
  }
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  return Object.freeze(config)
}

function severityOf(given: Severity | 'off'): Severity | undefined {
  return given === 'off' ? undefined : given
}

/**
 * `STAFF_ROLES` reads `admin=console-admins operator=desk,night-desk`: our roles, and the provider's names for them.
 */
function readStaffProvider(
  text: (name: string) => string | undefined,
  mistakes: string[],
): OutsideProviderSettings | undefined {
  const issuer = text('STAFF_ISSUER')
  if (issuer === undefined) return undefined
  const clientId = text('STAFF_CLIENT_ID') ?? ''
  const clientSecret = text('STAFF_CLIENT_SECRET') ?? ''
  if (!URL.canParse(issuer)) mistakes.push('STAFF_ISSUER must be the address of an OpenID provider')
  if (!clientId || !clientSecret)
    mistakes.push('STAFF_CLIENT_ID and STAFF_CLIENT_SECRET must be given with STAFF_ISSUER')
  const roleValues: Partial<Record<StaffRole, readonly string[]>> = {}
  for (const pair of (text('STAFF_ROLES') ?? '').split(/\s+/).filter(Boolean)) {
    const [given = '', values = ''] = pair.split('=')
    const role = codeLists.staffRole.find(({ value }) => value === given)?.value
    if (role === undefined || values === '')
      mistakes.push(`STAFF_ROLES: ${pair} is not like operator=name,name`)
    else roleValues[role] = values.split(',')
  }
  if (Object.keys(roleValues).length === 0) mistakes.push('STAFF_ROLES must map at least one role')
  return { issuer, clientId, clientSecret, roleClaim: text('STAFF_ROLE_CLAIM') ?? 'groups', roleValues }
}
