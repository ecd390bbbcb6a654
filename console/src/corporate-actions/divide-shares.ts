/** What each option gets of a position, in exact decimals, as the service divides it. */

export interface Share {
  readonly option: string
  readonly shares: string
}

interface Election {
  readonly option?: string | undefined
  /** Empty for all that are left. */
  readonly quantity?: string | undefined
}

const decimal = /^\d+(?:\.\d+)?$/

/**
 * Elections count in their order, and the default gets the rest. Undefined if a quantity is no number, or if the
 * elections are for more shares than the position has.
 */
export function divideShares(
  quantity: string,
  elections: readonly Election[],
  defaultOption: string,
): { readonly elected: readonly Share[]; readonly rest: Share } | undefined {
  const held = quantity.replace(/^-/, '')
  const wanted = elections.flatMap(({ option = '', quantity: text = '' }) =>
    option === '' ? [] : [{ option, text: text.trim() }],
  )
  const numbers = [held, ...wanted.map(({ text }) => text).filter(Boolean)]
  if (!numbers.every((text) => decimal.test(text))) return undefined
  const places = Math.max(...numbers.map((text) => fractionOf(text).length))
  let left = unitsOf(held, places)
  const elected: Share[] = []
  for (const { option, text } of wanted) {
    const units = text === '' ? left : unitsOf(text, places)
    if (units > left) return undefined
    left -= units
    elected.push({ option, shares: renderUnits(units, places) })
  }
  return { elected, rest: { option: defaultOption, shares: renderUnits(left, places) } }
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? ''
}

function unitsOf(text: string, places: number): bigint {
  const [whole = ''] = text.split('.')
  return BigInt(whole + fractionOf(text).padEnd(places, '0'))
}

function renderUnits(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
