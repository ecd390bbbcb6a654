/** Names of the API in words: `ManualReview` as "Manual review". */

const short = /^[A-Z0-9]{2,5}$/

const acronyms = new Set([
  'nyse',
  'dtbp',
  'usd',
  'id',
  'ssn',
  'tin',
  'cusip',
  'isin',
  'url',
  'fx',
  'dob',
  'ira',
  'llc',
  'ugma',
  'utma',
  'us',
])

/** `ManualReview` → "Manual review"; codes such as `UTIL` or `PASS` stay. */
export function wordsOf(name: string): string {
  if (name === '' || short.test(name) || /\s/.test(name)) return name
  const words = name
    .replace(/[-_]|(?<=[a-z])\.(?=[a-z])/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(' ')
  const spaced = words
    .map((word) =>
      /^[A-Z]{2,}$/.test(word) || acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase(),
    )
    .join(' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
