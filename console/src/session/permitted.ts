/** Whether the role may call an operation, and the reason if not, from the table that the service's routes use. */
import { type StaffRole, whyNot } from '@clearing/protocol'
import { calls } from '@clearing/protocol/calls'
import { useSession } from './session.ts'

type Rows = Readonly<Record<string, (typeof calls)[keyof typeof calls]>>

/** Undefined if it is allowed. */
export function useWhyNot(operation: string): string | undefined {
  return whyNot(useSession().role as StaffRole, operation, isSandboxControl(operation))
}

function isSandboxControl(operation: string) {
  return (calls as Rows)[operation]?.audience === 'sandbox'
}
