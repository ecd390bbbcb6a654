/** Calls the paths of the session, and returns the errors by field, or the response. */
export async function askSession(
  path: string,
  body: object,
): Promise<{ wrong?: Record<string, string>; answer?: unknown }> {
  try {
    const answer = await fetch(`/console/${path}`, {
      method: 'POST',
      headers: { 'X-Clearing-Console': '1', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    const json = text === '' ? {} : JSON.parse(text)
    if (answer.ok) return { answer: json }
    const errors = (json.errors ?? []) as { field: string; reason: string }[]
    return { wrong: Object.fromEntries(errors.map(({ field, reason }) => [field, reason])) }
  } catch {
    return { wrong: { '': 'The service cannot be reached. Your text is kept.' } }
  }
}
