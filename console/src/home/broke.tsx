/** Failures by cause, each with a link to its remedy. */
import { Link } from '@tanstack/react-router'
import type { Filters } from '../address.ts'
import { titleOfLoad } from '../books/load-kinds.ts'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { breakInWords } from '../design/reasons.ts'
import { Empty } from '../design/states.tsx'
import { Age, Time, withTimes } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'

type Failure = Answered<'list-failures'>['failures'][number]

interface Mending {
  readonly what: (cause: string) => string
  readonly act: string
  /** An example in words, if it is none of a file. */
  readonly inWords?: (example: string) => string
  /** Shows when it began, not its age: attempts have the time of the wall clock, which the sandbox's clock leaves. */
  readonly isSince?: true
  readonly to: (failure: Failure) => string
  readonly search?: (failure: Failure) => Filters
}

/** The firm's screen, with the deliveries of the webhook. */
const webhook: Pick<Mending, 'to' | 'search'> = {
  to: ({ target }) => `/firms/${target}`,
  search: ({ webhookId }) => ({ webhook: webhookId }),
}

const mendings: Readonly<Record<string, Mending>> = {
  Break: {
    what: (kind) => `Breaks: ${wordsOf(kind).toLowerCase()}`,
    act: 'Review',
    inWords: breakInWords,
    to: () => '/books/breaks',
    search: ({ cause }) => ({ kind: cause }),
  },
  Reject: {
    what: (code) => `Rejected lines, ${code}`,
    act: 'Correct',
    to: ({ target }) => `/books/loads/${target}`,
  },
  LoadCutOff: {
    what: (kind) => `${titleOfLoad(kind)} was cut off`,
    act: 'Load again',
    to: ({ target }) => `/books/loads/${target}`,
  },
  Job: {
    what: (task) => `Job: ${wordsOf(task).toLowerCase()}`,
    act: 'Try again',
    to: () => '/work',
    search: () => ({ queue: 'Job' }),
  },
  Webhook: {
    what: (firm) => `Webhook deliveries to ${firm}`,
    act: 'Send again',
    to: () => '/work',
    search: () => ({ queue: 'Webhook' }),
  },
  WebhookFailing: {
    what: (firm) => `Webhook of ${firm} fails`,
    act: 'Open',
    isSince: true,
    ...webhook,
  },
  WebhookDisabled: {
    what: (firm) => `Webhook of ${firm} was disabled`,
    act: 'Open',
    isSince: true,
    ...webhook,
  },
}

const other: Mending = { what: wordsOf, act: 'Open', to: () => '/work' }

function mendingOf({ source }: Failure) {
  return mendings[source] ?? other
}

export function Broke({ failures }: { readonly failures: readonly Failure[] }) {
  return (
    <div id="broke">
      <Panel title="Broke" note="by cause, the largest first" flush>
        {failures.length === 0 ? (
          <Empty what="There are no failures." />
        ) : (
          <ul className="items" aria-label="Broke">
            {failures.map((failure) => (
              <Item
                key={`${failure.source} ${failure.cause} ${failure.target} ${failure.webhookId}`}
                failure={failure}
              />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}

function Item({ failure }: { readonly failure: Failure }) {
  const { cause, count, oldestOn, example, webhookName } = failure
  const { what, act, to, search, inWords = withTimes, isSince } = mendingOf(failure)
  return (
    <li>
      <div>
        {what(cause)}
        {webhookName !== '' && <div className="detail">{webhookName}</div>}
        {example !== '' && <div className="quiet detail">{inWords(example)}</div>}
      </div>
      <div className="right">
        <strong>{renderCount(count)}</strong>
        <div className="quiet">
          {isSince ? (
            <>
              since <Time at={oldestOn} />
            </>
          ) : (
            <Age since={oldestOn} />
          )}
        </div>
      </div>
      <Link to={to(failure)} search={() => search?.(failure) ?? {}}>
        {act}
      </Link>
    </li>
  )
}
