/** Whether a person is at the page. A page that only follows changes does not extend its session. */
const presentMs = 60_000
let actedAt = performance.now()

function act(): void {
  actedAt = performance.now()
}
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  addEventListener(event, act, { capture: true, passive: true })

/**
 * If there was no pointer move or key press in the last minute, the calls of the page are marked as background.
 */
export const fetchAsPresent: typeof fetch = (input, init) => {
  if (performance.now() - actedAt < presentMs) return fetch(input, init)
  const headers = new Headers(init?.headers)
  headers.set('X-Clearing-Background', '1')
  return fetch(input, { ...init, headers })
}
