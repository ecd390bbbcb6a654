/** An error in the command line, explained in a sentence. The exit code is 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** Thrown when Ctrl-C or a signal ends the program. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
