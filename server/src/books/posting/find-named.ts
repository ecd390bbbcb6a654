/**
 * Finds the security that a line names by one or several identifiers. A symbol may pass to another security. Beside
 * another identifier, a symbol that the security had earlier also names it (`Directory.learnPast`).
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Directory, KnownSecurity } from '../directory.ts'

export const identifiers = [
  ['cusip', 'cusip', 'CUSIP'],
  ['isin', 'isin', 'ISIN'],
  ['sedol', 'sedol', 'SEDOL'],
  ['secNo', 'secNo', 'secNo'],
  ['symbol', 'symbol', 'symbol'],
] as const
/** The security received in a merger, spin-off, name change or exercise. */
export const identifiersReceived = [
  ['toCusip', 'cusip', 'CUSIP'],
  ['toIsin', 'isin', 'ISIN'],
  ['toSedol', 'sedol', 'SEDOL'],
  ['toSecNo', 'secNo', 'secNo'],
  ['toSymbol', 'symbol', 'symbol'],
] as const

type NamingField = (typeof identifiers | typeof identifiersReceived)[number][0]
export type NamingValues = { readonly [Field in NamingField]?: string }

/**
 * The security that a line names. A line without an identifier is rejected. `day`: the day of a fact, whose symbol
 * means the security that had it at the end of that day.
 */
export function requireNamed(
  values: NamingValues,
  directory: Directory,
  rejections: Rejection[],
  day?: string,
): KnownSecurity | undefined {
  if (identifiers.some(([field]) => values[field] !== undefined)) {
    return findNamed(identifiers, values, directory, rejections, day)
  }
  rejections.push(reject('ERR.1000', 'cusip', 'One of cusip, isin, sedol, symbol and secNo is required.'))
  return undefined
}

/** The security on which all given identifiers agree. */
export function findNamed(
  names: typeof identifiers | typeof identifiersReceived,
  values: NamingValues,
  directory: Directory,
  rejections: Rejection[],
  day?: string,
): KnownSecurity | undefined {
  let found: KnownSecurity | undefined
  for (const [field, name, word] of names) {
    const value = values[field]
    if (value === undefined) continue
    const security = directory.find(name, value, day)
    if (found !== undefined && name === 'symbol' && directory.hasOrHad(found, name, value)) continue
    if (security === undefined) {
      rejections.push(reject('ERR.1015', field, `No security has this ${word}; load the security first.`))
    } else if (found !== undefined && found !== security) {
      rejections.push(
        reject(
          'ERR.1015',
          field,
          `The ${word} belongs to another security than the line's other identifiers.`,
        ),
      )
    } else found = security
  }
  return found
}

/** Whether the line has an identifier of a security, and only such that the security has or has had. */
export function namesStill(
  names: typeof identifiers | typeof identifiersReceived,
  values: NamingValues,
  directory: Directory,
  security: KnownSecurity,
): boolean {
  const given = names.flatMap(([field, name]) => {
    const value = values[field]
    return value === undefined ? [] : [{ name, value }]
  })
  const has = ({ name, value }: (typeof given)[number]) =>
    directory.hasOrHad(security, name, value) || directory.find(name, value) === security
  return given.length > 0 && given.every(has)
}
