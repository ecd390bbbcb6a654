/** Finds the property name that a caller may have meant by an unknown name. */

const comparedLengthMax = 40

/** The nearest of `names` if it differs in few letters, without regard to letter case; else undefined. */
export function nearestName(spelled: string, names: readonly string[]): string | undefined {
  if (spelled.length > comparedLengthMax) return undefined
  const wanted = spelled.toLowerCase()
  let nearest: string | undefined
  let distanceMax = Math.floor(spelled.length / 3)
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) > distanceMax) continue
    const distance = editDistance(wanted, name.toLowerCase())
    if (distance > distanceMax) continue
    nearest = name
    distanceMax = distance - 1
  }
  return nearest
}

/** The number of insertions, deletions, replacements and swaps of neighboring letters (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let distance = Math.min(
        (above[column - 1] as number) + (same ? 0 : 1),
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
      )
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) distance = Math.min(distance, (before[column - 2] as number) + 1)
      current.push(distance)
    }
    before = above
    above = current
  }
  return above[right.length] as number
}
