/** `logs tail`: the firm's own calls as they come in, with their outcome and trace. */
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
/** Calls are logged a moment after their answers, so the log is read again from before the newest one. */
const overlapMs = 15_000
const pageSize = 100
const shownBeforeDefault = 10

const filters = new Set(['status', 'operation', 'clientId', 'traceId'])
const fields = fieldsOf(operations['list-requests']).filter(({ path: [name = ''] }) => filters.has(name))

const tail: Verb = {
  path: ['logs', 'tail'],
  group: 'Work',
  summary: 'Show the firm’s own calls as they come in',
  description:
    'The latest calls, then each new one until Ctrl-C: when, what, with which outcome, how long it took, under which trace. Its own questions ' +
    'to the log are left out unless --operation list-requests asks for them.',
  arguments: [],
  flags: [
    ...fields.map(({ flag }) => flag),
    { name: 'last', value: 'number', summary: `how many earlier calls to begin with; ${shownBeforeDefault}` },
  ],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const request = renderRequest(fields, given)
    const isOwn = (call: Call) => call.operation === 'list-requests' && request.operation === undefined
    const show = async (call: Call) => {
      if (isOwn(call)) return
      await terminal.print(given.json ? renderJson(call) : renderCall(call, terminal))
    }
    try {
      await follow(client, request, readCount(textOf(given, 'last')), isOwn, show, terminal)
    } catch (error) {
      // Ctrl-C is how it is meant to end.
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

/** Shows the latest calls, the oldest of them first, and then every new one. */
async function follow(
  client: Client<'string'>,
  request: Record<string, unknown>,
  before: number,
  isOwn: (call: Call) => boolean,
  show: (call: Call) => Promise<void>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  let seen = new Set<string>()
  let newest = 0
  for (let isFirst = true; ; isFirst = false) {
    const from = newest === 0 ? {} : { from: new Date(newest - overlapMs).toISOString() }
    const latest: Call[] = []
    let toShow = 0
    // The latest first: the first time only as far back as is shown, later to where the log is known.
    for await (const call of client.listRequests.each({ ...request, ...from, size: pageSize }, { signal })) {
      latest.push(call)
      toShow += isOwn(call) ? 0 : 1
      if (isFirst && toShow >= before) break
    }
    for (const call of before === 0 && isFirst ? [] : latest.toReversed()) {
      if (!seen.has(call.requestId)) await show(call)
    }
    seen = new Set(latest.map(({ requestId }) => requestId))
    newest = Math.max(newest, ...latest.map(({ at }) => Date.parse(at)))
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

/** Callers name both. */
const clean = (text: string) => text.replace(/\p{Cc}/gu, ' ')

export const logVerbs: readonly Verb[] = [tail]
