/**
 * Checks the addresses of databases, with the parameters of TLS that the driver reads when it connects: a wrong one
 * would look like a database that is unavailable.
 */
import type { Settings } from './read-settings.ts'

const names = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_FIRMS_URL',
  'DATABASE_READ_URL',
  'DIRECTORY_URL',
]
/** The driver takes another value, such as `allow`, for `verify-full`. */
const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const tlsFiles = ['sslrootcert', 'sslcert', 'sslkey']
/** The certificates of every public authority take a quarter of this. */
const certificateBytesMax = 1_048_576

export function checkDatabaseAddresses(settings: Settings): void {
  for (const name of names) {
    const given = settings.text(name)
    if (given === undefined || !settings.isAddress(name, ['postgresql', 'postgres'])) continue
    const { searchParams, hash, pathname } = new URL(given)
    // Otherwise a part of the password is taken for the name of the server, and appears in the log.
    if (hash !== '' || pathname.includes('@'))
      settings.mistakes.push(
        `${name}: percent-encode special characters of the user name and the password, such as %23 for #, %40 for @ and %2F for /`,
      )
    const mode = searchParams.get('sslmode')
    if (mode !== null && !tlsModes.includes(mode))
      settings.mistakes.push(`${name}: sslmode must be one of ${tlsModes.join(', ')}`)
    for (const parameter of tlsFiles) {
      const file = searchParams.get(parameter)
      if (file) settings.readFile(`${name}, ${parameter}`, file, certificateBytesMax)
    }
  }
}
