/** `profile add|use|list|remove`: the services and credentials of the user. Secrets are read and never shown. */
import { createTokenSource } from '@clearing/sdk'
import { checkUrl } from '../connect.ts'
import { explain } from '../explain.ts'
import { profilesFile, readProfiles, writeProfiles } from '../profiles.ts'
import { readSecret } from '../read-secret.ts'
import { showRows } from '../show.ts'
import { isSet, textOf, type Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

const group = 'Profiles'
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const urlDefault = 'http://127.0.0.1:8080'

const add: Verb = {
  path: ['profile', 'add'],
  group,
  summary: 'Add or replace a profile',
  description:
    'Asks for the secret, or reads it from standard input if that is not a terminal. The credential is tested before it is saved. The first ' +
    'profile becomes the profile in use.',
  arguments: [{ name: 'name', summary: 'the name of the profile' }],
  flags: [
    {
      name: 'url',
      value: 'address',
      summary: `the address of the service; by default ${urlDefault}, the sandbox`,
    },
    {
      name: 'client-id',
      value: 'id',
      summary: 'the client id of the credential; by default the name of the profile',
    },
    { name: 'use', summary: 'use it from now on' },
    { name: 'unchecked', summary: 'save the profile without testing it' },
  ],
  async run(given, terminal) {
    const [name = ''] = given.arguments
    if (!nameForm.test(name))
      throw new WrongUsage('The name of a profile can contain letters, digits and . _ -')
    const url = checkUrl(textOf(given, 'url') ?? urlDefault)
    const clientId = textOf(given, 'client-id') ?? name
    const clientSecret = await readSecret(`Secret of ${clientId}: `, terminal)
    if (clientSecret === '') throw new WrongUsage('The secret is empty.')
    if (!isSet(given, 'unchecked')) {
      const baseUrl = url.replace(/\/+$/, '')
      try {
        await createTokenSource({ baseUrl, clientId, clientSecret, retries: 1 }).current(terminal.signal)
      } catch (error) {
        return explain(error, given.json, terminal, {
          address: `Check that the address is that of the service: ${url}`,
          credential: `Check the client id, ${clientId}, and the secret that you entered.`,
        })
      }
    }
    const { current, profiles } = await readProfiles(terminal.environment)
    const used = isSet(given, 'use') || current === undefined ? name : current
    await writeProfiles(terminal.environment, {
      current: used,
      profiles: { ...profiles, [name]: { url, clientId, clientSecret } },
    })
    terminal.note(`Saved in ${profilesFile(terminal.environment)}. ${used} is in use.`)
    return 0
  },
}

const use: Verb = {
  path: ['profile', 'use'],
  group,
  summary: 'Use a profile from now on',
  arguments: [{ name: 'name', summary: '' }],
  flags: [],
  async run(given, terminal) {
    const [name = ''] = given.arguments
    const { profiles } = await readProfiles(terminal.environment)
    if (profiles[name] === undefined) throw new WrongUsage(`There is no profile ${name}.`)
    await writeProfiles(terminal.environment, { current: name, profiles })
    terminal.note(`${name} is in use.`)
    return 0
  },
}

const list: Verb = {
  path: ['profile', 'list'],
  group,
  summary: 'List the profiles without their secrets',
  arguments: [],
  flags: [],
  async run(given, terminal) {
    const { current, profiles } = await readProfiles(terminal.environment)
    const rows = Object.entries(profiles).map(([name, { url, clientId }]) => ({
      name,
      inUse: name === current,
      url,
      clientId,
    }))
    await showRows(undefined, rows, given.json, terminal)
    return 0
  },
}

const remove: Verb = {
  path: ['profile', 'remove'],
  group,
  summary: 'Remove a profile and its secret',
  arguments: [{ name: 'name', summary: '' }],
  flags: [],
  async run(given, terminal) {
    const [name = ''] = given.arguments
    const { current, profiles } = await readProfiles(terminal.environment)
    if (profiles[name] === undefined) throw new WrongUsage(`There is no profile ${name}.`)
    const { [name]: _, ...rest } = profiles
    await writeProfiles(terminal.environment, {
      current: current === name ? undefined : current,
      profiles: rest,
    })
    terminal.note(`${name} is forgotten.`)
    return 0
  },
}

export const profileVerbs: readonly Verb[] = [add, use, list, remove]
