/**
 * The form of an operation. The rules of the protocol check it before it is sent, and the service's rejections appear
 * at their fields. Typed values are kept until the operation succeeds, even if the form is closed. While the service
 * does not respond, the form sends the request again with the same key. A notice reports the outcome to a person who
 * left.
 */
import { operations, readRequest } from '@clearing/protocol'
import { type Answer, type CallOf, OutcomeUnknown, SignedOut } from '@clearing/sdk'
import { Alert, Group, Stack } from '@mantine/core'
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { Answered, MemberOf, Readable } from '../client.ts'
import { Button } from '../design/button.tsx'
import { isRejection, mayPass } from '../design/fault.ts'
import { tell } from '../design/notices.tsx'
import { reasonInWords } from '../design/reasons.ts'
import { Failure, Refusals } from '../design/states.tsx'
import { dropDraft } from '../drafts.ts'
import { useWrite, type Write } from '../reads.ts'
import { tellFault } from '../work/refused.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { type Field, requestOf, type Values } from './field.ts'
import { FieldInput } from './field-input.tsx'
import { useIsLeft } from './is-left.ts'
import { Items } from './items.tsx'
import { countItems, type Repeated, repeatFields } from './repeated.ts'
import { useShowAnswer } from './show-answer.ts'
import { isEmpty, type RecordInForm, useFormDraft } from './use-form-draft.ts'

const againAfterMs = 5_000

interface Wrong {
  readonly field: string
  readonly reason: string
}

export interface ActFormProps<N extends Readable> {
  readonly operation: N
  readonly fields: readonly Field<MemberOf<CallOf<N>>>[]
  /** Members of the request without a field. */
  readonly fixed?: Partial<CallOf<N>>
  /** The firm, for an operation of a firm whose request names no account. */
  readonly firmId?: string
  /** The record whose values the fields replace, for a request with `expectedVersion`. */
  readonly record?: RecordInForm | undefined
  /** A list of the request whose items a person adds and removes. */
  readonly repeated?: Repeated<keyof CallOf<N> & string>
  /** Converts the typed values to the request, if the request does not contain them unchanged. */
  readonly shape?: (request: Partial<CallOf<N>>) => Partial<CallOf<N>>
  /** What the typed values would do, below the fields. */
  readonly preview?: (request: Partial<CallOf<N>>) => ReactNode
  readonly submit: string
  readonly danger?: boolean
  readonly onDone: (answer: Answer<Answered<N>>) => void
  readonly onCancel?: () => void
  /** The first attempt is under way: closing the form would not stop it. */
  readonly onSending?: (sends: boolean) => void
  /** What was not done, for a person who left the form before the refusal. */
  readonly called?: string
}

export function ActForm<N extends Readable>(props: ActFormProps<N>) {
  const { operation, repeated, fixed = {} } = props
  const draft = `${operation} ${JSON.stringify(fixed)} ${props.firmId ?? ''}`
  const { values, keep, changedValues, ...choices } = useFormDraft(draft, props)
  const fields = fieldsFor(props.fields, repeated?.list, values)
  const [wrong, setWrong] = useState<readonly Wrong[]>([])
  const write: Write<N> = useWrite(operation, props.firmId === undefined ? {} : { firmId: props.firmId })

  // A request with an unknown outcome is sent again unchanged, because a changed one could take effect twice.
  const [isUnknown, setUnknown] = useState(false)
  const left = useLeftUnknown(isUnknown)
  const isLeft = useIsLeft()
  const { sends, repeats, setRepeated } = useSending(write.isPending, props.onSending)

  const request = requestFrom(props, fields, values)
  const last = useRef(request)
  const alert = useRef<HTMLDivElement>(null)
  const changed = isUnknown || write.isPending ? [] : changedValues
  const send = () => {
    if (changed.length > 0) return
    if (!isUnknown) last.current = request
    const found = findWrong(operation, fields, values, request)
    setWrong(found)
    if (found.length > 0) return
    // Not with callbacks of `mutate`, which are not called for a form that was left.
    write.mutateAsync(last.current as CallOf<N>).then(
      (answer) => {
        left.current = false
        dropDraft(draft)
        setUnknown(false)
        props.onDone(answer)
      },
      (fault: unknown) => {
        setWrong(isRejection(fault) ? fault.rejections : [])
        setRepeated(mayPass(fault))
        setUnknown((before) => staysUnknown(fault, before))
        if (isLeft.current && !(left.current && mayPass(fault))) tellNotDone(fault, props.called)
      },
    )
  }
  const inputOf = (field: Field) => (
    <FieldInput
      key={field.name}
      isFirst={field.name === fields[0]?.name}
      field={field}
      value={values[field.name] ?? ''}
      error={reasonAt(wrong, field.name)}
      isFixed={isUnknown}
      onChange={(value) => !isUnknown && keep({ ...values, [field.name]: value })}
    />
  )
  const cancel = () => {
    dropDraft(draft)
    props.onCancel?.()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (changed.length > 0) alert.current?.focus()
    else if (!write.isPending) send()
  }
  const waits = write.isError && mayPass(write.error) && changed.length === 0
  useSendAgain(waits, write.error, send)
  const form = useShowAnswer<HTMLFormElement>(wrong, write.error)
  const elsewhere = wrong.filter((one) => !fields.some(({ name }) => isAt(one, name)))
  return (
    <form ref={form} noValidate onKeyDown={(event) => isSubmitKey(event) && submit(event)} onSubmit={submit}>
      <Stack gap="sm">
        <fieldset aria-disabled={isUnknown} className="plain">
          <Stack gap="sm">
            {repeated === undefined ? (
              fields.map(inputOf)
            ) : (
              <Items
                repeated={repeated}
                fields={props.fields}
                values={values}
                inputOf={inputOf}
                onChange={(next) => {
                  if (isUnknown) return
                  setWrong([])
                  keep(next)
                }}
              />
            )}
          </Stack>
        </fieldset>
        {props.preview?.(request)}
        <ChangedMeanwhile changed={changed} alert={alert} {...choices} />
        <Refusals reasons={elsewhere} />
        {(waits || repeats) && <Waits isUnknown={isUnknown} />}
        {write.isError && !waits && !isRejection(write.error) && <Failure fault={write.error} />}
        <Group justify="flex-end" gap="xs">
          {props.onCancel !== undefined && (
            <Button variant="default" onClick={cancel} disabled={sends}>
              Cancel
            </Button>
          )}
          <Submit isFirst={fields.length === 0} danger={props.danger} loading={write.isPending}>
            {props.submit}
          </Submit>
        </Group>
      </Stack>
    </form>
  )
}

