/** Whether a person is at the page. A page that only follows changes does not extend its session. */
import { checkSession, headersOfPage } from './session.ts'

const presentMs = 60_000
let actedAt = performance.now()

function act(): void {
  actedAt = performance.now()
}
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  addEventListener(event, act, { capture: true, passive: true })

/**
 * Every call names the person for whom the page acts. If there was no pointer move or key press in the last minute, it
 * is marked as background. If the session has ended, the shell asks the person to sign in.
 */
export const fetchAsPerson: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  for (const [name, value] of Object.entries(headersOfPage())) headers.set(name, value)
  if (performance.now() - actedAt >= presentMs) headers.set('X-Clearing-Background', '1')
  const answer = await fetch(input, { ...init, headers })
  if (answer.status === 401) void checkSession()
  return answer
}
