/**
 * The scripts of the Postman collection: the token before each request, the check after it, and the values that a step
 * keeps.
 */

const tokenPath = '/identity/connect/token'

/**
 * Before each request: new values for names that must not repeat, and a token of the credential that the path
 * needs. A token is kept until a minute before it expires. A new token is requested if the credential changes.
 */
export const beforeEachRequest = `
const letters = Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')
pm.collectionVariables.set('letters', letters)
pm.collectionVariables.set('taxIdNumber', String(200000000 + (10 + Math.floor(Math.random() * 80)) * 10000 + 1000 + Math.floor(Math.random() * 8999) + Math.floor(Math.random() * 200) * 1000000))

const forOperations = pm.request.url.getPath().startsWith('/operations-api/')
const prefix = forOperations ? 'operations' : ''
const named = (name) => prefix === '' ? name : prefix + name.charAt(0).toUpperCase() + name.slice(1)
const id = pm.variables.get(named('clientId'))
const kept = JSON.parse(pm.collectionVariables.get(named('keptToken')) || '{}')
if (kept.clientId === id && Date.now() < kept.until) {
  pm.collectionVariables.set('accessToken', kept.token)
} else {
  pm.sendRequest({
    url: pm.variables.get('baseUrl') + '${tokenPath}',
    method: 'POST',
    header: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: {
      mode: 'urlencoded',
      urlencoded: [
        { key: 'grant_type', value: 'client_credentials' },
        { key: 'client_id', value: id },
        { key: 'client_secret', value: pm.variables.get(named('clientSecret')) },
      ],
    },
  }, function (error, response) {
    if (error) throw error
    const answer = response.json()
    if (response.code !== 200) throw new Error('No token for ' + id + ': ' + JSON.stringify(answer))
    pm.collectionVariables.set('accessToken', answer.access_token)
    pm.collectionVariables.set(named('keptToken'), JSON.stringify({
      clientId: id,
      token: answer.access_token,
      until: Date.now() + (answer.expires_in - 60) * 1000,
    }))
  })
}
`

/** After each request: the response is successful. A token that was refused is forgotten. */
export const afterEachRequest = `
if (pm.response.code === 401) {
  pm.collectionVariables.unset('keptToken')
  pm.collectionVariables.unset('operationsKeptToken')
}
pm.test('The response is successful', function () {
  pm.expect(pm.response.code, pm.response.code === 200 ? '' : pm.response.text()).to.equal(200)
  if ((pm.response.headers.get('Content-Type') || '').includes('application/json')) {
    pm.expect(pm.response.json().errors).to.eql([])
  }
})
`

/** After a load: no line is rejected. */
export const afterLoad = `
pm.test('No line is rejected', function () {
  pm.expect(pm.response.json().data.rejects).to.eql([])
})
`

/**
 * Sends the request again after a moment while `again` is true of its data, and keeps values for later requests
 * otherwise.
 */
export function afterStep(again: string | undefined, keep: Readonly<Record<string, string>>): string {
  const kept = Object.entries(keep).map(
    ([variable, expression]) => `pm.collectionVariables.set('${variable}', ${expression})`,
  )
  const sent = kept.some((line) => line.includes('sent.'))
    ? 'JSON.parse(pm.variables.replaceIn(pm.request.body.raw))'
    : '{}'
  const sendAgain = [
    `if (pm.response.code === 200 && (${again})) {`,
    '  setTimeout(function () {}, 250)',
    '  pm.execution.setNextRequest(pm.info.requestId)',
    '  return',
    '}',
  ]
  return [
    // A function, because Postman has a variable called data of its own.
    ';(function (data, sent) {',
    ...[...(again === undefined ? [] : sendAgain), ...kept].map((line) => `  ${line}`),
    `})(pm.response.json().data || {}, ${sent})`,
  ].join('\n')
}
