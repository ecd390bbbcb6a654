/** Wrong passwords of a stranger do not delay the sign-in of another person. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { follow, type Jar, signIn, submit } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

test('a sign-in is not slowed down by guesses whose e-mail address names the person and the network', async () => {
  const jar: Jar = new Map()
  const { at } = await follow(service, jar, '/console/sign-in')
  for (let tries = 0; tries < 7; tries++) {
    const form = { email: 'operator@example.com from 127.0.0.1', password: `wrong ${tries}` }
    assert.match((await submit(service, jar, at, form)).text, /E-mail or password is wrong/)
  }
  await signIn(service, 'operator@example.com')
  await service.query('delete from clearing.sign_in_guess')
})
