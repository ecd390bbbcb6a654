/** The statements of the specification that an implementation can be checked against from outside, in its order. */
import { documentStatements } from './document-statements.ts'
import { positionStatements } from './position-statements.ts'
import { expectMembers, expectRefusal, expectSuccess, type Statement } from './statement.ts'
import { expect, shown } from './subject.ts'

const tokenPath = '/identity/connect/token'
const envelope = 'Response envelope (all business endpoints)'
const states = 'States and transitions'
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

export const statements: readonly Statement[] = [
  {
    section: 'What the service does',
    sentence: 'Every business operation is an HTTP POST whose path starts with `/account-api/v1/`.',
    async check(subject) {
      const headers = { authorization: `Bearer ${await subject.token()}` }
      const { status } = await subject.send('/account-api/v1/get-account', { headers })
      expect(status >= 400 && status < 500, `GET was answered ${status}`)
    },
  },
  {
    section: envelope,
    sentence: '| statusCode | integer | HTTP-style status code of the outcome (200 on success) |',
    async check(subject) {
      const { reply } = await subject.created()
      expect(reply.json.statusCode === 200, `statusCode is ${shown(reply.json.statusCode)}`)
      const refused = await subject.call('get-account', {})
      expect(
        refused.json.statusCode === refused.status,
        `statusCode is ${shown(refused.json.statusCode)} in ${refused.status}`,
      )
    },
  },
  {
    section: envelope,
    sentence: '| message | string | Short text on the outcome of the request |',
    check: async (subject) => expectMembers((await subject.created()).reply.json, 'string', 'message'),
  },
  {
    section: envelope,
    sentence: '| data | object | The payload of the operation; its shape depends on the endpoint |',
    check: async (subject) => expectMembers((await subject.created()).reply.json, 'object', 'data'),
  },
  {
    section: envelope,
    sentence: '| traceId | string | Identifier of the API transaction, for tracking and debugging |',
    async check(subject) {
      const [one, two] = [await subject.call('get-account', {}), await subject.call('get-account', {})]
      expectMembers(one.json, 'string', 'traceId')
      expect(one.json.traceId !== '' && one.json.traceId !== two.json.traceId, 'two calls have one traceId')
    },
  },
  {
    section: 'Account record',
    sentence: 'Shape 2 (get-account and update-account responses): the record is directly in `data`:',
    async check(subject) {
      const { json } = await subject.call('get-account', { accountNumber: await subject.open() })
      expectMembers(json.data, 'string', 'accountStatus accountName mailingAddressString accountNumber')
      expectMembers(
        json.data,
        'object',
        'main electronicDelivery mailingAddress primaryOwner financialProfile',
      )
      expectMembers(json.data, 'array', 'associatedParties transferOfDeathBeneficiaries')
    },
  },
  {
    section: 'Account record',
    sentence: '| accountNumber | string | 8 characters |',
    async check(subject) {
      const { accountNumber } = await subject.created()
      expect(accountNumber.length === 8, `the number is ${accountNumber}`)
    },
  },
  {
    section: 'Main',
    sentence: '| marginIndicator | string | true or false as text; cannot be updated |',
    async check(subject) {
      const { json } = await subject.call('get-account', { accountNumber: await subject.open() })
      expect(
        /^(true|false)$/i.test(String(json.data?.main?.marginIndicator)),
        `it is ${shown(json.data?.main?.marginIndicator)}`,
      )
      expectMembers(json.data?.main, 'string', 'marginIndicator')
    },
  },
  {
    section: 'Onboarding result record',
    sentence: '| currentState | string | state of completion |',
    async check(subject) {
      const { json } = await subject.call('onboarding-result', { accountNumber: await subject.open() })
      expectMembers(
        json.data,
        'string',
        'correlationId currentState createdOn lastUpdated accountNumber remarks',
      )
      expectMembers(json.data, 'array', 'errorResponses')
    },
  },
  {
    section: 'Onboarding result record',
    sentence: '| createdOn | string | ISO 8601 timestamp with fractional seconds, UTC |',
    async check(subject) {
      const { json } = await subject.call('onboarding-result', { accountNumber: await subject.open() })
      expect(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(json.data?.createdOn),
        `it is ${shown(json.data?.createdOn)}`,
      )
    },
  },
  {
    section: states,
    sentence:
      '| Account creation | (submitted) | new-account | request passes all validations | account status Open, readable through get-account |',
    check: async (subject) => void (await subject.open()),
  },
  {
    section: states,
    sentence: '| Onboarding | CreationComplete | (observed value of currentState) |',
    async check(subject) {
      const { json } = await subject.call('onboarding-result', { accountNumber: await subject.open() })
      expect(json.data?.currentState === 'CreationComplete', `it is ${shown(json.data?.currentState)}`)
    },
  },
  {
    section: 'Token: POST {auth_url}/identity/connect/token',
    sentence: 'An alternate path `/auth/token` appears in a request example of the same exchange.',
    async check(subject) {
      const { status, json } = await subject.askToken('/auth/token')
      expect(status === 200 && jwtForm.test(json.access_token), `answered ${status}`)
    },
  },
  {
    section: 'Token: POST {auth_url}/identity/connect/token',
    sentence:
      'and `grant_type` (value `client_credentials`; present in one description of the exchange and absent in the other).',
    async check(subject) {
      for (const more of [{}, { grant_type: 'client_credentials' }] as Record<string, string>[]) {
        const { status } = await subject.askToken(tokenPath, more)
        expect(status === 200, `answered ${status} to ${shown(more)}`)
      }
    },
  },
  {
    section: 'Token: POST {auth_url}/identity/connect/token',
    sentence: 'This response is not wrapped in the envelope.',
    async check(subject) {
      const { json } = await subject.askToken(tokenPath)
      expect(!('data' in json) && 'access_token' in json, `it has ${Object.keys(json)}`)
    },
  },
  {
    section: 'POST /account-api/v1/onboarding-result',
    sentence: 'Request JSON: `accountNumber` (string, length 8, required, not changeable).',
    async check(subject) {
      expectRefusal(await subject.call('onboarding-result', {}), 'accountNumber')
      expectRefusal(await subject.call('onboarding-result', { accountNumber: '123' }), 'accountNumber')
    },
  },
  {
    section: 'POST /account-api/v1/new-account',
    sentence: 'Validates the input against business rules and data integrity, then persists it.',
    async check(subject) {
      const wrong = { ...subject.application(), registrationType: 'NoSuchRegistration' }
      expectRefusal(await subject.call('new-account', wrong), 'registrationType')
    },
  },
  {
    section: 'POST /account-api/v1/get-account',
    sentence:
      'Request JSON: `accountNumber` (string, required, 8 characters; alphanumeric without special characters, accepted characters a-z, A-Z, 0-9).',
    async check(subject) {
      for (const accountNumber of ['', '1234567', '123456789', '1234-678'])
        expectRefusal(await subject.call('get-account', { accountNumber }), 'accountNumber')
    },
  },
  {
    section: 'POST /account-api/v1/get-account',
    sentence: 'A validation failure on the account number yields an error response and ends retrieval.',
    async check(subject) {
      const { json } = await subject.call('get-account', { accountNumber: '????????' })
      expect(json.hasErrors === true && !json.data?.accountNumber, `data is ${shown(json.data)}`)
    },
  },
  {
    section: 'POST /account-api/v1/update-account',
    sentence: 'Response: envelope, statusCode 200, `data` = the updated account record (shape 2).',
    async check(subject) {
      const request = { accountNumber: await subject.open(), primaryOwner: { jobTitle: 'Harbor Pilot' } }
      const reply = await subject.call('update-account', request)
      expectSuccess(reply)
      expect(/harbor pilot/i.test(reply.text), 'the change is not in the answer')
    },
  },
  {
    section: 'POST /account-api/v1/update-account',
    sentence: 'Modifies an existing account; changes are persisted atomically.',
    async check(subject) {
      const accountNumber = await subject.open()
      const change = {
        accountNumber,
        mailingAddress: { city: 'Hoboken' },
        primaryOwner: { birthDate: 'never' },
      }
      expectRefusal(await subject.call('update-account', change))
      const { json } = await subject.call('get-account', { accountNumber })
      expect(!/hoboken/i.test(shown(json.data?.mailingAddress)), 'one half of a refused change was made')
    },
  },
  {
    section: 'POST /account-api/v1/update-account',
    sentence: 'Deleting values is not supported.',
    async check(subject) {
      const accountNumber = await subject.open()
      expectRefusal(
        await subject.call('update-account', { accountNumber, mailingAddress: { city: '' } }),
        'mailingAddress.city',
      )
    },
  },
  ...[
    { registrationType: 'JointWROS' },
    { main: { marginIndicator: 'true' } },
    { main: { optionTradingLevel: '2' } },
    { primaryOwner: { citizenshipCountry: 'CA' } },
    { primaryOwner: { taxIdNumber: '123456788' } },
  ].map((change): Statement => {
    const [[block, value] = ['', '']] = Object.entries(change)
    const name = typeof value === 'string' ? block : `${block}.${Object.keys(value)[0]}`
    return {
      section: 'POST /account-api/v1/update-account',
      sentence: name,
      async check(subject) {
        const request = { accountNumber: await subject.open(), ...change }
        expectRefusal(await subject.call('update-account', request), name)
      },
    }
  }),
  ...positionStatements,
  ...documentStatements,
  {
    section: 'Authentication',
    sentence:
      'The response returns `access_token` (a JWT), `expires_in` (36000 seconds) and `token_type` (Bearer).',
    async check(subject) {
      const { json } = await subject.askToken(tokenPath)
      expect(jwtForm.test(json.access_token), 'access_token is no JWT')
      expect(
        json.expires_in === 36_000 && json.token_type === 'Bearer',
        `${shown([json.expires_in, json.token_type])}`,
      )
    },
  },
  {
    section: 'Authentication',
    sentence: 'Each business request carries the header `Authorization: Bearer <ACCESS_TOKEN>`.',
    async check(subject) {
      const body = JSON.stringify({ accountNumber: await subject.open() })
      for (const authorization of ['', 'Bearer aaaa.bbbb.cccc']) {
        const headers = {
          'content-type': 'application/json',
          ...(authorization === '' ? {} : { authorization }),
        }
        const { status } = await subject.send('/account-api/v1/get-account', {
          method: 'POST',
          headers,
          body,
        })
        expect(status === 401, `${authorization || 'no header'} was answered ${status}`)
      }
    },
  },
  {
    section: 'Errors',
    sentence:
      'Every business response carries `errors` (array of objects with `code`, `field`, `reason`), `hasErrors` (boolean) and `traceId`.',
    async check(subject) {
      const { json } = await subject.call('get-account', {})
      expectMembers(json, 'array', 'errors')
      expectMembers(json, 'boolean', 'hasErrors')
      for (const error of json.errors) expectMembers(error, 'string', 'code field reason')
    },
  },
  {
    section: 'Errors',
    sentence: 'On success `errors` is empty and `hasErrors` is false.',
    async check(subject) {
      const { json } = await subject.call('get-account', { accountNumber: await subject.open() })
      expect(
        Array.isArray(json.errors) && json.errors.length === 0 && json.hasErrors === false,
        shown([json.errors, json.hasErrors]),
      )
    },
  },
  {
    section: 'Limits',
    sentence: '| entityNumber length | 3 digits | get-account, new-account |',
    async check(subject) {
      expectRefusal(
        await subject.call('new-account', { ...subject.application(), entityNumber: '30' }),
        'entityNumber',
      )
    },
  },
]
