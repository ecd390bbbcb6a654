/** list-sandboxes: the isolated sandboxes of the caller's firm. */
import { Rejected } from '../answers.ts'
import { firmOfSandboxes, renderSandbox, sandboxesOf } from '../sandbox/isolated/sandbox-request.ts'
import type { Handler } from './context.ts'

export const listSandboxes: Handler<'list-sandboxes'> = async (_request, context) => {
  const sandboxes = sandboxesOf(context)
  if (sandboxes instanceof Rejected) return sandboxes
  const rows = await sandboxes.list(firmOfSandboxes(context))
  return { sandboxes: rows.map((row) => renderSandbox(sandboxes, row)) }
}
