/** The calls of the paths of the session: password, second factor, other sessions. */
import { checkSession, headersOfPage } from '../session/session.ts'

/** Returns the errors by field, or the response. */
export async function askSession(
  path: string,
  body: object,
): Promise<{ wrong?: Record<string, string>; answer?: unknown }> {
  try {
    const answer = await fetch(`/console/${path}`, {
      method: 'POST',
      headers: { ...headersOfPage(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    const json = text === '' ? {} : JSON.parse(text)
    if (answer.ok) return { answer: json }
    if (answer.status === 401) await checkSession()
    const errors = (json.errors ?? []) as { field: string; reason: string }[]
    return { wrong: Object.fromEntries(errors.map(({ field, reason }) => [field, reason])) }
  } catch {
    return { wrong: { '': 'The service cannot be reached. Your text is kept.' } }
  }
}
