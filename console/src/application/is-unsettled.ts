/**
 * The statuses of follow-ups that may wait for an answer, or for a decision on it. An expired follow-up waits only if
 * it does not hold up the opening.
 */
const unsettled: ReadonlySet<string> = new Set(['Open', 'Answered', 'Rejected', 'Expired'])

export function isUnsettledStatus(status: string): boolean {
  return unsettled.has(status)
}
