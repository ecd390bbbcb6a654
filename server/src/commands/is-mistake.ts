/** Separates faults of a start or a command whose message is enough from errors in the code. */
import { StatementFailed } from '../database/faults.ts'

/** Returns true for an error in the code, which is shown with its stack. */
export function isMistakeOfOurs(fault: unknown): boolean {
  return (
    !(fault instanceof Error) ||
    fault instanceof TypeError ||
    fault instanceof RangeError ||
    fault instanceof ReferenceError ||
    fault instanceof StatementFailed
  )
}
