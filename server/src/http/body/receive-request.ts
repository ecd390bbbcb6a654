/**
 * Turns the body of a request into the input of its handler, by the kind of body: a JSON object, a form with a file, or
 * a stream of lines.
 */
import type { IncomingMessage } from 'node:http'
import { type JsonPath, type Rejection, readRequest, reject } from '@clearing/protocol'
import type { FastifyRequest } from 'fastify'
import { shortLoadBytesMax } from '../../books/loads/short-load.ts'
import type { Refused } from '../../firm-rules/context.ts'
import type { ReceivedFile, RequestBody } from '../../operations/context.ts'
import { deprecationOf } from '../answer/deprecation.ts'
import type { Call, Route } from '../call.ts'
import type { HttpLimits } from '../limits.ts'
import { HashedStream } from './hashed-stream.ts'
import { maskRemarks, maskTaxIds } from './mask-remarks.ts'
import { boundaryOf, linesFormat } from './media-type.ts'
import { queryOf, readQuery, refuseQuery } from './query.ts'
import { cutSlowBody, readJsonBody } from './read-body.ts'
import { receiveForm, refuseCut } from './receive-form.ts'

export interface Received {
  /** The canonical request, without the refused fields. */
  readonly value: unknown
  readonly refused: Refused
  /** The members in whose texts tax ids were masked. */
  readonly masked: readonly string[]
  readonly body: ReceivedBody
  /** The lines of a load, which its sender can delay. */
  readonly lines?: HashedStream
  /** Represents the content when two requests are compared. The content of lines is known only at their end. */
  readonly content: () => Promise<Uint8Array>
  readonly release: () => Promise<void>
}

/** The file has not been inspected yet. */
export type ReceivedBody =
  | Exclude<RequestBody, { readonly kind: 'file' }>
  | { readonly kind: 'file'; readonly file: ReceivedFile }

/** A request that cannot be read, so no rule can add another error. */
export interface Unreadable {
  readonly rejections: readonly Rejection[]
}

type RoutedCall = Call & { readonly route: Route }

export interface ReceiveSettings {
  readonly limits: HttpLimits
  readonly uploadFolder: string
}

export async function receiveRequest(
  call: RoutedCall,
  request: FastifyRequest,
  settings: ReceiveSettings,
): Promise<Received | Unreadable> {
  const { operation } = call.route
  const query = queryOf(request.raw.url ?? '')
  if (query !== '' && operation.body !== 'lines') {
    const rejections = refuseQuery(call.route.name, query)
    if (rejections.length > 0) return { rejections }
  }
  switch (operation.body) {
    case 'json':
      return receiveJson(call, request.raw, settings.limits)
    case 'multipart':
      return receiveMultipart(call, request, settings)
    case 'lines':
      return receiveLines(call, request.raw, query, settings.limits)
    default:
      throw new Error(`no way to receive ${operation.body satisfies never}`)
  }
}

function noContent() {
  return Promise.resolve(Buffer.alloc(0))
}
function nothingToRelease() {
  return Promise.resolve()
}

async function receiveJson(
  call: RoutedCall,
  raw: IncomingMessage,
  { bodyTimeoutMs, bodyIdleTimeoutMs }: HttpLimits,
): Promise<Received | Unreadable> {
  const parsed = await readJsonBody(raw, {
    totalTimeoutMs: bodyTimeoutMs,
    idleTimeoutMs: bodyIdleTimeoutMs,
    traceId: call.traceId,
  })
  if ('rejections' in parsed) return parsed
  return {
    ...readMembers(call, parsed.json, parsed.duplicates, false),
    body: { kind: 'json', text: parsed.text },
    content: noContent,
    release: nothingToRelease,
  }
}

/** A cut field is always refused. The length of its value is not known, so the reason does not state it. */
function refusedWithCut(refused: readonly Rejection[], cut: readonly string[]): Rejection[] {
  const cutNames = new Set(cut.map((name) => name.toLowerCase()))
  const refusedNames = new Set(refused.map(({ field }) => field.toLowerCase()))
  return [
    ...cut.filter((name) => !refusedNames.has(name.toLowerCase())).map(refuseCut),
    ...refused.map((one) =>
      cutNames.has(one.field.toLowerCase())
        ? { ...one, reason: one.reason.replace(/; got \d+\.$/, '.') }
        : one,
    ),
  ]
}

async function receiveMultipart(
  call: RoutedCall,
  request: FastifyRequest,
  { limits, uploadFolder }: ReceiveSettings,
): Promise<Received | Unreadable> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  if (boundary === undefined) {
    return {
      rejections: [reject('ERR.2004', '', 'The Content-Type must name the boundary of the form’s parts.')],
    }
  }
  const form = await receiveForm(request, {
    boundary,
    folder: uploadFolder,
    totalTimeoutMs: limits.uploadTimeoutMs,
    idleTimeoutMs: limits.bodyIdleTimeoutMs,
    traceId: call.traceId,
  })
  if (!form.whole) return form
  const { members, duplicates, file: sent, cut, rejections } = form
  const { value, refused, masked } = readMembers(call, members, duplicates, true)
  const all = [...rejections, ...refusedWithCut(refused.rejections, cut)]
  if (sent === undefined) return { rejections: all }
  const file = { ...sent, fileName: maskTaxIds(sent.fileName) }
  return {
    value,
    masked: file.fileName === sent.fileName ? masked : [...masked, 'the name of the file'],
    refused: { rejections: all, paths: refused.paths },
    body: { kind: 'file', file },
    content: () => Promise.resolve(Buffer.concat([file.upload.sha256, Buffer.from(`\n${file.fileName}`)])),
    release: () => file.upload.remove(),
  }
}

/**
 * Receives a short body whole, and the beginning of a long one. The sender can be slow, and the call of a load holds a
 * connection to the database.
 */
async function receiveLines(
  call: RoutedCall,
  raw: IncomingMessage,
  query: string,
  limits: HttpLimits,
): Promise<Received> {
  const { members, duplicates } = readQuery(query)
  const read = readMembers(call, members, duplicates, true)
  const stopWatching = cutSlowBody(raw, {
    totalTimeoutMs: Number.POSITIVE_INFINITY,
    idleTimeoutMs: limits.bodyIdleTimeoutMs,
  })
  const lines = new HashedStream(raw)
  const isRefused = read.refused.rejections.length > 0
  const isShort = !isRefused && (await lines.endsWithin(shortLoadBytesMax))
  return {
    ...read,
    lines,
    body: {
      kind: 'lines',
      format: linesFormat(raw.headers['content-type'] ?? ''),
      stream: lines,
      isShort,
    },
    content: () => lines.digest(),
    release: async () => stopWatching(),
  }
}

function readMembers(call: RoutedCall, json: unknown, duplicates: readonly JsonPath[], fromText: boolean) {
  call.bodySent = json
  const { value, rejections, refusedPaths, unlessStored } = readRequest(call.route.operation.request, json, {
    duplicates,
    fromText,
  })
  call.deprecatedMember = deprecationOf(call.route.operation, value as object)
  const masked = call.route.operation.writes ? maskRemarks(value) : []
  return { value, refused: { rejections, paths: refusedPaths, unlessStored }, masked }
}
