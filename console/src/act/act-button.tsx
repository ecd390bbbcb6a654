/** A button that stays visible while it cannot be used, and shows the reason. */

import type { OperationName } from '@clearing/protocol'
import { type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { useWhyNot } from '../session/permitted.ts'

export interface ActButtonProps extends ButtonProps {
  readonly operation: OperationName
  /** The reason why it cannot be used now; absent if it can. */
  readonly notNow?: string | undefined
  /** The row on which it acts, beside buttons with the same words. */
  readonly of?: string | undefined
  readonly onAct: () => void
  readonly 'aria-keyshortcuts'?: string
  readonly children: ReactNode
}

export function ActButton({ operation, notNow, of, onAct, children, ...look }: ActButtonProps) {
  const notAllowed = useWhyNot(operation)
  const why = notAllowed ?? notNow
  return (
    <Tooltip label={why} disabled={why === undefined} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...look}
        data-operation={operation}
        {...(why === undefined
          ? { 'aria-description': of }
          : { 'data-disabled': true, 'aria-disabled': true, 'aria-description': why })}
        onClick={(event) => {
          event.preventDefault()
          if (why === undefined) onAct()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
