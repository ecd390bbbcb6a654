/**
 * Carries a fault from one thread to another. It keeps the name, message, stack and causes, and the classes
 * that callers treat differently.
 */
import { DatabaseUnavailable, OutcomeUnknown } from './faults.ts'

/** A fault as a message between threads. */
export interface CarriedFault {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly reason: DatabaseUnavailable['reason'] | undefined
  readonly cause: CarriedFault | undefined
}

const causesMax = 5

export function packFault(fault: unknown, depth = 0): CarriedFault {
  const error = fault instanceof Error ? fault : new Error('a value was thrown')
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    reason: error instanceof DatabaseUnavailable ? error.reason : undefined,
    cause: error.cause === undefined || depth === causesMax ? undefined : packFault(error.cause, depth + 1),
  }
}

export function unpackFault({ name, message, stack, code, reason, cause }: CarriedFault): Error {
  const fault =
    reason === undefined ? makeFault(name, message) : new DatabaseUnavailable(reason, message, code)
  if (fault.name !== name) Object.defineProperty(fault, 'name', { value: name })
  if (stack !== undefined) fault.stack = stack
  if (code !== undefined && reason === undefined) Object.assign(fault, { code })
  if (cause !== undefined) fault.cause = unpackFault(cause)
  return fault
}

function makeFault(name: string, message: string): Error {
  return name === OutcomeUnknown.name ? new OutcomeUnknown(message) : new Error(message)
}
