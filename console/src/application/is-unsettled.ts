/** Follow-ups that wait for an answer, or for a decision on it. */
const unsettled: ReadonlySet<string> = new Set(['Open', 'Answered', 'Rejected', 'Expired'])

export function isUnsettled(status: string): boolean {
  return unsettled.has(status)
}
