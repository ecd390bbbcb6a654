/** `logs tail`: shows the firm's own calls as they arrive, with their outcome and trace. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Data, operations } from '@clearing/protocol'
import type { Client } from '@clearing/sdk'
import { connect } from '../connect.ts'
import { renderJson } from '../render-json.ts'
import { fieldsOf, renderRequest } from '../request-flags.ts'
import type { Terminal } from '../terminal.ts'
import { textOf, type Verb } from '../verb.ts'
import { WrongUsage } from '../wrong-usage.ts'

type Call = Data<'list-requests'>['requests'][number]

const pollEveryMs = 1_000
/** Calls are logged shortly after their responses, so each reading of the log overlaps the previous one. */
const overlapMs = 15_000
const pageSize = 100
const shownBeforeDefault = 10

const filters = new Set(['status', 'operation', 'clientId', 'traceId'])
const fields = fieldsOf(operations['list-requests']).filter(({ path: [name = ''] }) => filters.has(name))

const tail: Verb = {
  path: ['logs', 'tail'],
  group: 'Work',
  summary: 'Show the firm’s own calls as they arrive',
  description:
    'Shows the latest calls, then each new call until Ctrl-C: time, operation, outcome, duration and trace. The calls of this command ' +
    'itself are left out unless --operation list-requests is given.',
  arguments: [],
  flags: [
    ...fields.map(({ flag }) => flag),
    {
      name: 'last',
      value: 'number',
      summary: `number of earlier calls to show; the default is ${shownBeforeDefault}`,
    },
  ],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const request = renderRequest(fields, given)
    const isOwn = (call: Call) => call.operation === 'list-requests' && request.operation === undefined
    const show = async (call: Call) => {
      await terminal.print(given.json ? renderJson(call) : renderCall(call, terminal))
    }
    try {
      const before = readCount(textOf(given, 'last'))
      await follow(client, request, { before, isOwn, show }, terminal)
    } catch (error) {
      // Ctrl-C is the regular end.
      if (!terminal.signal.aborted) throw error
    }
    return 0
  },
}

function readCount(text: string | undefined): number {
  if (text === undefined) return shownBeforeDefault
  if (!/^\d{1,3}$/.test(text)) throw new WrongUsage(`--last takes a number up to 999, not ${text}`)
  return Number(text)
}

interface Shown {
  /** Number of earlier calls to show. */
  readonly before: number
  /** Whether this command made the call; such calls are left out. */
  readonly isOwn: (call: Call) => boolean
  readonly show: (call: Call) => Promise<void>
}

/** Shows the latest calls, the oldest first, and then every new call. */
async function follow(
  client: Client<'string'>,
  request: Record<string, unknown>,
  { before, isOwn, show }: Shown,
  { signal }: Terminal,
): Promise<void> {
  let seen = new Set<string>()
  let newest = 0
  for (let isFirst = true; ; isFirst = false) {
    const from = newest === 0 ? {} : { from: new Date(newest - overlapMs).toISOString() }
    const latest: Call[] = []
    let toShow = 0
    // The log has the latest calls first. The first read goes back to the first call that is shown, and over the time
    // that the next read repeats: earlier calls are not new to it. Later reads go back to the calls that are already
    // known.
    for await (const call of client.listRequests.each({ ...request, ...from, size: pageSize }, { signal })) {
      newest = Math.max(newest, Date.parse(call.at))
      if (isFirst && toShow >= before && Date.parse(call.at) < newest - overlapMs) break
      latest.push(call)
      toShow += isOwn(call) ? 0 : 1
    }
    const unseen = latest.filter((call) => !isOwn(call) && !seen.has(call.requestId))
    const shown = isFirst ? unseen.slice(0, before) : unseen
    for (const call of shown.toReversed()) await show(call)
    seen = new Set(latest.map(({ requestId }) => requestId))
    await sleep(pollEveryMs, undefined, { signal })
  }
}

function renderCall(call: Call, terminal: Terminal): string {
  const { at, status, operation, durationMs, clientId, errorCodes, replayed, traceId } = call
  const colour = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'
  const parts = [
    terminal.style('dim', at),
    terminal.style(colour, String(status)),
    clean(operation),
    `${durationMs} ms`,
    clean(clientId),
    ...errorCodes,
    ...(replayed ? ['replayed'] : []),
    terminal.style('dim', traceId),
  ]
  return parts.join('  ')
}

/** A call is identified by both. */
function clean(text: string) {
  return text.replace(/\p{Cc}/gu, ' ')
}

export const logVerbs: readonly Verb[] = [tail]
