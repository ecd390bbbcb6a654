/** Creates the client of a call from its profile. Decimals keep the text that the service wrote. */
import { type Client, createClient } from '@clearing/sdk'
import { chooseProfile } from './profiles.ts'
import { renderJson } from './render-json.ts'
import type { Terminal } from './terminal.ts'
import type { Given } from './verb.ts'
import { WrongUsage } from './wrong-usage.ts'

/** `cell`: the cell that answers, if there are several. */
export async function connect(given: Given, terminal: Terminal, cell?: string): Promise<Client<'string'>> {
  const { url, clientId, clientSecret } = await chooseProfile(terminal.environment, given.profile)
  return createClient({
    baseUrl: checkUrl(url),
    clientId,
    clientSecret,
    decimals: 'string',
    ...(cell === undefined ? {} : { cell }),
    // At a terminal, a wrong address is reported soon. A script waits until the service is available.
    ...(terminal.showsProgress ? { retries: 4 } : {}),
    onRetry: terminal.showsProgress
      ? ({ reason, delayMs }) =>
          terminal.progress(`${firstLine(reason.message)}; again in ${Math.ceil(delayMs / 1000)} s`)
      : noteOnce(given.json, terminal),
  })
}

/** Reports why a script waits: when it begins to wait, and when the reason changes. */
function noteOnce(json: boolean, terminal: Terminal): (retry: { readonly reason: Error }) => void {
  let noted = ''
  return ({ reason }) => {
    const waiting = `${firstLine(reason.message)}; trying again for up to a minute`
    if (waiting === noted) return
    noted = waiting
    terminal.note(json ? renderJson({ waiting }) : waiting)
  }
}

/** The given address. Throws `WrongUsage` for an invalid address. */
export function checkUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new WrongUsage(`${text} is not the address of a service, such as https://clearing.example`)
  }
  return text
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
