/** The ids of the lines that the service makes from announcements. */

/** With which the ids of all lines of an announcement begin. */
export function prefixOf(externalId: string): string {
  return `CA-${externalId}-`
}

/** Which the announcement appends to the id of a line that it cancels itself. */
export const ownSuffix = '-C'
export function cancelOf(lineId: string): string {
  return `${lineId}${ownSuffix}`
}
