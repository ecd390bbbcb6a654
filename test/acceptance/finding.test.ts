/** list-accounts: filters, orders, and pages in both directions while accounts are opened and changed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Data, Request } from '@clearing/protocol'
import { applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Query = Request<'list-accounts'>
type Page = Data<'list-accounts'>

let service: RunningService
/** Numbers of the accounts in the order in which they were opened. */
const opened: string[] = []
const names = ['Abel Zorn', 'Bérta Yøung', 'Carl Xu', 'Dora Winter', 'Emil Voss', 'Fanny Unger', 'Gil Troll']

before(async () => {
  service = await startRunningService()
  for (const name of names) {
    const [firstName, lastName] = name.split(' ')
    opened.push(await openAndFollow(service.alpha, applicationOf({ firstName, lastName })))
  }
})
after(() => service?.stop())

async function list(query: Query = {}): Promise<Page> {
  return (await service.alpha.listAccounts(query)).data
}
function numbers(page: Page) {
  return page.accounts.map(({ accountNumber }) => accountNumber)
}

/** All pages from the first to the last, and back to the first. */
async function walk(query: Query): Promise<{ forth: string[][]; back: string[][] }> {
  const forth: string[][] = []
  let page = await list(query)
  assert.equal(page.previousCursor, '')
  for (let turns = 0; ; turns++) {
    assert.ok(turns < 100)
    forth.push(numbers(page))
    if (page.nextCursor === '') break
    page = await list({ ...query, cursor: page.nextCursor })
  }
  const back = [numbers(page)]
  while (page.previousCursor !== '') {
    page = await list({ ...query, cursor: page.previousCursor })
    back.unshift(numbers(page))
    assert.ok(back.length < 100)
  }
  return { forth, back }
}

test('returns summaries of accounts, the newest first', async () => {
  const page = await list()
  assert.deepEqual(numbers(page), opened.toReversed())
  const [newest] = page.accounts
  assert.equal(newest?.accountName, 'GIL TROLL')
  assert.equal(newest?.accountStatus, 'Open')
  assert.equal(newest?.subNumber, '301')
  assert.equal(newest?.repCode, 'JC01')
  assert.equal(newest?.version, 1)
  assert.ok(Date.parse(newest?.openedOn ?? '') >= Date.parse(newest?.createdOn ?? ''))
})

for (const sortBy of ['createdDate', 'updatedDate', 'openedDate', 'accountName', 'accountNumber']) {
  for (const sortMode of ['ascend', 'descend']) {
    test(`pages by ${sortBy}, ${sortMode}, contain every account once, forwards and backwards`, async () => {
      const { forth, back } = await walk({ sortBy, sortMode, size: 2 })
      assert.deepEqual(
        forth.map(({ length }) => length),
        [2, 2, 2, 1],
      )
      assert.deepEqual(forth.flat().toSorted(), opened.toSorted())
      assert.deepEqual(back.flat(), forth.flat())
      if (sortBy === 'accountName') {
        const order = sortMode === 'ascend' ? opened : opened.toReversed()
        assert.deepEqual(forth.flat(), order)
      }
      if (sortBy === 'accountNumber') {
        assert.deepEqual(
          forth.flat(),
          sortMode === 'ascend' ? opened.toSorted() : opened.toSorted().toReversed(),
        )
      }
    })
  }
}

test('an account opened between two pages neither repeats nor hides another', async () => {
  const first = await list({ size: 3 })
  const between = await openAndFollow(service.alpha, applicationOf({ firstName: 'Zed', lastName: 'Between' }))
  const rest = await list({ size: 100, cursor: first.nextCursor })
  assert.deepEqual([...numbers(first), ...numbers(rest)], opened.toReversed())
  assert.equal((await list({ size: 1 })).accounts[0]?.accountNumber, between)
  const newer = await list({ size: 100, cursor: rest.previousCursor })
  assert.deepEqual(numbers(newer), [between, ...numbers(first)])
})

