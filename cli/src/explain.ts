/**
 * Explains a failure: the rejected fields, the remedy and the traceId to quote. With `--json`, writes the same as one
 * line of JSON.
 */
import {
  CallFailed,
  EventsMissed,
  OutcomeUnknown,
  RequestRejected,
  ServiceUnavailable,
  TokenRefused,
} from '@clearing/sdk'
import { reasonOf } from './read-input.ts'
import { renderJson } from './render-json.ts'
import type { Terminal } from './terminal.ts'
import type { ExitCode } from './verb.ts'
import { Interrupted, WrongUsage } from './wrong-usage.ts'

/** What to check if the service does not answer, and if it rejects the credential. */
interface Checks {
  readonly address: string
  readonly credential: string
}

/** Prints a failure and returns its exit code. */
export function explain(
  error: unknown,
  json: boolean,
  terminal: Terminal,
  checks: Checks = { address: checkAddress(terminal), credential: checkCredential(terminal) },
): ExitCode {
  if (error instanceof Interrupted || terminal.signal.aborted) return interrupted
  if (json) terminal.note(renderJson({ error: describe(error) }))
  else for (const line of renderFailure(error, terminal, checks)) terminal.note(line)
  return error instanceof WrongUsage ? 2 : 1
}

/** The exit code of shells: 128 plus the number of the signal. */
const interrupted = 130

function describe(error: unknown): Record<string, unknown> {
  if (error instanceof CallFailed) {
    const { name, operation, status, summary, rejections, traceId, idempotencyKey, retryAfterMs } = error
    return {
      name,
      operation,
      status,
      message: summary,
      errors: rejections,
      traceId,
      idempotencyKey,
      retryAfterMs,
    }
  }
  if (error instanceof TokenRefused) {
    return { name: error.name, status: error.status, error: error.error, message: error.message }
  }
  if (error instanceof EventsMissed) return { name: error.name, message: error.message, cursor: error.cursor }
  return error instanceof Error ? { name: error.name, message: error.message } : { message: String(error) }
}

function renderFailure(error: unknown, terminal: Terminal, checks: Checks): string[] {
  const red = (text: string) => terminal.style('red', text)
  if (error instanceof CallFailed) return renderCallFailed(error, terminal, checks)
  if (error instanceof TokenRefused) {
    if (error.status !== 401) return [red(error.message), checks.address]
    return [red(error.message), ...(error.advice === undefined ? [] : [checks.credential])]
  }
  if (error instanceof EventsMissed) {
    return [red(error.message), `Read your accounts again, then continue: --cursor ${error.cursor}`]
  }
  return [red(error instanceof Error ? reasonOf(error) : String(error))]
}

const profileList = 'clearing profile list'

/**
 * The source of a wrong address or credential, where it must be corrected. The environment takes precedence over the
 * profile.
 */
function checkAddress({ environment: { CLEARING_URL: url } }: Terminal): string {
  return url
    ? `Check that CLEARING_URL is the address of the service: ${url}`
    : `Check that the address is that of the service: ${profileList}`
}

function checkCredential({ environment }: Terminal): string {
  const given = ['CLEARING_CLIENT_ID', 'CLEARING_CLIENT_SECRET'].filter((name) => environment[name])
  return given.length > 0
    ? `Check ${given.join(' and ')}.`
    : `Check the client id and the secret of the profile: ${profileList}`
}

function renderCallFailed(error: CallFailed, terminal: Terminal, checks: Checks): string[] {
  const { operation, status, summary, rejections, traceId } = error
  const what = error instanceof RequestRejected ? 'was refused' : 'failed'
  const head = `${operation} ${what}${status === undefined ? '' : ` (${status})`}: ${summary}`
  const codes = rejections.map(
    ({ code, field, reason }) =>
      `  ${terminal.style('bold', field === '' ? code : `${code} ${field}`)}\n      ${reason}`,
  )
  return [
    terminal.style('red', head),
    ...codes,
    ...remedies(error, checks).map((remedy) => `  ${remedy}`),
    terminal.style('dim', `  traceId ${traceId}`),
  ]
}

function remedies(error: CallFailed, checks: Checks): string[] {
  if (error instanceof OutcomeUnknown) {
    return [`Send it again with --idempotency-key ${error.idempotencyKey}: it takes effect once`]
  }
  if (error instanceof ServiceUnavailable) {
    const later = 'Nothing was changed: try again later.'
    return error.status === undefined ? [later, checks.address] : [later]
  }
  if (error.has('ERR.2029')) return ['Call from a network of the credential, or ask operations to add yours.']
  if (error.status === 403) return [`Another profile may have the permission: ${profileList}`]
  if (error.rejections.length > 0 || error.status === undefined) return []
  return [checks.address]
}
