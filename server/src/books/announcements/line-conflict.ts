/** Rejections of lines of load-corporate-actions that contradict a stored announcement. */
import { type Rejection, reject } from '@clearing/protocol/values'

/** The id of the line is stored with other contents. */
export function conflictOf(externalId: string, field: string): Rejection {
  return reject(
    'ERR.2018',
    field,
    `A line with the externalId ${externalId} is stored with another ${field}. To amend an announcement, send a line with an externalId of its own that names the announcement in amends.`,
  )
}

/** The contents of the line are stored with another id. */
export function announcedAs(externalId: string): Rejection {
  return reject(
    'ERR.2050',
    'externalId',
    `${externalId} has the same security, type, dates and terms. Both would be booked.`,
  )
}
