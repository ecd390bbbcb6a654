/** create-sandbox: an isolated sandbox at an address of its own. */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { whileAlive } from '../database/while-alive.ts'
import { sandboxFirms } from '../identity/sandbox-firms.ts'
import type { Created, IsolatedSandboxes } from '../sandbox/isolated/isolated-sandboxes.ts'
import { renderSandbox, sandboxesOf } from '../sandbox/isolated/sandbox-request.ts'
import { writeAudit } from '../store/audit.ts'
import type { SandboxOwner } from '../store/sandboxes.ts'
import { within } from '../within.ts'
import type { Handler } from './context.ts'

/** Less than the time limit of operations. */
const answerWithinMs = 25_000
const retryAfterSeconds = 2

export const createSandbox: Handler<'create-sandbox'> = async (request, context) => {
  const sandboxes = sandboxesOf(context)
  if (sandboxes instanceof Rejected) return sandboxes
  const { firm, caller, tx } = context
  const { name = '', demonstration = false, idleMinutes = limits.sandboxIdleMinutesDefault } = request
  const owner = { name, firmId: firm.firmId, clientId: caller.clientId, idleMinutes }
  const created = await whileAlive(tx, createInTime(sandboxes, owner, demonstration))
  switch (created.kind) {
    case 'too many': {
      const whose = created.ofFirm ? 'The firm has' : 'There are'
      const reason = `${whose} ${created.most} sandboxes; delete one with delete-sandbox.`
      return new Rejected([reject('ERR.2028', '', reason)])
    }
    case 'not permitted': {
      const reason =
        'This service may not create databases: grant CREATEDB to the role of DATABASE_OWNER_URL, or use the embedded database.'
      return new Rejected([reject('ERR.2028', '', reason)])
    }
    case 'created': {
      const { sandbox } = created
      const changes = { name, demonstration, idleMinutes }
      writeAudit(context, { action: 'create-sandbox', target: sandbox.sandbox_id, changes })
      return {
        ...renderSandbox(sandboxes, sandbox),
        credentials: sandboxFirms.map(({ name: firmName, clientId, secret, entityNumbers, repCodes }) => ({
          firm: firmName,
          clientId,
          clientSecret: secret,
          entityNumbers: [...entityNumbers],
          repCodes: [...repCodes],
        })),
      }
    }
    case 'none': {
      const reason =
        'The sandbox is being prepared; send the same request with the same Idempotency-Key for its address.'
      return new Rejected([reject('ERR.2009', '', reason)], undefined, retryAfterSeconds)
    }
    default:
      return created satisfies never
  }
}

async function createInTime(
  sandboxes: IsolatedSandboxes,
  owner: SandboxOwner,
  demonstration: boolean,
): Promise<Created> {
  const endMs = performance.now() + answerWithinMs
  for (;;) {
    const created = await sandboxes.create(owner, demonstration)
    const leftMs = endMs - performance.now()
    if (created.kind !== 'none' || leftMs <= 0) return created
    await within(sandboxes.prepare(demonstration), leftMs)
  }
}
