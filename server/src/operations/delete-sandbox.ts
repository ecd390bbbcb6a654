/** delete-sandbox: removes an isolated sandbox with everything in it. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { firmOfSandboxes, sandboxesOf } from '../sandbox/isolated/sandbox-request.ts'
import { writeAudit } from '../store/audit.ts'
import type { Handler } from './context.ts'

export const deleteSandbox: Handler<'delete-sandbox'> = async ({ sandboxId }, context) => {
  const sandboxes = sandboxesOf(context)
  if (sandboxes instanceof Rejected) return sandboxes
  if (!(await sandboxes.delete(sandboxId, firmOfSandboxes(context))))
    return new Rejected([reject('ERR.2027', 'sandboxId', 'The firm has no sandbox with this id.')])
  writeAudit(context, { action: 'delete-sandbox', target: sandboxId, changes: {} })
  return { sandboxId }
}
