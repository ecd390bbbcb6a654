/**
 * Profiles: the address of a service with a credential, in `clearing/profiles.json` below the XDG configuration folder.
 * Only the owner can read the file; a file that others can read is rejected.
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
  /** The profile that is used if none is named. */
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

type Environment = Terminal['environment']

export function profilesFile(environment: Environment): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'clearing', 'profiles.json')
}

export async function readProfiles(environment: Environment): Promise<Profiles> {
  const file = profilesFile(environment)
  let text: string
  try {
    const { mode } = await stat(file)
    // Windows has no file modes.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new WrongUsage(`Others can read the secrets in ${file}. Restrict its mode: chmod 600 '${file}'`)
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
    // Reported below. The text holds secrets and is not repeated.
  }
  throw new WrongUsage(`${file} is not a file of profiles. Remove it, then add your profiles again.`)
}

/** Replaces the whole file, so that it is never partly written and never readable by others. */
export async function writeProfiles(environment: Environment, profiles: Profiles): Promise<void> {
  const file = profilesFile(environment)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/**
 * The profile of a call: the named profile, else `CLEARING_PROFILE`, else the profile in use. `CLEARING_URL`,
 * `CLEARING_CLIENT_ID` and `CLEARING_CLIENT_SECRET` override its members; if all three are set, no profile is needed.
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
    throw new WrongUsage(`There is no profile ${name}. The profiles are: ${names}.`)
  }
  return { ...profile, ...given }
}

/** The profile of the environment variables. If only some are set, the error names the missing ones. */
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
  'There is no profile with an address and a credential. Add one; the command asks for the secret, or reads it from standard input:\n' +
  '  clearing profile add <name> --url <address> --client-id <id>'
