/** Separates the faults of a start or a command whose message says all that is needed from mistakes in the code. */
import { StatementFailed } from '../database/faults.ts'

/** True of what is a mistake in the code: to be shown with its stack. */
export const isMistakeOfOurs = (fault: unknown): boolean =>
  !(fault instanceof Error) ||
  fault instanceof TypeError ||
  fault instanceof RangeError ||
  fault instanceof ReferenceError ||
  fault instanceof StatementFailed
