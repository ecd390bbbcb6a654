/** The item that a screen is about, and the title of a dialog, which names the item on which it acts. */
import { createContext, use } from 'react'

/** Empty on a screen of many items. */
export const Subject = createContext('')

interface DialogTitleProps {
  readonly children: string
  /** The row of the screen on which the dialog acts. */
  readonly of?: string | undefined
}

export function DialogTitle({ children, of = '' }: DialogTitleProps) {
  const subject = use(Subject)
  const named = [of, subject].filter((part) => part !== '').join(' · ')
  return (
    <>
      {children} {named !== '' && <span className="of-dialog">{named}</span>}
    </>
  )
}
