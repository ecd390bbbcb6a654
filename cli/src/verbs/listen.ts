/** `listen`: shows events as they happen; with `--forward-to`, forwards them as signed webhooks to a local receiver. */
import { successMessage } from '@clearing/protocol'
import {
  type Client,
  type CloudEvent,
  EventsMissed,
  type EventsSettings,
  type EventsWanted,
  makeWebhookSecret,
  signWebhook,
} from '@clearing/sdk'
import { checkUrl, connect } from '../connect.ts'
import { reasonOf } from '../read-input.ts'
import { renderJson } from '../render-json.ts'
import type { Terminal } from '../terminal.ts'
import { isSet, textOf, type Verb } from '../verb.ts'

const answerTimeoutMs = 15_000
const answerShownMax = 200

const listen: Verb = {
  path: ['listen'],
  group: 'Work',
  summary: 'Show events as they happen, and forward them as signed webhooks',
  description:
    'Streams the firm’s events until Ctrl-C. With --forward-to, each event is sent once, in order, as the service would send it: with the same body, headers ' +
    'and signature, signed with a new secret unless CLEARING_WEBHOOK_SECRET is set. The response of the receiver is shown beside the event.',
  arguments: [],
  flags: [
    { name: 'forward-to', value: 'address', summary: 'the address that receives each event' },
    { name: 'types', value: 'types', summary: 'types and wildcards, such as account.*', repeatable: true },
    { name: 'account-number', value: 'number', summary: 'events of one account only' },
    { name: 'entity-number', value: 'number', summary: 'events of accounts with one entity number' },
    { name: 'rep-code', value: 'text', summary: 'events of accounts with one rep code' },
    { name: 'cursor', value: 'cursor', summary: 'begin after this event instead of now' },
    { name: 'from-start', summary: 'begin with the first event of the log' },
  ],
  async run(given, terminal) {
    const client = await connect(given, terminal)
    const target = textOf(given, 'forward-to')
    const forward = target === undefined ? undefined : startForwarding(checkUrl(target), terminal)
    const types = given.flags.get('types')
    const cursor = textOf(given, 'cursor')
    const filter = {
      ...(Array.isArray(types) ? { types: types.flatMap((each) => each.split(',')) } : {}),
      ...present('accountNumber', textOf(given, 'account-number')),
      ...present('entityNumber', textOf(given, 'entity-number')),
      ...present('repCode', textOf(given, 'rep-code')),
      ...present('cursor', cursor),
    }
    await noteUnknownAccount(client, filter, terminal)
    const from = isSet(given, 'from-start') ? 'start' : 'now'
    if (terminal.showsProgress) terminal.note('Listening; Ctrl-C ends it.')
    try {
      const settings = { from, signal: terminal.signal } as const
      for await (const event of followed(client, filter, settings, terminal)) {
        const delivery = await forward?.(event)
        if (given.json) await terminal.print(renderJson(delivery === undefined ? event : { event, delivery }))
        else await terminal.print(renderEvent(event, delivery, terminal))
      }
    } catch (error) {
      // Ctrl-C is the regular end.
      if (!terminal.signal.aborted) throw error
    }
    return 0
  },
}

/** A stream of an account that the firm does not have would be silent. */
async function noteUnknownAccount(
  client: Pick<Client<'string'>, 'listEvents'>,
  { accountNumber }: EventsWanted,
  terminal: Terminal,
): Promise<void> {
  if (accountNumber === undefined) return
  const { message } = await client.listEvents({ accountNumber, size: 1 })
  if (message !== successMessage) terminal.note(message)
}

/** Events without end. After a restore of a sandbox, it says so and continues. */
async function* followed(
  client: Pick<Client<'string'>, 'events'>,
  filter: EventsWanted,
  settings: EventsSettings,
  terminal: Terminal,
): AsyncGenerator<CloudEvent> {
  for (let wanted = filter; ; ) {
    try {
      return yield* client.events(wanted, settings)
    } catch (error) {
      if (!(error instanceof EventsMissed)) throw error
      terminal.note(error.message)
      wanted = { ...filter, cursor: error.cursor }
    }
  }
}

function present(name: string, value: string | undefined) {
  return value === undefined ? {} : { [name]: value }
}

/** The outcome of a forwarded event. */
interface Delivery {
  readonly status: number | null
  readonly durationMs: number
  readonly answer: string
  readonly error: string
}

function startForwarding(target: string, terminal: Terminal): (event: CloudEvent) => Promise<Delivery> {
  const kept = terminal.environment.CLEARING_WEBHOOK_SECRET
  const secret = kept || makeWebhookSecret()
  terminal.note(`Forwarding to ${target}`)
  terminal.note(kept ? 'Signing with CLEARING_WEBHOOK_SECRET' : `Signing with ${secret}`)
  return async (event) => {
    const body = JSON.stringify(event)
    const startedAt = performance.now()
    const took = () => Math.round(performance.now() - startedAt)
    try {
      const answer = await fetch(target, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          ...(await signWebhook(event.id, body, secret)),
        },
        signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(answerTimeoutMs)]),
      })
      const text = await answer.text()
      const error = answer.ok ? '' : `the receiver returned ${answer.status}`
      return { status: answer.status, durationMs: took(), answer: text.slice(0, answerShownMax), error }
    } catch (error) {
      terminal.signal.throwIfAborted()
      if (error instanceof TypeError && error.cause === undefined) throw error
      return { status: null, durationMs: took(), answer: '', error: innermost(error) }
    }
  }
}

function innermost(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const { code, message } = inner as NodeJS.ErrnoException
  return message || code || reasonOf(inner)
}

function renderEvent(event: CloudEvent, delivery: Delivery | undefined, terminal: Terminal): string {
  const { time, type, accountnumber = '' } = event
  const said = `${terminal.style('dim', time)}  ${type}  ${accountnumber}`.trimEnd()
  if (delivery === undefined) return said
  const { status, durationMs, answer, error } = delivery
  const outcome = error === '' ? terminal.style('green', `${status}`) : terminal.style('red', error)
  const text = answer.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return `${said}  → ${outcome} (${durationMs} ms)${text === '' ? '' : `  ${text}`}`
}

export const listenVerbs: readonly Verb[] = [listen]
