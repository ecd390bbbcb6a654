/** Whether the role may call an operation, and the sentence that says why not: the table that the service's routes use. */
import { type OperationDefinition, operations, type StaffRole, whyNot } from '@clearing/protocol'
import { useSession } from './session.ts'

/** Undefined when it is allowed. */
export function useWhyNot(operation: string): string | undefined {
  return whyNot(useSession().role as StaffRole, operation, isSandboxControl(operation))
}

function isSandboxControl(operation: string) {
  return (operations as Readonly<Record<string, OperationDefinition>>)[operation]?.audience === 'sandbox'
}
