/** A value that is made at its first use and then cached. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * A text that is made at its first use. All responses share its bytes, so that clients who read slowly need no copies.
 */
export function lazyText(make: () => Promise<string>): () => Promise<Buffer> {
  return lazily(async () => Buffer.from(await make()))
}
