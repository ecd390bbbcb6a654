/**
 * Profiles: a service's address with the credential to use there, in `clearing/profiles.json` below the XDG configuration folder.
 * The file is readable by its owner alone, and one that others can read is refused.
 */
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface Profile {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

type Environment = Terminal['environment']

export const profilesFile = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'clearing', 'profiles.json')

export async function readProfiles(environment: Environment): Promise<Profiles> {
  const file = profilesFile(environment)
  let text: string
  try {
    const { mode } = await stat(file)
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new WrongUsage(`Others can read the secrets in ${file}. Make it yours alone: chmod 600 '${file}'`)
    }
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: undefined, profiles: {} }
    throw error
  }
  return parseProfiles(text, file)
}

function parseProfiles(text: string, file: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as { current?: unknown; profiles?: unknown }
    if (typeof profiles === 'object' && profiles !== null) {
      return {
        current: typeof current === 'string' ? current : undefined,
        profiles: Object.assign(Object.create(null), profiles),
      }
    }
  } catch {
    // Told below: the text itself holds secrets, so it is not repeated.
  }
  throw new WrongUsage(`${file} is not a file of profiles. Remove it, then add your profiles again.`)
}

/** Replaces the file as a whole, so that it is never half-written and never readable by others. */
export async function writeProfiles(environment: Environment, profiles: Profiles): Promise<void> {
  const file = profilesFile(environment)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/**
 * The profile of a call: the one that is named, else `CLEARING_PROFILE`, else the one in use; `CLEARING_URL`,
 * `CLEARING_CLIENT_ID` and `CLEARING_CLIENT_SECRET` come before its members, and all three need no profile at all.
 */
export async function chooseProfile(environment: Environment, named: string | undefined): Promise<Profile> {
  const {
    CLEARING_URL: url,
    CLEARING_CLIENT_ID: clientId,
    CLEARING_CLIENT_SECRET: clientSecret,
  } = environment
  const given = {
    ...(url ? { url } : {}),
    ...(clientId ? { clientId } : {}),
    ...(clientSecret ? { clientSecret } : {}),
  }
  const wanted = named ?? (environment.CLEARING_PROFILE || undefined)
  if (wanted === undefined && url && clientId && clientSecret) return { url, clientId, clientSecret }
  const { current, profiles } = await readProfiles(environment)
  const name = wanted ?? current
  if (name === undefined) throw new WrongUsage(whyNoProfile(given))
  const profile = profiles[name]
  if (profile === undefined) {
    const names = Object.keys(profiles).join(', ') || 'none yet'
    throw new WrongUsage(`There is no profile ${name}. There is: ${names}.`)
  }
  return { ...profile, ...given }
}

/** The variables of the environment make a profile together; of one that has a part, what is missing is told. */
function whyNoProfile(given: Partial<Profile>): string {
  const names = {
    url: 'CLEARING_URL',
    clientId: 'CLEARING_CLIENT_ID',
    clientSecret: 'CLEARING_CLIENT_SECRET',
  }
  const missing = Object.entries(names).flatMap(([member, name]) => (member in given ? [] : [name]))
  const isPart = missing.length < Object.keys(names).length
  return isPart ? `${missing.join(', ')}: not set. ${noProfile}` : noProfile
}

const noProfile =
  'No profile says which service to call, and as whom. Add one; its secret is asked for, or read from standard input:\n' +
  '  clearing profile add <name> --url <address> --client-id <id>'
