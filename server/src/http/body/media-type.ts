/**
 * Content-Type and Accept. A Content-Type must be exactly one of the forms of its operation, without tabs, trailing
 * text or other parameters, so that no other reader can interpret it differently. A parameter may be empty (RFC 9110,
 * 5.6.6). `utf8`, which many clients write, is a label of UTF-8 (WHATWG Encoding).
 */
import type { Body } from '@clearing/protocol'

const jsonForm = /^application\/json *(?:; *(?:charset=(?:utf-?8|"utf-?8") *)?)*$/i
const multipartForm = /^multipart\/form-data *;/i
const ndjsonForm = /^application\/x-ndjson *(?:; *(?:charset=(?:utf-?8|"utf-?8") *)?)*$/i
const csvForm = /^text\/csv *(?:; *(?:(?:charset=(?:utf-?8|"utf-?8")|header=present) *)?)*$/i
const boundaryForm =
  /; *boundary=(?:([0-9A-Za-z'()+_,\-./:=?]{1,70})|"([0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?])") *(?:;|$)/i

export const contentTypeDue: Record<Body, string> = {
  json: 'application/json, in UTF-8',
  multipart: 'multipart/form-data with a boundary',
  lines: 'application/x-ndjson or text/csv, in UTF-8',
}

export function isContentType(body: Body, contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  switch (body) {
    case 'json':
      return contentType === 'application/json' || jsonForm.test(contentType)
    case 'multipart':
      return multipartForm.test(contentType) && !contentType.includes('\t')
    case 'lines':
      return ndjsonForm.test(contentType) || csvForm.test(contentType)
    default:
      throw new Error(`no content type for ${body satisfies never}`)
  }
}

/** Returns the boundary of the parts that a multipart Content-Type names. */
export function boundaryOf(contentType: string): string | undefined {
  const [, plain, quoted] = boundaryForm.exec(contentType) ?? []
  return plain ?? quoted
}

export function linesFormat(contentType: string): 'ndjson' | 'csv' {
  return ndjsonForm.test(contentType) ? 'ndjson' : 'csv'
}

const json = 'application/json'

/** Decides whether the client accepts JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === json || accepts(accept, json)
}

/**
 * Decides whether the client accepts a file of one of these types. A file of any type is also a sequence of octets, and
 * many clients name them for each download.
 */
export function acceptsFile(accept: string | undefined, types: readonly string[]): boolean {
  return types.some((type) => accepts(accept, type)) || /\bapplication\/octet-stream\b/i.test(accept ?? '')
}

/** RFC 9110, 12.5.1: the most specific range that contains the type counts. */
function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return true
  const ranges = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type]
  let best = -1
  let quality = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const specific = ranges.indexOf(name)
    if (specific <= best) continue
    best = specific
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    quality = q === undefined ? 1 : Number(q.slice(2))
  }
  return best >= 0 && quality > 0
}