function requestFrom<N extends Readable>(
  { fixed, record, shape = (request) => request }: ActFormProps<N>,
  fields: readonly Field[],
  values: Values,
): Partial<CallOf<N>> {
  return {
    ...fixed,
    ...(record === undefined ? {} : { expectedVersion: record.version }),
    ...shape(requestOf(fields, values) as Partial<CallOf<N>>),
  }
}

/** A list that is repeated has the fields of each of its items. */
function fieldsFor(fields: readonly Field[], list: string | undefined, values: Values): readonly Field[] {
  return list === undefined ? fields : repeatFields(fields, list, countItems(values, list))
}

interface SubmitProps {
  /** Whether it has the focus when the dialog opens. */
  readonly isFirst: boolean
  readonly danger: boolean | undefined
  readonly loading: boolean
  readonly children: string
}

function Submit({ isFirst, danger, loading, children }: SubmitProps) {
  return (
    <Button
      type="submit"
      loading={loading}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      {...(danger ? { color: 'red.9' } : {})}
    >
      {children}
    </Button>
  )
}

function isSubmitKey({ key, ctrlKey, metaKey }: KeyboardEvent) {
  return key === 'Enter' && (ctrlKey || metaKey)
}

/** The fields that are missing or that the rules of the protocol reject. */
function findWrong<N extends Readable>(
  operation: N,
  fields: readonly Field[],
  values: Values,
  request: unknown,
): readonly Wrong[] {
  const missing = fields
    .filter(({ name, required }) => required && isEmpty(values[name]))
    .map(({ name, label }) => ({ field: name, reason: `${label} is required.` }))
  const read = readRequest(operations[operation].request, request)
  return [...missing, ...read.rejections.filter(({ field }) => !missing.some((one) => isAt(one, field)))]
}

/** Sends the request again some seconds after each temporary failure. */
function useSendAgain(waits: boolean, fault: unknown, send: () => void) {
  const sendAgain = useEffectEvent(send)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure starts a new wait
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(sendAgain, againAfterMs)
    return () => clearTimeout(timer)
  }, [waits, fault])
}

function staysUnknown(fault: unknown, before: boolean): boolean {
  return fault instanceof OutcomeUnknown || (before && (mayPass(fault) || fault instanceof SignedOut))
}

/** Whether the first attempt is under way, and not one that repeats a failed one. */
function useSending(isPending: boolean, onSending: ActFormProps<Readable>['onSending']) {
  const [isRepeated, setRepeated] = useState(false)
  const sends = isPending && !isRepeated
  const report = useEffectEvent((now: boolean) => onSending?.(now))
  useEffect(() => report(sends), [sends])
  return { sends, repeats: isPending && isRepeated, setRepeated }
}

function tellNotDone(fault: unknown, called: string | undefined) {
  if (fault instanceof OutcomeUnknown) tell(notKnown)
  else tellFault(fault, called === undefined ? undefined : `Not done: ${called}`)
}

/**
 * Notifies a person who leaves the form while an outcome is unknown. The value false in the reference prevents
 * the notice.
 */
function useLeftUnknown(isUnknown: boolean) {
  const left = useRef(false)
  useEffect(() => {
    left.current = isUnknown
  })
  useEffect(
    () => () => {
      if (left.current) tell(notKnown)
    },
    [],
  )
  return left
}

function Waits({ isUnknown }: { readonly isUnknown: boolean }) {
  return (
    <Alert color="yellow" variant="light" role="alert" title="The service does not respond">
      {isUnknown
        ? 'The request may have taken effect. It is sent again every few seconds until the service responds, and takes effect once.'
        : 'Nothing was changed. The request is sent again every few seconds until the service responds. Your text is kept.'}
    </Alert>
  )
}

/** Shown to a person who leaves a form that waits for its outcome. */
const notKnown = {
  tone: 'bad',
  title: 'The outcome is unknown',
  message: 'The service did not respond. Check the result before you repeat the request.',
} as const

function reasonAt(wrong: readonly Wrong[], name: string): string | undefined {
  const found = wrong.find((one) => isAt(one, name))
  return found && reasonInWords(found.reason)
}

/** At the member, or within it. The service names an item of a list `list[0]` or `list.0`. */
function isAt(wrong: Wrong, name: string) {
  const field = wrong.field.replace(/\.(\d+)/g, '[$1]')
  return field === name || (/^[.[]/.test(field.slice(name.length)) && field.startsWith(name))
}
