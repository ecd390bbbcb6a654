/** Operations approve the change of an account that waits for them. */
import assert from 'node:assert/strict'
import type { RunningService } from './running-service.ts'

export async function approveChange(service: RunningService, accountNumber: string): Promise<void> {
  const { operations } = service.operations
  const { changes } = (await operations.listChanges({ accountNumber })).data
  const waiting = changes.find(({ state }) => state === 'Requested')
  assert.ok(waiting !== undefined, 'a change waits')
  const { changeId } = waiting
  await operations.decideChange({ changeId, decision: 'Approved', reason: 'Compared with the document.' })
}
