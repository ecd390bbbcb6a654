/**
 * Checks that a page of the console acts for the person of the session. A page names the person whom it shows, because
 * its cookie becomes that of another person who signs in in a second window of the browser.
 */
import type { IncomingMessage } from 'node:http'
import { type Rejection, reject } from '@clearing/protocol'

const personHeader = 'x-clearing-person'

/** Undefined when the request names the person of the session, or does not name a person. */
export function refuseOtherPerson(raw: IncomingMessage, session: { staffId: string }): Rejection | undefined {
  const named = raw.headers[personHeader]
  if (named === undefined || named === session.staffId) return undefined
  return reject('ERR.3001', '', 'Another person has signed in in this browser. The request took no effect.')
}
