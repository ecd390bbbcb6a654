/**
 * The button of the console. While its action runs (`loading`), it keeps the focus and ignores presses: a disabled
 * button would lose the focus to the beginning of the page.
 */
import { Button as LibraryButton, type ButtonProps as LibraryProps } from '@mantine/core'
import type { ComponentPropsWithRef, MouseEvent } from 'react'

export interface ButtonProps
  extends LibraryProps,
    Omit<ComponentPropsWithRef<'button'>, keyof LibraryProps> {}

export function Button(props: ButtonProps) {
  return <LibraryButton component={Pressable} {...props} />
}

interface PressableProps extends ComponentPropsWithRef<'button'> {
  readonly 'data-loading'?: boolean
}

/** The library disables a button that is loading. */
function Pressable({ type = 'button', disabled, onClick, ...rest }: PressableProps) {
  const loads = rest['data-loading'] === true
  if (!loads) return <button type={type} disabled={disabled} onClick={onClick} {...rest} />
  return (
    <button
      type={type}
      {...rest}
      aria-busy
      aria-disabled
      onClick={(event: MouseEvent) => event.preventDefault()}
    />
  )
}
