/**
 * Reads the text of each setting from the environment, or from the file that `{name}_FILE` names for a secret. An empty
 * value counts as absent.
 */
import { readFileSync } from 'node:fs'
import { fileNameOf, findMisspelt, secretNames } from './setting-names.ts'

/** A secret is one line; a larger file is another file by mistake. */
const secretBytesMax = 16_384

export class Settings {
  readonly mistakes: string[] = []
  /** The names of the variables that are not empty. */
  readonly given: ReadonlySet<string>
  readonly #texts = new Map<string, string>()

  constructor(environment: NodeJS.ProcessEnv) {
    for (const [name, value] of Object.entries(environment)) {
      const text = value?.trim()
      if (text) this.#texts.set(name, text)
    }
    this.given = new Set(this.#texts.keys())
    for (const { given, meant } of findMisspelt([...this.given]))
      this.mistakes.push(`${given} is not a setting; ${meant} is`)
    for (const secret of secretNames) {
      const file = this.#texts.get(fileNameOf(secret))
      if (file === undefined) continue
      if (this.#texts.has(secret))
        this.mistakes.push(`${secret} and ${fileNameOf(secret)} exclude each other`)
      const text = this.readFile(fileNameOf(secret), file)
      if (text !== undefined) this.#texts.set(secret, text)
    }
  }

  text(name: string): string | undefined {
    return this.#texts.get(name)
  }

  /** The items between commas, without spaces around them. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  }

  choice<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const given = this.text(name)
    if (given === undefined) return fallback
    if ((values as readonly string[]).includes(given)) return given as T
    this.mistakes.push(`${name} must be one of ${values.join(', ')}`)
    return fallback
  }

  whole(name: string, fallback: number, smallest: number, largest: number): number {
    const given = this.text(name)
    if (given === undefined) return fallback
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (Number.isInteger(number) && number >= smallest && number <= largest) return number
    this.mistakes.push(`${name} must be a whole number from ${smallest} to ${largest}`)
    return fallback
  }

  /** Checks an address, and returns whether it is one of these schemes. */
  isAddress(name: string, schemes: readonly string[]): boolean {
    const given = this.text(name)
    if (given === undefined) return true
    // The parser accepts `https:host` and `https:/host` too.
    const ok = URL.canParse(given) && schemes.some((scheme) => given.toLowerCase().startsWith(`${scheme}://`))
    // The address is left out, because it may hold a password.
    if (!ok) this.mistakes.push(`${name} must be an address that begins with ${schemes.join(':// or ')}://`)
    return ok
  }

  /** Returns the content of a file, or notes why it cannot be read. */
  readFile(name: string, file: string, bytesMax = secretBytesMax): string | undefined {
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text !== '' && text.length <= bytesMax) return text
      this.mistakes.push(`${name}: the file ${file} is ${text === '' ? 'empty' : 'too large'}`)
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException
      this.mistakes.push(
        code === 'ENOENT'
          ? `${name}: there is no file ${file}`
          : `${name}: the file ${file} cannot be read (${code})`,
      )
    }
    return undefined
  }
}
