/**
 * The only reader of the environment. It reads all settings, then decides, reports every mistake at once, and returns a
 * frozen value that is passed down.
 */

import { resolve } from 'node:path'
import type { Severity } from '@clearing/domain/books'
import type { ConcentrationTier } from '@clearing/domain/market'
import { type AccountNumbers, parseAccountNumbers } from './account-numbers.ts'
import { type CheckSettings, usualChecks } from './close-checks.ts'
import { parseConcentration } from './concentration.ts'
import { checkDatabaseAddresses } from './database-addresses.ts'
import { defaultMarginRates, type MarginRate, parseMarginRates } from './margin-rate.ts'
import { type OutsideProviderSettings, readStaffProvider } from './outside-provider-settings.ts'
import { readProcesses } from './processes.ts'
import { Settings } from './read-settings.ts'
import { type Retention, readRetention } from './retention.ts'
import { readCertificateHeader, readTrustedProxies } from './trusted-proxies.ts'
import { findWithoutEffect, type WithoutEffect } from './without-effect.ts'

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
    | {
        readonly kind: 'external'
        readonly url: string
        readonly ownerUrl: string
        /** A pooler in transaction mode, for the requests of firms. */
        readonly firmsUrl: string | undefined
        /** Standbys that answer reads. */
        readonly readUrl: string | undefined
      }
  readonly retention: Retention
  /** How far a standby that answers reads may be behind the primary. */
  readonly replicaLagMaxSeconds: number
  /** Processes behind the port. With more than one, a parent runs them. */
  readonly processes: number
  readonly connectionsMax: number
  readonly jobsAtOnce: number
  /** Files with one base64 key each; the first holds the current key. */
  readonly masterKeyFiles: readonly string[]
  readonly blobs:
    | {
        readonly kind: 'folder'
        readonly folder: string
        /** The setting that determines the folder. */
        readonly setting: 'DOCUMENTS_DIR' | 'DATA_DIR'
      }
    | {
        readonly kind: 's3'
        readonly bucket: string
        readonly endpoint: string | undefined
        readonly region: string
        /** The AWS keys; undefined when the AWS SDK uses its usual sources. */
        readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
      }
  /** `host:port` or the socket path of clamd. Without it, documents are not scanned. */
  readonly virusScanner: string | undefined
  readonly trustedProxies: readonly string[]
  /** The header in which trusted proxies pass on the TLS certificate of a client, in lower case. */
  readonly clientCertificateHeader: string | undefined
  readonly logLevel: string
  readonly traceExporter: string | undefined
  /** The account numbers that this cell assigns; undefined means all. */
  readonly accountNumbers: AccountNumbers | undefined
  /** The name of this cell, and the directory that all cells share. */
  readonly cell: { readonly name: string; readonly directoryUrl: string } | undefined
  /** True if updates are refused outside 07:00 to 19:30 US Eastern and on holidays (Reading 10). */
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
  /** The house's add-on for concentrated positions; absent by default. */
  readonly concentration: readonly ConcentrationTier[]
  /** The process is not ready while a disk that it writes to has less free space than this. */
  readonly freeSpaceMinMb: number
  /** The port of the metrics, when it is not the main port. */
  readonly metricsPort: number | undefined
  /** How long after SIGTERM the process still serves, while it is not ready, so that proxies send no more requests. */
  readonly drainSeconds: number
  /** The largest number of isolated sandboxes of all firms; 0: none. */
  readonly sandboxesMax: number
  /**
   * The number of isolated sandboxes that are prepared from the start on. With 0, one is prepared after the
   * first request.
   */
  readonly sandboxesReady: number
  /** An OpenID provider that signs staff in, instead of passwords of this service. */
  readonly staffProvider: OutsideProviderSettings | undefined
  /** Settings that are given and change nothing. A start warns of each. */
  readonly withoutEffect: readonly WithoutEffect[]
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

/** Reads the configuration. Throws ConfigMistakes. */
export function readConfig(environment: NodeJS.ProcessEnv, words: readonly string[]): Config {
  const { config, mistakes } = examineConfig(environment, words)
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  return config
}

