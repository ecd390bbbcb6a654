/**
 * The form of an operation: read by the rules of the protocol before it is sent, with the service's rejections at their fields.
 * What was typed stays until it is done.
 */
import { readRequest } from '@clearing/protocol'
import { type Answer, type CallOf, RequestRejected } from '@clearing/sdk'
import { Alert, Button, Group, List, Stack } from '@mantine/core'
import { useState } from 'react'
import { type Answered, definitionOf, type Readable } from '../client.ts'
import { Failure } from '../design/states.tsx'
import { useWrite, type Write } from '../reads.ts'
import { type Field, firstValues, requestOf, type Values } from './field.ts'
import { FieldInput } from './field-input.tsx'

interface Wrong {
  readonly field: string
  readonly reason: string
}

export interface ActFormProps<N extends Readable> {
  readonly operation: N
  readonly fields: readonly Field[]
  /** Members of the request that are not asked for. */
  readonly fixed?: Partial<CallOf<N>>
  /** For an operation of a firm whose request names no account: whose. */
  readonly firmId?: string
  /** Turns what was typed into the request, where its members are not the fields. */
  readonly shape?: (request: Record<string, unknown>) => Record<string, unknown>
  readonly submit: string
  readonly danger?: boolean
  readonly onDone: (answer: Answer<Answered<N>>) => void
  readonly onCancel?: () => void
}

export const ActForm = <N extends Readable>(props: ActFormProps<N>) => {
  const { operation, fields, fixed = {}, shape = (request) => request } = props
  const [values, setValues] = useState<Values>(() => firstValues(fields))
  const [wrong, setWrong] = useState<readonly Wrong[]>([])
  const write: Write<N> = useWrite(operation, props.firmId === undefined ? {} : { firmId: props.firmId })

  const send = () => {
    const request = { ...fixed, ...shape(requestOf(fields, values)) }
    const missing = fields
      .filter(({ name, required }) => required && isEmpty(values[name]))
      .map(({ name, label }) => ({ field: name, reason: `${label} is required.` }))
    const read = readRequest(definitionOf(operation).request, request)
    const found = [
      ...missing,
      ...read.rejections.filter(({ field }) => !missing.some((one) => one.field === field)),
    ]
    setWrong(found)
    if (found.length > 0) return
    write.mutate(request as CallOf<N>, {
      onSuccess: props.onDone,
      onError: (fault) => setWrong(fault instanceof RequestRejected ? fault.rejections : []),
    })
  }
  const named = new Set(fields.map(({ name }) => name))
  const elsewhere = wrong.filter(({ field }) => !named.has(rootOf(field)))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="sm">
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={wrong.find((one) => rootOf(one.field) === field.name)?.reason}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {elsewhere.length > 0 && (
          <Alert color="red" variant="light" role="alert">
            <List size="sm">
              {elsewhere.map(({ field, reason }) => (
                <List.Item key={field + reason}>{reason}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {write.isError && !(write.error instanceof RequestRejected) && <Failure fault={write.error} />}
        <Group justify="flex-end" gap="xs">
          {props.onCancel !== undefined && (
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={write.isPending} {...(props.danger ? { color: 'red' } : {})}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const isEmpty = (value: Values[string] | undefined) =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

const rootOf = (field: string) => field.split(/[.[]/)[0] ?? ''
