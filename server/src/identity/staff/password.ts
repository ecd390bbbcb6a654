/**
 * Passwords of people: Argon2id with the parameters of OWASP (19 MiB, 2 passes), stored in PHC form so that the
 * parameters can change. An unknown person costs the same time as a known one.
 */
import { argon2 as argon2Callback, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const argon2 = promisify(argon2Callback)

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const current: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const tagBytes = 32
const saltBytes = 16

/** A shorter password can be guessed; a longer one only costs time. */
const passwordLengthMin = 15
const passwordLengthMax = 128

/** For how long a password works that another person or the command line has set. It works once. */
export const initialPasswordHours = 72

async function derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return Buffer.from(
    await argon2('argon2id', {
      message: password.normalize('NFC'),
      nonce: salt,
      tagLength: tagBytes,
      ...parameters,
    }),
  )
}

function bare(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await derive(password, salt, current)
  const { memory, passes, parallelism } = current
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(tag)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Returns true when the password matches the stored one. Without a stored one it takes the same time and returns false.
 */
export async function matchesPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const parts = kept === null || kept === undefined ? null : phc.exec(kept)
  if (parts === null) {
    await derive(password, Buffer.alloc(saltBytes), current)
    return false
  }
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), parameters)
  const expected = Buffer.from(tag, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

/** Returns the reason why a password cannot be chosen; undefined when it can. */
export function whyPasswordIsWeak(
  password: string,
  person: { email: string; name: string },
): string | undefined {
  if (password.length < passwordLengthMin)
    return `A password must have at least ${passwordLengthMin} characters.`
  if (password.length > passwordLengthMax) return `A password has at most ${passwordLengthMax} characters.`
  if (new Set(password).size < 6) return 'The password has too few different characters.'
  const folded = password.toLowerCase()
  const own = [person.email, person.email.split('@')[0] ?? '', ...person.name.toLowerCase().split(' ')]
  const rest = own
    .filter((word) => word.length >= 3)
    .reduce((left, word) => left.replaceAll(word, ''), folded)
  if (rest.length < Math.min(folded.length, 10))
    return 'The password is too similar to the name or e-mail address.'
  return undefined
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Makes a random password of four groups: 79 bits, easy to read aloud. */
export function makePassword(): string {
  return Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')
}
