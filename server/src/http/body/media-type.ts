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

/** Decides whether the client accepts JSON (RFC 9110, 12.5.1): the most specific matching range counts. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  if (accept.trim() === '') return true
  let best = -1
  let quality = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const specific = ['*/*', 'application/*', 'application/json'].indexOf(type)
    if (specific <= best) continue
    best = specific
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    quality = q === undefined ? 1 : Number(q.slice(2))
  }
  return best >= 0 && quality > 0
}
