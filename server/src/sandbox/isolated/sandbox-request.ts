/** Requests of operations on isolated sandboxes, and the sandboxes in the form of responses. */
import { type Data, reject } from '@clearing/protocol'
import { Rejected } from '../../answers.ts'
import type { FirmContext } from '../../firm-rules/context.ts'
import type { StoredSandbox } from '../../store/sandboxes.ts'
import type { IsolatedSandboxes } from './isolated-sandboxes.ts'

export function sandboxesOf({
  parts,
}: {
  readonly parts: { readonly sandboxes: IsolatedSandboxes | undefined }
}): IsolatedSandboxes | Rejected {
  if (parts.sandboxes !== undefined) return parts.sandboxes
  const reason = 'An isolated sandbox has no sandboxes of its own; call the service that it belongs to.'
  return new Rejected([reject('ERR.2028', '', reason)])
}

/** The firm whose sandboxes a caller sees; undefined: all firms. */
export function firmOfSandboxes({ caller, firm }: FirmContext): string | undefined {
  return caller.scopes.has('operations') ? undefined : firm.firmId
}

export function renderSandbox(
  sandboxes: IsolatedSandboxes,
  { sandbox_id: sandboxId, name, created_at, expires_at }: StoredSandbox,
): Data<'list-sandboxes'>['sandboxes'][number] {
  return {
    sandboxId,
    name,
    baseUrl: sandboxes.addressOf(sandboxId),
    createdOn: new Date(created_at).toISOString(),
    expiresOn: new Date(expires_at).toISOString(),
  }
}
