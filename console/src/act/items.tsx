/** The items of a list in a form, and the buttons that add and remove one. A single item has no frame. */
import { Fieldset, Group, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../design/button.tsx'
import type { Field, Values } from './field.ts'
import { countItems, fieldsOfItem, type Repeated, withItem, withoutItem } from './repeated.ts'

interface ItemsProps {
  readonly repeated: Repeated
  /** The fields of the first item. */
  readonly fields: readonly Field[]
  readonly values: Values
  readonly inputOf: (field: Field) => ReactNode
  readonly onChange: (values: Values) => void
}

export function Items({ repeated: { list, item, add }, fields, values, inputOf, onChange }: ItemsProps) {
  const count = countItems(values, list)
  const adder = useRef<HTMLButtonElement>(null)
  const before = useRef(count)
  // The pressed button may be gone, so the focus moves to the new item, or to the button that adds one.
  useEffect(() => {
    const last = fieldsOfItem(fields, list, count - 1)[0]?.name ?? ''
    const named = adder.current?.form?.elements.namedItem(last)
    if (count > before.current && named instanceof HTMLElement) named.focus()
    if (count < before.current) adder.current?.focus()
    before.current = count
  }, [count, fields, list])
  return (
    <>
      {Array.from({ length: count }, (_, at) => at).map((at) => {
        const inputs = fieldsOfItem(fields, list, at).map(inputOf)
        return count === 1 ? (
          inputs
        ) : (
          <Fieldset key={at} legend={`${item} ${at + 1}`}>
            <Stack gap="sm">
              {inputs}
              <Group justify="flex-end">
                <Button
                  variant="subtle"
                  aria-label={`Remove ${item.toLowerCase()} ${at + 1}`}
                  onClick={() => onChange(withoutItem(values, list, at))}
                >
                  Remove
                </Button>
              </Group>
            </Stack>
          </Fieldset>
        )
      })}
      <Group>
        <Button ref={adder} variant="default" onClick={() => onChange(withItem(values, fields, list))}>
          {add}
        </Button>
      </Group>
    </>
  )
}
