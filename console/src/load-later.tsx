/**
 * Parts of the console that are loaded when they are first shown, or when the browser has time. A part that cannot be
 * loaded says so and is tried again. The page is not reloaded for it, because typed text would be lost.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { NotLoaded } from './design/fault.ts'
import { Failure, Loading } from './design/states.tsx'

const againAfterMs = 4_000
/** Each loads one part. */
const parts: (() => Promise<void>)[] = []

interface Shown<P> {
  readonly waiting?: ReactNode
  /** The place of the failure, if it is not that of the part. */
  readonly failed?: (failure: ReactNode, props: P) => ReactNode
}

export function loadLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting = <Loading />, failed = (failure) => failure }: Shown<P> = {},
): ((props: P) => ReactNode) & { preload(): Promise<void> | undefined } {
  let part: ComponentType<P> | undefined
  let loads: Promise<void> | undefined
  const read = () => {
    loads ??= checkServed()
      .then(load)
      .then((loaded) => {
        part = loaded
      })
      .finally(() => {
        loads = undefined
      })
    return loads
  }
  parts.push(read)
  function Later(props: P) {
    const [Part, setPart] = useState(() => part)
    const [fault, setFault] = useState<unknown>()
    const attempt = () =>
      read().then(
        () => setPart(() => part),
        (cause: unknown) => setFault(new NotLoaded({ cause })),
      )
    // biome-ignore lint/correctness/useExhaustiveDependencies: each failure starts a new wait
    useEffect(() => {
      if (Part !== undefined) return
      if (fault === undefined) return void attempt()
      const timer = setTimeout(attempt, againAfterMs)
      return () => clearTimeout(timer)
    }, [Part, fault])
    if (Part !== undefined) return <Part {...props} />
    return fault === undefined ? waiting : failed(<Failure fault={fault} again={attempt} />, props)
  }
  // The router waits for it before it leaves the screen before. A failure is shown in the place of the part.
  const preload = () => (part === undefined ? read().catch(() => undefined) : undefined)
  return Object.assign(Later, { preload })
}

/** A browser never fetches a script again that it could not load. Therefore the service is asked whether it answers. */
async function checkServed(): Promise<void> {
  const answer = await fetch('/console/mark.svg', { cache: 'no-store' })
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
}

/** Loads all parts one after another, so that they are there when the service does not respond. */
export async function loadAllWhenIdle(): Promise<void> {
  for (const read of parts) {
    await idle()
    await read().catch(() => undefined)
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })
}
