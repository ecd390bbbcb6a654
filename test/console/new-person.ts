/** Makes a person of staff who has already chosen a password on the pages of the sign-in. */
import assert from 'node:assert/strict'
import type { StaffRole } from '@clearing/protocol'
import { follow, type Jar, submit } from '../acceptance/person.ts'
import type { RunningService } from '../acceptance/running-service.ts'

/** Returns the password. */
export async function newPerson(service: RunningService, email: string, role: StaffRole): Promise<string> {
  const { data } = await service.operations.operations.createStaff({ name: email, email, role })
  const jar: Jar = new Map()
  const { at } = await follow(service, jar, '/console/sign-in')
  const first = await submit(service, jar, at, { email, password: data.password })
  const chosen = 'a long enough pass phrase'
  const done = await submit(service, jar, first.at, { 'new-password': chosen, again: chosen })
  assert.equal(done.at, '/console/', done.text)
  return chosen
}
