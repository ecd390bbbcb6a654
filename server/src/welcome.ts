/**
 * The messages of a start for people. A failed start prints the reason. The sandbox prints, when it is ready,
 * its address, the credentials, a command to paste, and the address of the reference.
 */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Logger } from 'pino'
import { isMistakeOfOurs } from './commands/is-mistake.ts'
import type { Config } from './config/config.ts'

export function isForPeople(config: Config): boolean {
  return config.mode === 'sandbox' && process.stdout.isTTY === true
}

/** A start that fails or is ready before this time needs no explanation. */
const explainAfterMs = 3_000

/** Explains to people why a first start takes long. Returns a function that ends this. */
export function explainFirstStart(config: Config): () => void {
  const { database, dataDir, empty } = config
  const isFirst = database.kind === 'embedded' && !existsSync(join(dataDir, 'postgres'))
  if (!isForPeople(config) || !isFirst) return () => {}
  const what = empty ? 'the database' : 'the database and the demonstration accounts'
  const words = `The first start makes ${what} in ${placeOfData(config)}. It takes up to a minute …`
  const timer = setTimeout(() => console.log(words), explainAfterMs)
  return () => clearTimeout(timer)
}

export function greet(
  config: Config,
  { address, staffPassword }: { readonly address: string; readonly staffPassword: string | undefined },
): void {
  if (config.mode === 'sandbox')
    process.stdout.write(renderWelcome(address, staffPassword ?? '', placeOfData(config)))
}

/** Warns of settings that are given and change nothing. */
export function warnOfSettings({ withoutEffect }: Config, log: Logger): void {
  for (const { setting, why } of withoutEffect) log.warn({ setting, why }, 'a setting has no effect')
}

/** Writes the reason once: as a line for people or when the log is silent, or as a log line. */
export function reportFailedStart(fault: unknown, log: Logger, config: Config): void {
  // With LOG_LEVEL=silent, the reason would be lost.
  if (isForPeople(config) || !log.isLevelEnabled('fatal'))
    console.error(isMistakeOfOurs(fault) ? fault : (fault as Error).message)
  else if (isMistakeOfOurs(fault)) log.fatal({ err: fault }, 'the service did not start')
  else log.fatal({ reason: (fault as Error).message }, 'the service did not start')
}

function renderWelcome(address: string, staffPassword: string, data: string): string {
  return `
Clearing Account Service, sandbox, on ${address}

  client firm   alpha       alpha-sandbox-secret        entity 301, rep codes JC01 JC02
  client firm   beta        beta-sandbox-secret         entity 302, rep code BB01
  operations    operations  operations-sandbox-secret
  console       ${address}/console/   password ${staffPassword}
                operator@example.com, principal@example.com, viewer@example.com, admin@example.com

  curl -s ${address}/account-api/v1/code-lists -H 'Content-Type: application/json' -d '{"name":"registrationType"}' \\
    -H "Authorization: Bearer $(curl -s ${address}/identity/connect/token -d client_id=alpha \\
    -d client_secret=alpha-sandbox-secret | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')"

  documentation ${address}/docs      contract ${address}/openapi.json
  Clock, snapshots, scenarios, trades: operations below ${address}/sandbox-api/v1/ (docs/guides/sandbox.md)

Ctrl-C stops it. Data stays in ${data}.
`
}

function placeOfData({ database, dataDir }: Config): string {
  if (database.kind === 'external') return `your database and ${dataDir}`
  const below = relative(process.cwd(), dataDir)
  return below === '' || below.startsWith('..') ? dataDir : `./${below}`
}
