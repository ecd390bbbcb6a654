/**
 * run-scenario: runs a scenario to its end, and returns the objects that it created and where to find them.
 */
import { scenarios } from '@clearing/domain'
import { type Rejection, reject, type Scope } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { whileAlive } from '../database/while-alive.ts'
import { defaultScopes } from '../identity/grantable-scopes.ts'
import { controlsOf } from '../sandbox/controls.ts'
import { LoopbackRefused } from '../sandbox/loopback.ts'
import { placesToLook, playScenario } from '../sandbox/play-scenario.ts'
import { writeAudit } from '../store/audit.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId } from '../store/firms.ts'
import type { Context, Handler } from './context.ts'

export const runScenario: Handler<'run-scenario'> = async (request, context) => {
  const scenario = scenarios.find(({ name }) => name === request.name.trim().toLowerCase())
  if (scenario === undefined) {
    const names = scenarios.map(({ name }) => name).join(', ')
    return new Rejected([reject('ERR.1015', 'name', `The scenario must be one of ${names}.`)])
  }
  const found = await findFirm(context, request.entityNumber)
  if ('code' in found) return new Rejected([found])
  const { firm, entityNumber, repCode } = found
  // All scopes of a firm, because a scenario may create documents of the account.
  const actor = { clientId: context.caller.clientId, scopes: new Set(defaultScopes(firm.firmId)) }
  const { loopback } = controlsOf(context)
  const reviewer = { clientId: 'operations', scopes: new Set<Scope>(['operations']) }
  const clearingFirm = await findClearingFirm(context)
  const playing = loopback.as(firm, actor, (caller) =>
    loopback.as(clearingFirm, reviewer, (operations) =>
      playScenario(scenario, { entityNumber, repCode }, caller, operations),
    ),
  )
  try {
    const { accountNumber, currentState, steps } = await whileAlive(context.tx, playing)
    writeAudit(context, {
      action: 'run-scenario',
      target: scenario.name,
      accountNumber,
      changes: { scenario: scenario.name, currentState },
    })
    return {
      name: scenario.name,
      effect: scenario.effect,
      accountNumber,
      currentState,
      steps: steps.map((step) => ({ ...step })),
      lookAt: placesToLook(scenario, accountNumber),
    }
  } catch (fault) {
    if (fault instanceof LoopbackRefused) return new Rejected(fault.rejections)
    throw fault
  }
}

async function findClearingFirm({ parts }: Context): Promise<Firm> {
  const known = (await parts.identity.directory.current()).firms.get(clearingFirmId)
  if (known === undefined) throw new Error('the clearing firm is not in the directory')
  return known.firm
}

type FoundFirm = { readonly firm: Firm; readonly entityNumber: string; readonly repCode: string }

/** The caller's firm, or for operations the firm that owns the entity number. */
async function findFirm(
  { firm, parts }: Context,
  named: string | number | undefined,
): Promise<FoundFirm | Rejection> {
  const ofOperations = firm.firmId === clearingFirmId
  if (ofOperations && named === undefined) {
    return reject(
      'ERR.1000',
      'entityNumber',
      'A caller of operations must name the firm whose account is opened.',
    )
  }
  const { firms } = await parts.identity.directory.current()
  const owner = ofOperations
    ? [...firms.values()].find((known) => known.firm.entityNumbers.has(String(named)))?.firm
    : firm
  const entityNumber = named === undefined ? [...(owner?.entityNumbers ?? [])][0] : String(named)
  const [repCode] = owner?.repCodes ?? []
  if (owner === undefined || entityNumber === undefined || repCode === undefined) {
    return reject('ERR.1001', 'entityNumber', 'No firm has this entity number, or it has no rep code.')
  }
  return { firm: owner, entityNumber, repCode }
}
