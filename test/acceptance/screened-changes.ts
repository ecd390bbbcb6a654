/** A service with two people at work: changes of accounts that cause matches, and the decisions on them. */
import { after, before } from 'node:test'
import type { Request } from '@clearing/protocol'
import { applicationOf, newTaxId } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'
import { allSearched } from './searched-persons.ts'

export type Change = Partial<Request<'update-account'>>

export let service: RunningService
export let operator: PersonAtWork
export let principal: PersonAtWork

/**
 * Starts the service before the tests of a file, and ends it after them. `prepare` is the file's own preparation: the
 * test runner does not wait for one hook before it starts the next one of the file.
 */
export function startBeforeTests(prepare: () => Promise<void> = async () => {}): void {
  before(async () => {
    service = await startRunningService()
    operator = await signIn(service, 'operator@example.com')
    principal = await signIn(service, 'principal@example.com')
    await prepare()
  })
  after(() => service?.stop())
}

export const listed = {
  firstName: 'Ruslan',
  middleName: 'Innokentyevich',
  lastName: 'Zerkalov',
  birthDate: '1968-08-12',
}
export const tehran = { street: 'PO Box 11365-4435', city: 'Tehran', country: 'IR' }
export function attorney(name: object) {
  return {
    role: 'PowerOfAttorney',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: newTaxId(),
    phoneNumberCell: '2015550123',
    birthDate: '1970-01-01',
    ...name,
  }
}

export function newAccount() {
  // An update to the listed name changes the name alone, so that it makes no other person.
  const owner = { firstName: 'Ada', lastName: 'Moreno', birthDate: listed.birthDate }
  return openAndFollow(service.alpha, applicationOf(owner))
}
export function update(accountNumber: string, change: Change) {
  return service.alpha.updateAccount({ accountNumber, ...change } as Request<'update-account'>)
}
export async function matchesOf(accountNumber: string) {
  return (await service.operations.operations.listMatches({ accountNumber })).data.matches
}
export async function openMatches(accountNumber: string) {
  return (await matchesOf(accountNumber)).filter(({ decision }) => decision === 'Open')
}
export async function changesOf(accountNumber: string) {
  return (await service.operations.operations.listChanges({ accountNumber })).data.changes
}
export async function eventsOf(accountNumber: string) {
  await service.eventsReported()
  return (await service.alpha.listEvents({ accountNumber })).data.events.map(({ type }) => type)
}
export async function work(accountNumber: string) {
  return (await service.operations.operations.listWork({ accountNumber })).data.work
}
/** A decision. After a confirmation, the search for other accounts of the person has ended. */
export async function decide(accountNumber: string, matchId: string, decision: 'Cleared' | 'Confirmed') {
  const answer = await service.operations.operations.decideMatch({
    accountNumber,
    matchId,
    decision,
    reason: 'Compared with the passport.',
  })
  if (decision === 'Confirmed') await allSearched(service)
  return answer
}
export async function clearAll(accountNumber: string) {
  for (const { matchId } of await openMatches(accountNumber)) await decide(accountNumber, matchId, 'Cleared')
}
