/** Words in place of a name or an address: what the service refuses, asks the firm, and leaves to operations. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { address, applicationFor, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, read, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const judged = ['AddressIsPlace', 'AddressNotBox', 'NameIsName']

/** The state of the application and the rules about its names and addresses. */
async function outcomeOf(owner: object, changes: object = {}) {
  const application = applicationOf(owner, changes)
  const { data: foreseen } = await service.alpha.validateAccount(application)
  const { accountNumber } = await open(service.alpha, application)
  const { currentState, findings } = await follow(service.alpha, accountNumber)
  assert.equal(currentState, foreseen.currentState)
  const rules = findings.map(({ rule }) => rule).filter((rule) => judged.includes(rule))
  return [currentState, ...rules]
}

const opened = ['CreationComplete']
describe('a legal address', () => {
  const rows: [place: object, ...expected: string[]][] = [
    [{ street: 'On file' }, 'ManualReview', 'AddressIsPlace'],
    [{ street: 'Same as mailing' }, 'ManualReview', 'AddressIsPlace'],
    [{ city: 'Unknown' }, 'ManualReview', 'AddressIsPlace'],
    [{ street: '123' }, 'ManualReview', 'AddressIsPlace'],
    [
      {
        street: 'Postbus 12',
        city: 'Utrecht',
        stateProvince: undefined,
        postalCode: '3500 AA',
        country: 'NL',
      },
      'ActionRequired',
      'AddressNotBox',
    ],
    [{ street: '12 Private Road' }, ...opened],
    [{ street: '350 S 400 E' }, ...opened],
    [
      { city: 'None', street: 'Via Roma 4', stateProvince: undefined, postalCode: '10060', country: 'IT' },
      ...opened,
    ],
  ]
  for (const [place, ...expected] of rows)
    test(`${JSON.stringify(place)}: ${expected}`, async () =>
      assert.deepEqual(
        await outcomeOf({ phoneRegionCell: '1', legalAddress: { ...address, ...place } }),
        expected,
      ))
})

describe('a name', () => {
  const rows: [firstName: string, lastName: string, ...expected: string[]][] = [
    ['Unknown', 'Smith', 'ManualReview', 'NameIsName'],
    ['Not', 'Provided', 'ManualReview', 'NameIsName'],
    ['LNU', 'LNU', 'ManualReview', 'NameIsName'],
    ['FNU', 'Haddad', ...opened],
    ['Christopher', 'Null', ...opened],
    ['John', 'Doe', ...opened],
  ]
  for (const [firstName, lastName, ...expected] of rows)
    test(`${firstName} ${lastName}: ${expected}`, async () =>
      assert.deepEqual(await outcomeOf({ firstName, lastName }), expected))
  test('of an entity that is to be determined waits for operations', async () => {
    const application = applicationFor('Llc')
    Object.assign(application.primaryOwner as object, { name1: 'To be determined LLC' })
    const { accountNumber } = await open(service.alpha, application)
    assert.equal((await follow(service.alpha, accountNumber)).currentState, 'ManualReview')
  })
})

test('a street of marks alone is refused, in an application and in a change', async () => {
  const wrong = applicationOf({ legalAddress: { ...address, street: '-' } })
  const codes = async (answer: Promise<unknown>) =>
    (await refusalOf(answer as never)).rejections.map(({ code, field }) => `${code} ${field}`)
  assert.deepEqual(await codes(service.alpha.newAccount(wrong)), [
    'ERR.1016 primaryOwner.legalAddress.street',
  ])
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const moved = { accountNumber, mailingAddress: { ...address, street: '.' } }
  assert.deepEqual(await codes(service.alpha.updateAccount(moved)), ['ERR.1016 mailingAddress.street'])
})

test('a change of an open account to words in place of an address or a name waits for operations', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const before = await read(service.alpha, accountNumber)
  const { message } = await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: { lastName: 'Unknown', legalAddress: { ...address, street: 'See above' } },
  })
  assert.match(message, /does not say where .* placeholder|placeholder.*does not say where/)
  assert.deepEqual(await read(service.alpha, accountNumber), before)
})
