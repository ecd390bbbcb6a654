/**
 * Compares the identifiers of a line with those of an earlier line that it repeats or corrects. An identifier that the
 * security of the earlier line has, has had, or had when that line was booked still names that security, even if it has
 * passed to another one since.
 */
import type { ActivityLine } from '@clearing/domain/books'
import { cusipOfIsin } from '@clearing/domain/market'
import { fieldIndexOf, splitRecord } from '../activity-record.ts'
import type { Directory, IdentifierName } from '../directory.ts'
import type { ActivityValues } from '../lines/shapes.ts'
import { bookLine } from './book-line.ts'
import type { BookedLine } from './booked-line.ts'
import { identifiers, identifiersReceived } from './find-named.ts'
import type { LocatedLine } from './locate-line.ts'

/** The securities of an earlier line. The directory knows them. */
export interface SecuritiesBefore {
  readonly line: Pick<ActivityLine, 'security' | 'toSecurity'>
  /** The record of a stored line, which has the identifiers of its security at that time. */
  readonly record?: string
}

/** Whether two lines have different securities. */
export function differ(one: SecuritiesBefore['line'], other: SecuritiesBefore['line']): boolean {
  return one.security?.key !== other.security?.key || one.toSecurity?.key !== other.toSecurity?.key
}

/** The numbers of the securities of lines, for `Directory.learnPast`. */
export function securitiesOf(lines: Iterable<SecuritiesBefore>): string[] {
  return [...lines].flatMap(({ line }) =>
    [line.security, line.toSecurity].flatMap((security) => (security === undefined ? [] : [security.key])),
  )
}

/** Whether all identifiers of the line name the securities of the earlier line. */
export function isNamedAsBefore(
  values: ActivityValues,
  { line, record }: SecuritiesBefore,
  directory: Directory,
): boolean {
  const kept = record === undefined ? [] : splitRecord(record)
  const inRecord = (name: IdentifierName, value: string) => kept[fieldIndexOf(name)] === value
  return [
    { names: identifiers, security: line.security, was: inRecord },
    { names: identifiersReceived, security: line.toSecurity, was: () => false },
  ].every(({ names, security, was }) => {
    const known = security && directory.known(security.key)
    const has = (name: IdentifierName, value: string) =>
      known !== undefined && (directory.hasOrHad(known, name, value) || was(name, value))
    return names.every(([field, name]) => {
      const value = values[field]
      if (value === undefined || has(name, value)) return true
      // A US or Canadian ISIN contains the CUSIP.
      const cusip = name === 'isin' ? cusipOfIsin(value) : null
      return cusip !== null && has('cusip', cusip)
    })
  })
}

/** Whether the line has an identifier of the security that the stored record of its original has, and no other one. */
export function isNamedAsBooked(values: ActivityValues, record: string): boolean {
  const kept = splitRecord(record)
  const given = identifiers.flatMap(([field, name]) => {
    const value = values[field]
    return value === undefined ? [] : [{ name, value }]
  })
  return given.length > 0 && given.every(({ name, value }) => kept[fieldIndexOf(name)] === value)
}

/** The line with the securities of an earlier line. A line other than a cancel has only those that it names. */
export function locatedAsBefore(
  line: Pick<LocatedLine, 'source' | 'values' | 'account'>,
  { line: { security, toSecurity } }: SecuritiesBefore,
  directory: Directory,
): LocatedLine {
  const { source, values, account } = line
  const gives = (names: typeof identifiers | typeof identifiersReceived) =>
    values.cancelType === 'C' || names.some(([field]) => values[field] !== undefined)
  return {
    source,
    values,
    account,
    security:
      security && gives(identifiers)
        ? directory.onDay(directory.known(security.key), values.tradeDate)
        : undefined,
    toSecurity: toSecurity && gives(identifiersReceived) ? directory.known(toSecurity.key) : undefined,
  }
}

/** A repeated line, completed with the securities of the stored line if its identifiers named them. */
export function bookedAsBefore(
  booked: BookedLine,
  before: SecuritiesBefore,
  directory: Directory,
): BookedLine {
  if (!differ(booked.line, before.line) || !isNamedAsBefore(booked.values, before, directory)) return booked
  const located = locatedAsBefore(booked, before, directory)
  if (booked.line.cancels) {
    const { security, toSecurity } = before.line
    return { ...booked, security: located.security, line: { ...booked.line, security, toSecurity } }
  }
  const outcome = bookLine(located)
  return 'booked' in outcome ? outcome.booked : booked
}
