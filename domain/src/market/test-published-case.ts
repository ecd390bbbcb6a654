/** For the table tests: one published worked example of a folder's `oracles.json`, with the shapes its test expects. */

export interface PublishedCase<Given, Expected> {
  readonly id: string
  readonly topic: string
  readonly source: string
  readonly url: string
  readonly given: Given
  readonly expected: Expected
}

export interface PublishedCases {
  readonly cases: readonly { readonly id: string }[]
}

/** The example with that id. Throws if the file does not contain it. */
export function publishedCase<Given, Expected>(
  published: PublishedCases,
  id: string,
): PublishedCase<Given, Expected> {
  const found = published.cases.find((candidate) => candidate.id === id)
  if (found === undefined) throw new RangeError(`no published case ${id}`)
  return found as unknown as PublishedCase<Given, Expected>
}
