/** The calls of the paths of the session: password, second factor, other sessions. */
import { plainFault } from '../design/fault.ts'
import { ForeignResponse, readJson } from '../session/read-json.ts'
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
    if (answer.status === 204) return { answer: {} }
    if (answer.ok) return { answer: await readJson(answer) }
    if (answer.status === 401) await checkSession()
    return { wrong: Object.fromEntries(await readErrors(answer)) }
  } catch (fault) {
    return { wrong: { '': `${plainFault(fault).title}. Your text is kept.` } }
  }
}

async function readErrors(answer: Response): Promise<[field: string, reason: string][]> {
  try {
    const { errors } = JSON.parse(await answer.text()) as { errors: { field: string; reason: string }[] }
    if (errors.length > 0) return errors.map(({ field, reason }) => [field, reason])
  } catch {}
  throw new ForeignResponse(answer.status)
}
