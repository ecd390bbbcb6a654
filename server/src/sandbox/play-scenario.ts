/**
 * Plays a scenario to its end: opens an account for a fictitious person and does each step with the operations of the
 * firm. Decisions on matches of watch lists use the operations of the clearing firm.
 */
import type { Scenario, ScenarioStep } from '@clearing/domain'
import { codeLists, type Data, type OperationName, pathOf, operations as table } from '@clearing/protocol'
import type { LoopbackCaller } from './loopback.ts'
import { madeUpDocument } from './made-up-document.ts'
import { madeUpApplication } from './made-up-person.ts'

export interface PlayedStep {
  readonly does: ScenarioStep['does']
  readonly currentState: string
  readonly documentId?: string
  readonly asExpected: boolean
}

export interface Played {
  readonly accountNumber: string
  readonly currentState: string
  readonly steps: readonly PlayedStep[]
}

/**
 * The time after which a step that takes another course, or waits for a stopped clock, is reported in its
 * current state.
 */
const stepWaitMs = 6_000
const lookEveryMs = 20

export async function playScenario(
  { name, owner, steps }: Scenario,
  firm: { readonly entityNumber: string; readonly repCode: string },
  caller: LoopbackCaller,
  operations: LoopbackCaller,
): Promise<Played> {
  const played: PlayedStep[] = []
  let accountNumber = ''
  let documentId = ''
  for (const step of steps) {
    const { decision } = step
    switch (step.does) {
      case 'submit': {
        const application = madeUpApplication(firm.entityNumber, firm.repCode, owner)
        const data = await caller.call('new-account', application)
        if (!('message' in data)) throw new Error('new-account did not answer in shape 1')
        accountNumber = data.message.accountNumber
        break
      }
      case 'add-document':
        documentId = (await addDocument(caller, accountNumber, step, name)).documentId
        break
      case 'decide-document':
        await caller.call(
          'decide-document',
          { accountNumber, documentId, decision: decision ?? 'Approved' },
          { inSandbox: true },
        )
        break
      case 'decide-match':
        await decideMatches(operations, accountNumber, decision ?? 'Cleared', name)
        break
      case 'decide-onboarding':
        await caller.call(
          'decide-onboarding',
          { accountNumber, decision: decision ?? 'Approved', reason: `Scenario ${name}` },
          { inSandbox: true },
        )
        break
      default:
        throw new Error(`no way to do ${step.does satisfies never}`)
    }
    played.push({
      does: step.does,
      ...(step.does === 'add-document' ? { documentId } : {}),
      ...(await untilReached(caller, accountNumber, step)),
    })
  }
  return { accountNumber, currentState: played.at(-1)?.currentState ?? '', steps: played }
}

/** Decides each match separately; the application continues after the last match is cleared. */
async function decideMatches(
  operations: LoopbackCaller,
  accountNumber: string,
  decision: string,
  scenario: string,
): Promise<void> {
  const { matches } = await operations.call('list-matches', { accountNumber })
  for (const { matchId } of matches.filter((match) => match.decision === 'Open')) {
    const request = { accountNumber, matchId, decision, reason: `Scenario ${scenario}` }
    await operations.call('decide-match', request)
  }
}

function addDocument(
  caller: LoopbackCaller,
  accountNumber: string,
  { reference = '', displayName = 'Asked for' }: ScenarioStep,
  scenario: string,
): Promise<Data<'add-document'>> {
  const row = codeLists.documentReference.find(({ value }) => value === reference)
  if (row === undefined) throw new Error(`the catalogue has no document ${reference}`)
  return caller.call(
    'add-document',
    { accountNumber, documentTypeName: row.documentTypeName, reference, displayName },
    {
      file: { name: 'scan.pdf', content: madeUpDocument(`${row.label}, made for the scenario ${scenario}`) },
    },
  )
}

async function untilReached(
  caller: LoopbackCaller,
  accountNumber: string,
  { reaches, followUp }: ScenarioStep,
): Promise<{ currentState: string; asExpected: boolean }> {
  const endMs = performance.now() + stepWaitMs
  for (;;) {
    const { currentState, followUps } = await caller.call('onboarding-result', { accountNumber })
    const asExpected =
      currentState === reaches &&
      (followUp === undefined || followUps.findLast(({ blocking }) => blocking)?.status === followUp)
    if (asExpected || performance.now() > endMs) return { currentState, asExpected }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** Returns the calls that show the results. */
export function placesToLook({ lookAt }: Scenario, accountNumber: string) {
  return lookAt.map((name) => {
    const operation = table[name as OperationName]
    const takes = 'properties' in operation.request && 'accountNumber' in operation.request.properties
    return {
      path: pathOf(name, operation.audience),
      request: (takes ? { accountNumber } : {}) as Record<string, string>,
    }
  })
}
