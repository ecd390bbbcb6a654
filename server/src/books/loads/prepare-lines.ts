/**
 * Reads the lines of a batch of activity, finds their accounts and securities, and completes those that need no earlier
 * line: all except cancels, and lines whose identifiers name no security now.
 */
import type { RefusedLine } from '../../store/books/loads.ts'
import { type Directory, isPool, type Named } from '../directory.ts'
import type { RawLine } from '../lines/raw-line.ts'
import { LineReader } from '../lines/read-line.ts'
import { type ActivityValues, activityShape } from '../lines/shapes.ts'
import type { Pace } from '../pace.ts'
import { bookLine } from '../posting/book-line.ts'
import { findNamed, identifiers, identifiersReceived } from '../posting/find-named.ts'
import { locateLine } from '../posting/locate-line.ts'
import { partOf, type RawMembers, type ReadyLine } from '../posting/ready-line.ts'

interface ReadLine {
  readonly source: number
  readonly values: ActivityValues
  readonly members: RawMembers
}

export interface ReadyLines {
  readonly lines: readonly ReadyLine[]
  readonly refused: readonly RefusedLine[]
  /** Its facts completed the lines. */
  readonly directory: Directory
}

const reader = new LineReader(activityShape)

/** The number of lines to read before database responses are handled again. */
const linesAtOnce = 250

/** `areDue`: the lines were pending, so that their securities were found when they were accepted. */
export async function prepareLines(
  raw: readonly RawLine[],
  directory: Directory,
  pace: Pace,
  areDue: boolean,
): Promise<ReadyLines> {
  const nextSlice = pace.slices()
  const refused: RefusedLine[] = []
  const read: ReadLine[] = []
  for (let at = 0; at < raw.length; at += 1) {
    if (at % linesAtOnce === 0) await nextSlice()
    const line = raw[at] as RawLine
    if ('rejection' in line) {
      refused.push({ line: line.line, rejections: [line.rejection] })
      continue
    }
    const reading = reader.read(line.members)
    if ('rejections' in reading) refused.push({ line: line.line, rejections: reading.rejections })
    else read.push({ source: line.line, values: reading.values, members: line.members })
  }
  const accountNumbers = new Set<string>()
  const securities: Named[] = []
  for (const { values } of read) {
    if (values.acctNo !== undefined) accountNumbers.add(values.acctNo)
    addNames(securities, values)
  }
  await directory.learn(accountNumbers, securities)
  await learnPools(read, directory)
  const locate = ({ source, values }: ReadLine) => locateLine(source, values, directory, areDue)
  const lines: ReadyLine[] = []
  const unnamed: ReadLine[] = []
  const add = (line: ReadLine, isLast: boolean) => {
    const { source, values, members } = line
    const located = locate(line)
    if ('rejections' in located) {
      if (!('account' in located)) refused.push({ line: source, rejections: located.rejections })
      else if (isLast) lines.push({ unnamed: located, members })
      else unnamed.push(line)
    } else if (values.cancelType === 'C') lines.push({ cancel: located, members })
    else {
      const booked = bookLine(located)
      if ('rejections' in booked) refused.push({ line: source, rejections: booked.rejections })
      else lines.push({ ...booked, members })
    }
  }
  for (let at = 0; at < read.length; at += 1) {
    if (at % linesAtOnce === 0) await nextSlice()
    add(read[at] as ReadLine, false)
  }
  if (unnamed.length > 0) {
    await directory.learnPast(unnamed.flatMap(({ values }) => namedBesideSymbol(values, directory)))
    for (const line of unnamed) add(line, true)
    lines.sort((one, other) => partOf(one).source - partOf(other).source)
  }
  return { lines, refused, directory }
}

/** Reads the earlier factors of the pools that the lines name. */
async function learnPools(lines: readonly ReadLine[], directory: Directory): Promise<void> {
  const pools = new Set<string>()
  for (const { values } of lines) {
    for (const [field, name] of identifiers) {
      const value = values[field]
      const found = value === undefined ? undefined : directory.find(name, value)
      if (found !== undefined && isPool(found)) pools.add(found.booked.key)
    }
  }
  if (pools.size > 0) await directory.learnPast(pools)
}

/** The securities that the line names by identifiers other than the symbol. */
function namedBesideSymbol(values: ActivityValues, directory: Directory): string[] {
  const { symbol: _, toSymbol: _received, ...others } = values
  return [identifiers, identifiersReceived].flatMap((names) => {
    const found = findNamed(names, others, directory, [])
    return found === undefined ? [] : [found.booked.key]
  })
}

/** Adds the names of the security and of the security received. */
function addNames(securities: Named[], values: ActivityValues): void {
  securities.push(values)
  const { toCusip, toIsin, toSedol, toSymbol, toSecNo } = values
  if (
    toCusip === undefined &&
    toIsin === undefined &&
    toSedol === undefined &&
    toSymbol === undefined &&
    toSecNo === undefined
  ) {
    return
  }
  securities.push({ cusip: toCusip, isin: toIsin, sedol: toSedol, symbol: toSymbol, secNo: toSecNo })
}
