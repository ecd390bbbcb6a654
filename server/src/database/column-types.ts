// How column values arrive in JavaScript. Exact values never become floats, and no value depends on the machine's time
// zone: numeric → string, int8 → bigint, date → 'yyyy-MM-dd', timestamptz → 'yyyy-MM-ddTHH:mm:ss.ffffffZ', json →
// parsed, bytea → Buffer.
import pg from 'pg'

export type Parser = (text: string) => unknown

/**
 * Renders a timestamptz of the server (sessions run with TimeZone=UTC and DateStyle=ISO) in ISO 8601 with all six
 * decimals: no microsecond is lost, and the texts sort like the times.
 */
function parseTimestamp(text: string): string {
  if (!text.endsWith('+00')) return text // 'infinity', years before Christ
  const time = text.slice(0, -3)
  const point = time.indexOf('.')
  const whole = point < 0 ? time : time.slice(0, point)
  const decimals = point < 0 ? '' : time.slice(point + 1)
  return `${whole.replace(' ', 'T')}.${decimals.padEnd(6, '0')}Z`
}

const builtin = pg.types.getTypeParser as unknown as (oid: number) => Parser
const asText: Parser = (text) => text
const truth: Parser = (text) => text === 't'
const whole: Parser = (text) => Number(text)

/** Parses an array column. The parser of text[] splits the elements, and `parse` converts them. */
function arrayOf(parse: Parser): Parser {
  const split = builtin(1009) as (text: string) => unknown[]
  const convert = (element: unknown): unknown =>
    Array.isArray(element) ? element.map(convert) : element === null ? null : parse(String(element))
  return (text) => split(text).map(convert)
}

const bytes = builtin(17)

const parsers = new Map<number, Parser>([
  [16, truth],
  [1000, arrayOf(truth)],
  [17, bytes],
  [1001, arrayOf(bytes)],
  [20, BigInt],
  [1016, arrayOf(BigInt)],
  [21, whole],
  [1005, arrayOf(whole)],
  [23, whole],
  [1007, arrayOf(whole)],
  [26, whole],
  [1028, arrayOf(whole)],
  [700, Number],
  [701, Number],
  [1021, arrayOf(Number)],
  [1022, arrayOf(Number)],
  [114, JSON.parse],
  [3802, JSON.parse],
  [199, arrayOf(JSON.parse)],
  [3807, arrayOf(JSON.parse)],
  [1184, parseTimestamp],
  [1185, arrayOf(parseTimestamp)],
  // text-like arrays: text, varchar, char, name, uuid, numeric, date, time, inet
  ...[1009, 1015, 1014, 1003, 2951, 1231, 1182, 1183, 1041].map((oid): [number, Parser] => [
    oid,
    arrayOf(asText),
  ]),
])

/** Returns the parser of a type by its oid. A value of an unlisted type arrives as the server's text. */
export function parserOf(oid: number): Parser {
  return parsers.get(oid) ?? asText
}