/** Reads the configuration with all its mistakes. A setting with a mistake has its default. */
export function examineConfig(
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
): { readonly config: Config; readonly mistakes: readonly string[] } {
  const settings = new Settings(environment)
  const { mistakes } = settings
  const text = (name: string) => settings.text(name)
  const mode = settings.choice('CLEARING_MODE', ['sandbox', 'production'], 'sandbox')
  const host = text('HOST') ?? '127.0.0.1'
  const port = settings.whole('PORT', 8080, 0, 65_535)
  const metricsPort = text('METRICS_PORT') ? settings.whole('METRICS_PORT', 9464, 1, 65_535) : undefined
  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const url = text('DATABASE_URL')
  const ownerUrl = text('DATABASE_OWNER_URL')
  const masterKeyFiles = settings.list('MASTER_KEY_FILE')
  const masterKeys = masterKeyFiles.flatMap((file) => settings.readFile('MASTER_KEY_FILE', file) ?? [])
  checkDatabaseAddresses(settings)
  const schemes = mode === 'production' ? ['https'] : ['https', 'http']
  const issuer = text('ISSUER')
  if (issuer && settings.isAddress('ISSUER', schemes)) {
    // RFC 8414, section 2. Tokens and the metadata publish the address.
    if (/[@?#]/.test(issuer)) mistakes.push('ISSUER must have no user name, query or fragment')
  }
  for (const name of ['S3_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    settings.isAddress(name, ['https', 'http'])
  if (mode === 'production') {
    if (!url) mistakes.push('DATABASE_URL must name your own PostgreSQL in production')
    if (masterKeyFiles.length === 0)
      mistakes.push('MASTER_KEY_FILE must name a file with the master key in production')
    if (!issuer) mistakes.push('ISSUER must be the public address of the service in production')
  }
  const firmsUrl = text('DATABASE_FIRMS_URL')
  if (ownerUrl && !url) mistakes.push('DATABASE_OWNER_URL needs DATABASE_URL')
  const readUrl = text('DATABASE_READ_URL')
  if (firmsUrl && !url) mistakes.push('DATABASE_FIRMS_URL needs DATABASE_URL')
  if (readUrl && !url) mistakes.push('DATABASE_READ_URL needs DATABASE_URL')
  if (metricsPort !== undefined && metricsPort === port)
    mistakes.push('METRICS_PORT must not be the port of the service')
  const ownAddress = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (issuer === undefined && !URL.canParse(ownAddress))
    mistakes.push('HOST must be an address of this machine, such as 127.0.0.1 or ::1')
  const unknown = words.filter((word) => word !== '--empty')
  if (unknown.length > 0) mistakes.push(`unknown command or option ${unknown.join(' ')}; --help lists them`)

  const config: Config = {
    mode,
    host,
    port,
    issuer: issuer ?? ownAddress,
    dataDir,
    empty: words.includes('--empty'),
    database: url
      ? { kind: 'external', url, ownerUrl: ownerUrl ?? url, firmsUrl, readUrl }
      : { kind: 'embedded' },
    retention: readRetention(settings),
    replicaLagMaxSeconds: settings.whole('REPLICA_LAG_MAX_SECONDS', 10, 1, 3_600),
    processes: readProcesses(settings, mode),
    connectionsMax: settings.whole('DATABASE_CONNECTIONS', 10, 2, 200),
    jobsAtOnce: settings.whole('JOBS_AT_ONCE', 4, 1, 64),
    masterKeyFiles,
    blobs: readBlobs(settings, dataDir),
    virusScanner: readScanner(settings),
    trustedProxies: readTrustedProxies(settings),
    clientCertificateHeader: readCertificateHeader(settings),
    logLevel: settings.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
    traceExporter: text('OTEL_EXPORTER_OTLP_ENDPOINT'),
    accountNumbers: readAccountNumbers(settings),
    cell: readCell(settings),
    updateHours: settings.choice('UPDATE_HOURS', ['on', 'off'], 'off') === 'on',
    auditHeadsMinutes: settings.whole('AUDIT_HEADS_MINUTES', 10, 1, 1_440),
    closeAt: readTimeOfDay(settings, 'CLOSE_AT'),
    closeChecks: {
      stalePriceDays: settings.whole('STALE_PRICE_DAYS', usualChecks.stalePriceDays, 0, 366),
      secondPersonFrom: severityOf(
        settings.choice('CLOSE_SECOND_PERSON', ['High', 'Medium', 'Low', 'off'], 'High'),
      ),
    },
    marginRates: readMarginRates(settings),
    concentration: readConcentration(settings),
    freeSpaceMinMb: settings.whole('FREE_SPACE_MIN_MB', 32, 0, 1_000_000),
    metricsPort,
    drainSeconds: settings.whole('DRAIN_SECONDS', mode === 'production' ? 5 : 0, 0, 300),
    sandboxesMax: settings.whole('SANDBOXES_MAX', 20, 0, 1_000),
    sandboxesReady: settings.whole('SANDBOXES_READY', 0, 0, 20),
    staffProvider: readStaffProvider(settings, schemes),
    withoutEffect: findWithoutEffect(
      { mode, terminal: process.stdout.isTTY === true, masterKeys, text },
      new Set([...settings.given, ...words]),
    ),
  }
  return { config: Object.freeze(config), mistakes }
}

function readBlobs(settings: Settings, dataDir: string): Config['blobs'] {
  const bucket = settings.text('S3_BUCKET')
  const accessKeyId = settings.text('AWS_ACCESS_KEY_ID')
  const secretAccessKey = settings.text('AWS_SECRET_ACCESS_KEY')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    settings.mistakes.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given together')
  if (bucket === undefined) {
    for (const name of ['S3_ENDPOINT', 'S3_REGION'])
      if (settings.text(name)) settings.mistakes.push(`${name} needs S3_BUCKET`)
    const folder = settings.text('DOCUMENTS_DIR')
    return folder === undefined
      ? { kind: 'folder', folder: resolve(`${dataDir}/documents`), setting: 'DATA_DIR' }
      : { kind: 'folder', folder: resolve(folder), setting: 'DOCUMENTS_DIR' }
  }
  return {
    kind: 's3',
    bucket,
    endpoint: settings.text('S3_ENDPOINT'),
    region: settings.text('S3_REGION') ?? 'us-east-1',
    // A session token of the environment belongs to its keys, so the AWS SDK reads all three.
    credentials:
      accessKeyId && secretAccessKey && !settings.text('AWS_SESSION_TOKEN')
        ? { accessKeyId, secretAccessKey }
        : undefined,
  }
}

function readScanner(settings: Settings): string | undefined {
  const given = settings.text('CLAMD')
  if (given === undefined || given.startsWith('/')) return given
  const port = Number(/^[^\s:/]+:(\d{1,5})$/.exec(given)?.[1])
  if (!(port >= 1 && port <= 65_535))
    settings.mistakes.push('CLAMD must be host:port, or the absolute path of a socket')
  return given
}

function readTimeOfDay(settings: Settings, name: string): string | undefined {
  const given = settings.text(name)
  if (given === undefined || given === 'off') return undefined
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(given)) return given
  settings.mistakes.push(`${name} must be off or a time such as 18:00`)
  return undefined
}

function readAccountNumbers(settings: Settings): AccountNumbers | undefined {
  const given = settings.text('ACCOUNT_NUMBERS')
  const numbers = given === undefined ? undefined : parseAccountNumbers(given)
  if (given !== undefined && numbers === undefined)
    settings.mistakes.push('ACCOUNT_NUMBERS must be a range of first two digits from 10 to 99, such as 10-54')
  return numbers
}

function readCell(settings: Settings): Config['cell'] {
  const name = settings.text('CELL')
  const directoryUrl = settings.text('DIRECTORY_URL')
  if (name === undefined && directoryUrl === undefined) return undefined
  if (name === undefined || directoryUrl === undefined || settings.text('ACCOUNT_NUMBERS') === undefined)
    settings.mistakes.push('CELL, ACCOUNT_NUMBERS and DIRECTORY_URL must be given together')
  if (name !== undefined && !/^[a-z][a-z0-9-]{0,19}$/.test(name))
    settings.mistakes.push('CELL must be a name of small letters, digits and -, such as cell-0')
  return name !== undefined && directoryUrl !== undefined ? { name, directoryUrl } : undefined
}

function readConcentration(settings: Settings): readonly ConcentrationTier[] {
  const given = settings.text('MARGIN_CONCENTRATION')
  const tiers = given === undefined ? [] : parseConcentration(given)
  if (tiers === undefined)
    settings.mistakes.push(
      'MARGIN_CONCENTRATION must be shares of equity and add-ons in percent such as 60=10,100=25',
    )
  return tiers ?? []
}

function readMarginRates(settings: Settings): readonly MarginRate[] {
  const given = settings.text('MARGIN_RATES')
  if (given === undefined) return defaultMarginRates
  const rates = parseMarginRates(given)
  if (rates === undefined)
    settings.mistakes.push('MARGIN_RATES must be rates in percent such as 8.5,2026-07-01=8.25')
  return rates ?? defaultMarginRates
}

function severityOf(given: Severity | 'off'): Severity | undefined {
  return given === 'off' ? undefined : given
}
