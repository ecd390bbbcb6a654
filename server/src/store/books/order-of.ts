/** The order of a line among the lines of its day. */

export interface OrderedLine {
  readonly sequence: number
  readonly correction?: 'C' | 'R' | undefined
  readonly tagNo?: string | undefined
}

/**
 * The sequence of a line, or of the line that a rebill corrects, also if the rebill arrived before that line. `lines`
 * are the lines by their ids. A line that is not among them has no order to give.
 */
export function orderOf<Line extends OrderedLine>(line: Line, lines: ReadonlyMap<string, Line>): number {
  const passed = new Set([line])
  let original: Line | undefined = line
  let { sequence } = line
  while (original?.correction === 'R') {
    original = lines.get(original.tagNo ?? '')
    if (original === undefined || original.correction === 'C' || passed.has(original)) break
    passed.add(original)
    sequence = original.sequence
  }
  return sequence
}
