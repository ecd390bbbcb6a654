/** Starts the console: loads the session, goes to the sign-in page without one, and shows the screen of the address. */
import './design/component-styles.ts'
import './design/typeface.css'
import './design/console.css'
import './design/pictures.css'
import './design/tables.css'
import './design/rail.css'
import './design/print.css'
import './design/forced-colours.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Notices } from './design/notices.tsx'
import { preparePrinting } from './design/printing.ts'
import { Failure } from './design/states.tsx'
import { theme } from './design/theme.ts'
import { makeQueries } from './reads.ts'
import { makeScreens } from './screens.tsx'
import { SessionContext, signInAddress, startSession } from './session/session.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// Libraries that create style elements read the nonce from webpack's variable.
Object.assign(globalThis, { __webpack_nonce__: nonce })

async function start() {
  preparePrinting()
  const root = createRoot(document.getElementById('console') as HTMLElement)
  const frame = (content: React.ReactNode) =>
    root.render(
      <StrictMode>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
          {content}
        </MantineProvider>
      </StrictMode>,
    )
  try {
    const session = await startSession()
    if (session === undefined) return location.replace(signInAddress())
    frame(
      <SessionContext value={session}>
        <QueryClientProvider client={makeQueries()}>
          <Notices />
          <RouterProvider router={makeScreens()} />
        </QueryClientProvider>
      </SessionContext>,
    )
  } catch (fault) {
    frame(<Failure fault={fault} again={() => location.reload()} />)
  }
}

void start()
