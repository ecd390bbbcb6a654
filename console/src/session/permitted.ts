/** Whether the role may call an operation, and the sentence that says why not: the table that the service's routes use. */
import { type OperationDefinition, operations, type StaffRole, whyNot } from '@clearing/protocol'
import { useSession } from './session.ts'

/** Undefined when it is allowed. */
export const useWhyNot = (operation: string): string | undefined =>
  whyNot(useSession().role as StaffRole, operation, isSandboxControl(operation))

const isSandboxControl = (operation: string) =>
  (operations as Readonly<Record<string, OperationDefinition>>)[operation]?.audience === 'sandbox'
