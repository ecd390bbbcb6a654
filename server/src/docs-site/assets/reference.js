// Sends the form of an operation: takes a token of the client, calls the operation and shows the response. Nothing is stored.
const form = document.querySelector('.try-form')
const output = form?.querySelector('output')
const answer = form?.querySelector('.answer')

const takeToken = async (clientId, clientSecret) => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const response = await fetch('/identity/connect/token', { method: 'POST', body })
  const json = await response.json()
  if (!response.ok) throw new Error(`No token: ${json.error_description ?? json.error}`)
  return json.access_token
}

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

const makeRequest = ({ path, body, writes }, fields, token) => {
  const headers = { authorization: `Bearer ${token}` }
  if (writes === 'true') headers['idempotency-key'] = crypto.randomUUID()
  const request = JSON.parse(fields.get('request') || '{}')
  const pairs = Object.entries(request).map(([name, value]) => [name, textOf(value)])
  if (body === 'multipart') {
    const parts = new FormData()
    for (const [name, value] of pairs) parts.append(name, value)
    parts.append('file', fields.get('file'))
    return [path, { method: 'POST', headers, body: parts }]
  }
  if (body === 'lines') {
    const lines = fields.get('lines')
    headers['content-type'] = lines.trimStart().startsWith('{') ? 'application/x-ndjson' : 'text/csv'
    return [`${path}?${new URLSearchParams(pairs)}`, { method: 'POST', headers, body: lines }]
  }
  headers['content-type'] = 'application/json'
  return [path, { method: 'POST', headers, body: JSON.stringify(request) }]
}

const readAnswer = async (response) => {
  const type = response.headers.get('content-type') ?? ''
  const size = response.headers.get('content-length')
  if (type.includes('json')) return JSON.stringify(await response.json(), undefined, 2)
  if (type.startsWith('text/')) return await response.text()
  return `A file: ${type}, ${size ?? 'an unknown number of'} bytes, ${response.headers.get('content-disposition') ?? ''}`
}

const send = async () => {
  const fields = new FormData(form)
  const token = await takeToken(fields.get('clientId'), fields.get('clientSecret'))
  const started = performance.now()
  const response = await fetch(...makeRequest(form.dataset, fields, token))
  const text = await readAnswer(response)
  output.className = response.ok ? 'is-operational' : 'is-unavailable'
  output.textContent = `${response.status} in ${Math.round(performance.now() - started)} ms`
  answer.querySelector('code').textContent = text
  answer.hidden = false
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button[type=submit]')
  button.disabled = true
  try {
    await send()
  } catch (error) {
    output.className = 'is-unavailable'
    output.textContent =
      error instanceof SyntaxError ? `The request is not JSON: ${error.message}` : error.message
    answer.hidden = true
  } finally {
    button.disabled = false
  }
})
form?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
})
