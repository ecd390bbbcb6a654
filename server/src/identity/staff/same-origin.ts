/**
 * Whether a request with a session comes from the console itself: it carries a header that no foreign page can set without asking
 * first, which this service never allows, and what the browser says of its origin agrees.
 */
import type { IncomingMessage } from 'node:http'

export const consoleHeader = 'x-clearing-console'

/** Why it does not; undefined when it does. */
export const whyForeign = (raw: IncomingMessage, origin: string): string | undefined => {
  const { headers } = raw
  if (headers[consoleHeader] !== '1') return 'Requests with a session carry the header X-Clearing-Console: 1.'
  if (headers.origin !== undefined && headers.origin !== origin) return 'The request comes from another site.'
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'The request comes from another site.'
  return undefined
}