describe('filters', () => {
  test('by a name, first or last name first, in any letter case, of any person', async () => {
    assert.deepEqual(numbers(await list({ name: 'dora win' })), [opened[3]])
    assert.deepEqual(numbers(await list({ name: 'WINTER' })), [opened[3]])
    assert.deepEqual(numbers(await list({ name: 'inter' })), [])
    for (const name of ['berta yo', 'BÉRTA YØ', 'young, b'])
      assert.deepEqual(numbers(await list({ name })), [opened[1]], name)
    const joint = await openAndFollow(service.alpha, applicationFor('JointWROS'))
    const { data } = await service.alpha.getAccount({ accountNumber: joint })
    assert.ok('associatedParties' in data)
    const [second] = data.associatedParties
    assert.ok(numbers(await list({ name: `${second?.name3} ${second?.name1}` })).includes(joint))
  })

  test('by the name of a beneficiary with a typographic apostrophe, however it is typed', async () => {
    const application = applicationFor('IraRoth')
    const retirementBenes = (application.retirementBenes ?? []).map((item) => ({
      ...item,
      name3: 'D’Zneill',
    }))
    const { accountNumber } = await open(service.alpha, { ...application, retirementBenes })
    for (const name of ['D’Zneill', "D'Zneill", 'DZNEILL', 'd’zneill, luis'])
      assert.deepEqual(numbers(await list({ name })), [accountNumber], name)
  })

  test('by status, registration, rep code and entity together', async () => {
    const { accountNumber } = await open(
      service.alpha,
      applicationOf({ taxIdNumber: '000000004', lastName: 'Waits' }),
    )
    await service.alpha.onboardingResult({ accountNumber })
    const query = {
      status: ['Pending', 'Closed'],
      registrationType: 'individual',
      repCode: 'jc01',
      entityNumber: 301,
    }
    assert.deepEqual(numbers(await list(query)), [accountNumber])
    assert.deepEqual(numbers(await list({ ...query, status: 'Restricted' })), [])
    assert.equal((await list({ status: 'Pending' })).accounts[0]?.openedOn, null)
    assert.ok(!numbers(await list({ sortBy: 'openedDate', size: 100 })).includes(accountNumber))
  })

  test('by days in US Eastern time, both included', async () => {
    const at = new Date('2026-03-02T04:59:59Z')
    await service.query('update clearing.account set created_at = $2 where account_number = $1', [
      opened[0],
      at,
    ])
    const day = async (createdFrom: string, createdTo: string) =>
      numbers(await list({ createdFrom, createdTo }))
    assert.deepEqual(await day('2026-03-01', '2026-03-01'), [opened[0]])
    assert.deepEqual(await day('2026-03-02', '2026-03-02'), [])
    assert.deepEqual(await day('20260228', '03/01/2026'), [opened[0]])
  })

  test('a reserved number is not listed', async () => {
    const { data } = await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'Individual',
    })
    assert.ok(!numbers(await list({ size: 100 })).includes(data.accountNumber))
    assert.deepEqual(numbers(await list({ status: 'Reserved' })), [])
  })

  test('no account of another firm is listed', async () => {
    const { data } = await service.beta.listAccounts({ size: 100 })
    assert.deepEqual(
      data.accounts.filter(({ accountNumber }) => opened.includes(accountNumber)),
      [],
    )
  })
})

describe('refusals', () => {
  const refused: [what: string, query: Query, rejections: string[]][] = [
    ['an entity number that does not exist', { entityNumber: '999' }, ['ERR.1001 entityNumber']],
    ['a status that does not exist', { status: 'Opened' }, ['ERR.1015 status']],
    [
      'days the wrong way round',
      { openedFrom: '2026-02-01', openedTo: '2026-01-01' },
      ['ERR.1025 openedFrom'],
    ],
    ['an invalid cursor', { cursor: 'abc' }, ['ERR.1015 cursor']],
    ['a page too large', { size: 101 }, ['ERR.1015 size']],
  ]
  for (const [what, query, rejections] of refused) {
    test(what, async () => {
      assert.deepEqual(await rejectionsOf(list(query)), rejections)
    })
  }

  test('a cursor with other filters, and a modified cursor, are refused', async () => {
    const { nextCursor } = await list({ size: 1 })
    assert.deepEqual(await rejectionsOf(list({ size: 1, status: 'Open', cursor: nextCursor })), [
      'ERR.1015 cursor',
    ])
    const parts = JSON.parse(Buffer.from(nextCursor, 'base64url').toString())
    for (const value of ['yesterday', '2026-99-01T00:00:00.000000Z', '', '\0', 7]) {
      const forged = Buffer.from(JSON.stringify([parts[0], parts[1], value, parts[3]])).toString('base64url')
      assert.deepEqual(
        await rejectionsOf(list({ size: 1, cursor: forged })),
        ['ERR.1015 cursor'],
        String(value),
      )
    }
  })
})

test('a search finds a person with a middle name by the first and the last, and abbreviations with a full stop', async () => {
  const { accountNumber: ada } = await open(
    service.alpha,
    applicationOf({ firstName: 'Ada', middleName: 'Luisa', lastName: 'Querrington' }),
  )
  const { accountNumber: ann } = await open(
    service.alpha,
    applicationOf({ firstName: 'Ann', lastName: 'St. Quilter' }),
  )
  for (const name of [
    'ada querrington',
    'Ada Querr',
    'ada luisa querrington',
    'Querrington, Ada',
    'Querrington',
  ])
    assert.deepEqual(numbers(await list({ name })), [ada], name)
  for (const name of ['ad querrington', 'ada maria querrington', 'luisa querrington', 'ada querringtons'])
    assert.deepEqual(numbers(await list({ name })), [], name)
  for (const name of ['st quilter', 'ST. Quilter', 'ann st quilter', 'ann st. q'])
    assert.deepEqual(numbers(await list({ name })), [ann], name)
})

test('operations find an account by its title as it is shown, and an asterisk says that it finds nothing', async () => {
  const { operations } = service.operations
  const accountNumber = await openAndFollow(service.alpha, applicationFor('JointWROS'))
  const title = (await service.alpha.getAccount({ accountNumber })).data.accountName
  assert.match(title, / & .* JTWROS$/)
  const found = async (text: string) =>
    (await operations.searchAccounts({ text })).data.accounts.some(
      (one) => one.accountNumber === accountNumber,
    )
  for (const text of [title, title.toLowerCase(), title.slice(0, title.indexOf('&') + 2)])
    assert.equal(await found(text), true, text)
  for (const text of [`${title}S`, title.slice(title.indexOf('&') + 2)])
    assert.equal(await found(text), false, text)
  const refused = await refusalOf(operations.searchAccounts({ text: '*' }))
  assert.match(refused.rejections[0]?.reason ?? '', /asterisk alone: .* nor finds every value/)
})
