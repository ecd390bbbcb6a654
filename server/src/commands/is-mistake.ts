/** Separates mistakes of the user, of which only the message is shown, from errors in the code. */
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
