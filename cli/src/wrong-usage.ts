/** What the person at the terminal can put right by other words: told in a sentence, exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** The program was ended with Ctrl-C or by a signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
