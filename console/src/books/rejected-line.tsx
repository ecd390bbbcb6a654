/**
 * A rejected line as it was sent, with the wrong members marked. It can be corrected and sent again as a load of one
 * line.
 */
import { Alert, Group, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { type Answered, call } from '../client.ts'
import { Button } from '../design/button.tsx'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { withTimes } from '../design/time.tsx'
import { dropDraft, keepDraft, readDraft } from '../drafts.ts'
import { useWhyNot } from '../session/permitted.ts'
import { type LoadKind, loadKinds } from './load-kinds.ts'
import type { Reject } from './rejects.tsx'

export interface RejectedLineProps {
  /** The operation of its load. */
  readonly kind: string
  readonly line: number
  readonly rejects: readonly Reject[]
  readonly isCurrent: boolean
  readonly onChoose: () => void
}

export function RejectedLine(props: RejectedLineProps) {
  const { kind, line, rejects, isCurrent, onChoose } = props
  const sent = rejects[0]?.sent ?? ''
  const members = parseMembers(sent)
  const kindOfLoad = loadKinds.find((one) => one === kind)
  const acceptedBy = acceptedByOf(rejects)
  const own = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // A field that a person selected keeps the focus.
    if (!isCurrent || own.current?.contains(document.activeElement)) return
    const wrong = own.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const first = wrong ?? own.current?.querySelector<HTMLElement>('input, button')
    first?.focus()
    own.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={own} aria-label={`Line ${line}`} onFocus={onChoose} data-current={isCurrent || undefined}>
      <Group gap="sm">
        <strong>Line {line}</strong>
        {typeof members?.externalId === 'string' && <span className="mono">{members.externalId}</span>}
        {rejects.map(({ code, field, reason }) => (
          <Text key={`${code} ${field} ${reason}`} size="sm">
            <span className="mono">{code}</span> {field !== '' && <span className="mono">{field}: </span>}
            {withTimes(reason)}
          </Text>
        ))}
      </Group>
      {acceptedBy !== null ? (
        <Text size="sm">
          <Status of="Accepted" /> The corrected line was accepted by{' '}
          <Link to={`/books/loads/${acceptedBy}`}>a separate load</Link>.
        </Text>
      ) : members === undefined || kindOfLoad === undefined ? (
        <Text size="xs" className="quiet">
          {sent === '' ? 'The line was not stored.' : sent}
        </Text>
      ) : (
        <Mend kind={kindOfLoad} sent={sent} members={members} rejects={rejects} />
      )}
    </li>
  )
}

interface MendProps {
  readonly kind: LoadKind
  readonly sent: string
  readonly members: Readonly<Record<string, unknown>>
  readonly rejects: readonly Reject[]
}

type Outcome = Answered<'load-activity'>

function Mend({ kind, sent, members, rejects }: MendProps) {
  const draft = `${kind} ${sent}`
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    () => readDraft<Record<string, string>>(draft) ?? textsOf(members, rejects),
  )
  const [sends, setSends] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const [fault, setFault] = useState<unknown>()
  const queries = useQueryClient()
  const notAllowed = useWhyNot(kind)
  const attempt = useRef<{ line: string; key: string }>(undefined)
  const isTaken = outcome !== undefined && outcome.rejected === 0 && outcome.conflicts === 0
  const wrong = outcome === undefined || isTaken ? rejects : outcome.rejects
  const send = async () => {
    const corrected = membersOf(texts, members)
    const line = JSON.stringify(corrected)
    if (attempt.current?.line !== line) attempt.current = { line, key: crypto.randomUUID() }
    setSends(true)
    setFault(undefined)
    try {
      const { data } = await call(kind, { lines: { ndjson: line } }, { idempotencyKey: attempt.current.key })
      attempt.current = undefined
      setOutcome(data)
      if (data.rejected === 0 && data.conflicts === 0) dropDraft(draft)
      await queries.invalidateQueries()
    } catch (caught) {
      setFault(caught)
    } finally {
      setSends(false)
    }
  }
  if (isTaken)
    return (
      <Text size="sm" role="status">
        <Status of="Accepted" />{' '}
        {outcome.duplicates > 0 ? 'The line is in the books already' : 'The corrected line was accepted'} by{' '}
        <Link to={`/books/loads/${outcome.loadId}`}>a separate load</Link>.
      </Text>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="corrected">
        {Object.entries(texts).map(([name, text]) => {
          const reasons = wrong.filter(({ field }) => field === name).map(({ reason }) => reason)
          return (
            <TextInput
              key={name}
              label={name}
              value={text}
              name={name}
              autoComplete="off"
              error={reasons.length === 0 ? undefined : withTimes(reasons.join(' '))}
              onChange={(event) => {
                const next = { ...texts, [name]: event.currentTarget.value }
                setTexts(next)
                keepDraft(draft, next)
              }}
            />
          )
        })}
      </div>
      {outcome !== undefined && (
        <Alert color="red" variant="light" mt="xs" role="alert">
          It was rejected again.{' '}
          {outcome.rejects
            .filter(({ field }) => !(field in texts))
            .map(({ reason }) => withTimes(reason))
            .join(' ')}
        </Alert>
      )}
      {fault !== undefined && <Failure fault={fault} />}
      <Group gap="xs" mt="xs">
        {/* Enter in a field submits a form only if the form has such a button. */}
        <button type="submit" hidden disabled={notAllowed !== undefined || sends} />
        <ActButton operation={kind} variant="default" loading={sends} onAct={() => void send()}>
          Send again
        </ActButton>
        {readDraft(draft) !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              dropDraft(draft)
              setTexts(textsOf(members, rejects))
            }}
          >
            As it was sent
          </Button>
        )}
      </Group>
    </form>
  )
}

/** The later load that accepted the line; null as long as it has to be corrected. */
export function acceptedByOf(rejects: readonly Reject[]): string | null {
  return rejects.find(({ acceptedBy }) => acceptedBy !== null)?.acceptedBy ?? null
}

/** Undefined if it was not stored, or is no object. */
function parseMembers(sent: string): Readonly<Record<string, unknown>> | undefined {
  if (sent === '') return undefined
  const parsed: unknown = JSON.parse(sent)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Record<string, unknown>)
    : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : JSON.stringify(value)
}

/** The sent members, and the missing ones. */
function textsOf(members: Readonly<Record<string, unknown>>, rejects: readonly Reject[]) {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(members)) texts[name] = textOf(value)
  for (const { field } of rejects) if (/^[a-z]\w*$/i.test(field)) texts[field] ??= ''
  return texts
}

/** Unchanged members are sent as they were; an empty text is left out. */
function membersOf(texts: Readonly<Record<string, string>>, members: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, text === textOf(members[name]) ? members[name] : text]),
  )
}
