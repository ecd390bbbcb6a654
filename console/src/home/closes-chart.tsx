/**
 * The durations of the last closes as columns. A close with accepted open items is marked. Fewer than five closes have
 * no chart.
 */
import { Tooltip, VisuallyHidden } from '@mantine/core'
import { countOf } from '../design/count.ts'
import { renderDay, renderTimeOf } from '../design/time.tsx'
import type { Close } from './last-day.tsx'

const pointsMin = 5
const heightMinPercent = 4

/** In the service's order, the newest first; drawn from the oldest. */
export function ClosesChart({ closes }: { readonly closes: readonly Close[] }) {
  if (closes.length < pointsMin) return null
  const drawn = [...closes].reverse()
  const most = Math.max(1, ...drawn.map(({ tookMs }) => tookMs))
  return (
    <figure className="closes">
      <figcaption className="sub">
        Time that each of the last {closes.length} closes took, the longest {renderTook(most)}
      </figcaption>
      <div aria-hidden>
        {drawn.map((close) => (
          <Tooltip key={close.closedDate} label={sentenceOf(close)}>
            <div>
              <i
                className={close.acceptedOpen ? 'marked' : undefined}
                style={{ height: `${Math.max(heightMinPercent, (close.tookMs / most) * 100)}%` }}
              />
            </div>
          </Tooltip>
        ))}
      </div>
      <div className="ends quiet" aria-hidden>
        <span>{renderDay(drawn[0]?.closedDate ?? '')}</span>
        {drawn.some(({ acceptedOpen }) => acceptedOpen) && (
          <span className="legend marked">with open items</span>
        )}
        <span>{renderDay(drawn.at(-1)?.closedDate ?? '')}</span>
      </div>
      <VisuallyHidden component="ul">
        {drawn.map((close) => (
          <li key={close.closedDate}>{sentenceOf(close)}</li>
        ))}
      </VisuallyHidden>
    </figure>
  )
}

function renderTook(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

function sentenceOf(close: Close): string {
  const { closedDate, closedOn, tookMs, acceptedOpen, callsIssued } = close
  return `${renderDay(closedDate)}: closed at ${renderTimeOf(closedOn, closedDate)} in ${renderTook(tookMs)}, ${countOf(
    callsIssued,
    'call',
  )} issued${acceptedOpen ? ', with open items' : ''}`
}
