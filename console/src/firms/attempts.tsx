/** The attempts of a delivery: the last one, and all of them when opened. */
import type { Answered } from '../client.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'

type Attempt = Answered<'test-webhook'>['attempt']

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const last = attempts.at(-1)
  if (last === undefined) return <span className="quiet">not tried yet</span>
  if (attempts.length === 1) return <AttemptShown attempt={last} />
  return (
    <>
      <AttemptShown attempt={last} />
      <details>
        <summary>{countOf(attempts.length, 'attempt')}</summary>
        {attempts.slice(0, -1).map((attempt) => (
          <AttemptShown key={attempt.at} attempt={attempt} />
        ))}
      </details>
    </>
  )
}

/** The time of sending, the receiver's response, and its duration. */
export function AttemptShown({
  attempt: { at, status, answer, error, durationMs },
}: {
  readonly attempt: Attempt
}) {
  return (
    <div>
      <Status of={status === null ? 'No answer' : String(status)} tone={error === '' ? 'good' : 'bad'} />{' '}
      <span className="quiet">
        <Time at={at} />, {renderCount(durationMs)} ms
      </span>
      {error !== '' && <div>{error}</div>}
      {answer !== '' && (
        <div className="mono detail" title={answer}>
          {answer}
        </div>
      )}
    </div>
  )
}
