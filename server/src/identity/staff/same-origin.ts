/**
 * Checks that a request with a session comes from the console itself. The request must carry a header that a foreign
 * page cannot set without a preflight request, which this service never allows, and the browser's own statement of the
 * origin must agree.
 */
import type { IncomingMessage } from 'node:http'

export const consoleHeader = 'x-clearing-console'

/** Returns the reason why it does not; undefined when it does. */
export function whyForeign(raw: IncomingMessage, origin: string): string | undefined {
  const { headers } = raw
  if (headers[consoleHeader] !== '1')
    return 'Requests with a session must have the header X-Clearing-Console: 1.'
  if (headers.origin !== undefined && headers.origin !== origin) return 'The request comes from another site.'
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'The request comes from another site.'
  return undefined
}
