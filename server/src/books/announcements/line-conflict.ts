/** The rejection of a line of load-corporate-actions whose id is stored with other contents. */
import { type Rejection, reject } from '@clearing/protocol/values'

export function conflictOf(externalId: string, field: string): Rejection {
  return reject(
    'ERR.2018',
    field,
    `A line with the externalId ${externalId} is stored with another ${field}. To amend an announcement, send a line with an externalId of its own that names the announcement in amends.`,
  )
}
