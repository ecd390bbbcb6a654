/** Faults of a start or a command whose words say all that is needed, and those whose place in the code matters more. */
import { StatementFailed } from './database/faults.ts'

/** True of what is a mistake in the code: to be shown with its stack. */
export const isMistakeOfOurs = (fault: unknown): boolean =>
  !(fault instanceof Error) ||
  fault instanceof TypeError ||
  fault instanceof RangeError ||
  fault instanceof ReferenceError ||
  fault instanceof StatementFailed
