/**
 * A loaded watch list is compared with every name of all open accounts of all firms: only its new and changed entries.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import type { Client } from '@clearing/sdk'
import { applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow, read, refusalOf, until } from './calling.ts'
import { type PersonAtWork, signIn } from './person.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let operator: PersonAtWork
before(async () => {
  service = await startRunningService()
  operator = await signIn(service, 'operator@example.com')
})
after(() => service?.stop())

const nulls = Array(7).fill('-0- ').join(',')
function entry(id: number, name: string, remarks = '-0- ') {
  return `${id},"${name}","individual","TEST",${nulls},"${remarks}"\r\n`
}

/** Loads a list and waits until all accounts were compared with it. */
async function load(listName: string, lines: string, part?: string): Promise<number> {
  const { data } = await service.operations.operations.loadWatchList({
    listName,
    ...(part ? { part } : {}),
    lines: { csv: lines },
  } as Parameters<typeof service.operations.operations.loadWatchList>[0])
  await rescreened()
  return data.gained
}
function rescreened() {
  return until(
    async () =>
      (await service.query('select count(*)::integer from clearing.rescreening where ended_at is null'))
        .rows[0].count,
    (running) => running === 0,
  )
}
async function matchesOf(accountNumber: string) {
  return (await service.operations.operations.listMatches({ accountNumber })).data.matches
}
async function openMatches(accountNumber: string) {
  return (await matchesOf(accountNumber)).filter(({ decision }) => decision === 'Open')
}
async function restrictionsOf(accountNumber: string) {
  return (await service.operations.operations.listRestrictions({ accountNumber, inForce: true })).data
    .restrictions
}
function decide(accountNumber: string, matchId: string, decision: 'Cleared' | 'Confirmed') {
  return service.operations.operations.decideMatch({ accountNumber, matchId, decision, reason: 'Compared.' })
}
async function statusOf(client: Client, accountNumber: string) {
  return (await read(client, accountNumber)).accountStatus
}

function ofBeta(application: Request<'new-account'>): Request<'new-account'> {
  return {
    ...application,
    entityNumber: '302',
    main: { repCode: 'BB01' },
  }
}
function joint(party: object): Request<'new-account'> {
  const application = applicationFor('JointTIC')
  return {
    ...application,
    associatedParties: [{ ...application.associatedParties?.[0], ...party }],
  } as Request<'new-account'>
}
function withBeneficiary(beneficiary: object) {
  return applicationOf({}, { beneficiaries: [{ percentageAllocation: '100', ...beneficiary }] })
}

describe('a list that is loaded later', () => {
  test('restricts an account with an exact name and birth date, and shows a near one, in every firm', async () => {
    const mira = { firstName: 'Mira', lastName: 'Dragonetti', birthDate: '1971-03-04' }
    const accounts = {
      exact: await openAndFollow(service.alpha, applicationOf(mira)),
      party: await openAndFollow(service.alpha, joint(mira)),
      beneficiary: await openAndFollow(
        service.alpha,
        withBeneficiary({ name: 'Mira Dragonetti', birthDate: '1971-03-04' }),
      ),
      near: await openAndFollow(
        service.alpha,
        applicationOf({ ...mira, firstName: 'Mirra', birthDate: '1971-05-30' }),
      ),
      contact: await openAndFollow(
        service.alpha,
        applicationOf({ trustedContact: { name: 'Mira Dragonetti' } }),
      ),
      other: await openAndFollow(service.alpha, applicationOf({ ...mira, birthDate: '1999-01-01' })),
      beta: await openAndFollow(service.beta, ofBeta(applicationOf(mira))),
    }
    assert.equal(await load('SDN', entry(1001, 'DRAGONETTI, Mira', 'DOB 04 Mar 1971.')), 1)
    const seen = async (client: Client, accountNumber: string) => [
      await statusOf(client, accountNumber),
      (await openMatches(accountNumber)).map(
        ({ entryId, field }) => `${entryId} ${field.replace(/\[.*/, '')}`,
      ),
      (await restrictionsOf(accountNumber)).map(
        ({ restrictionCode, placedBy }) => `${restrictionCode} ${placedBy}`,
      ),
    ]
    const blocked = ['IdentityUnderReview service']
    assert.deepEqual(await seen(service.alpha, accounts.exact), [
      'Restricted',
      ['1001 primaryOwner'],
      blocked,
    ])
    assert.deepEqual(await seen(service.alpha, accounts.party), [
      'Restricted',
      ['1001 associatedParties'],
      blocked,
    ])
    assert.deepEqual(await seen(service.alpha, accounts.beneficiary), [
      'Restricted',
      ['1001 beneficiaries'],
      blocked,
    ])
    assert.deepEqual(await seen(service.alpha, accounts.near), ['Open', ['1001 primaryOwner'], []])
    assert.deepEqual(await seen(service.alpha, accounts.contact), [
      'Open',
      ['1001 primaryOwner.trustedContact'],
      [],
    ])
    assert.deepEqual(await seen(service.alpha, accounts.other), ['Open', [], []])
    assert.deepEqual(await seen(service.beta, accounts.beta), ['Restricted', ['1001 primaryOwner'], blocked])
    const { work } = (await service.operations.operations.listWork({ queues: ['Match'] })).data
    assert.equal(work.length, 6)
    await service.eventsReported()
    for (const [client, accountNumber] of [
      [service.alpha, accounts.exact],
      [service.beta, accounts.beta],
    ] as const) {
      const { events } = (await client.listEvents({ accountNumber })).data
      assert.deepEqual(events.at(-1)?.type, 'account.restricted')
    }
    const { rows } = await service.query(
      `select detail from clearing.audit where action = 'rescreen-accounts' and account_number = ''`,
    )
    assert.deepEqual(
      rows
        .map(({ detail }) => JSON.parse(detail))
        .map((detail) => [detail.gained, detail.matches, detail.restricted]),
      [[1, 6, 4]],
    )
    assert.equal((await service.operations.operations.verifyAudit({})).data.verified, true)
  })

  test('restricts by a shared document number', async () => {
    const passport = {
      governmentIdentification: {
        governmentId1: {
          idType: 'Passport',
          idNumber: 'ZX7788991',
          idLocation: 'FR',
          idIssueDate: '2021-03-01',
          idExpiration: '2041-03-01',
        },
      },
    }
    const named = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: 'Odile', lastName: 'Vaucresson', ...passport }),
    )
    const stranger = await openAndFollow(service.alpha, applicationOf({ ...passport }))
    await load('SDN', entry(1002, 'VAUCRESSON, Odile', 'Passport ZX7788991 (France).'))
    assert.equal(await statusOf(service.alpha, named), 'Restricted')
    assert.equal(await statusOf(service.alpha, stranger), 'Open', 'the name is another: for review alone')
    assert.equal((await openMatches(stranger)).length, 1)
  })

  test('frees the account when its matches are cleared, and raises them again when the entry changes', async () => {
    const owner = { firstName: 'Tamsin', lastName: 'Oglethwaite', birthDate: '1980-07-07' }
    const accountNumber = await openAndFollow(service.alpha, applicationOf(owner))
    const line = entry(1003, 'OGLETHWAITE, Tamsin', 'DOB 07 Jul 1980.')
    await load('OWN', line)
    const [match] = await openMatches(accountNumber)
    await decide(accountNumber, match?.matchId ?? '', 'Cleared')
    assert.equal(await statusOf(service.alpha, accountNumber), 'Open')
    assert.deepEqual(await restrictionsOf(accountNumber), [])
    assert.equal(await load('OWN', line), 0, 'the same file gains nothing')
    assert.equal(await load('OWN', line + entry(1004, 'SOMEBODY, Else')), 1)
    assert.deepEqual(await openMatches(accountNumber), [], 'the clearance is remembered')
    assert.equal(await load('OWN', entry(1003, 'OGLETHWAITE, Tamsin', 'DOB 07 Jul 1980; POB Bath.')), 1)
    const [again] = await openMatches(accountNumber)
    assert.equal(again?.entryId, '1003')
    assert.notEqual(again?.matchId, match?.matchId)
    assert.equal(await statusOf(service.alpha, accountNumber), 'Restricted')
    await decide(accountNumber, again?.matchId ?? '', 'Confirmed')
    assert.deepEqual(
      (await restrictionsOf(accountNumber)).map(({ restrictionCode }) => restrictionCode).sort(),
      ['IdentityUnderReview', 'Sanctions'],
    )
  })

  test('does not count an account that a person had restricted for the same reason', async () => {
    const owner = { firstName: 'Corin', lastName: 'Hathersedge', birthDate: '1969-02-11' }
    const accountNumber = await openAndFollow(service.alpha, applicationOf(owner))
    const restriction = {
      accountNumber,
      restrictionCode: 'IdentityUnderReview',
      reason: 'As the bank asked.',
    }
    await service.operations.operations.placeRestriction(restriction)
    await load('HELD', entry(1021, 'HATHERSEDGE, Corin', 'DOB 11 Feb 1969.'))
    assert.equal((await openMatches(accountNumber)).length, 1)
    assert.deepEqual(
      (await restrictionsOf(accountNumber)).map(({ placedBy }) => placedBy),
      ['operations'],
    )
    const { rows } = await service.query(
      `select detail from clearing.audit where action = 'rescreen-accounts' and account_number = ''
       order by sequence desc limit 1`,
    )
    const { matches, restricted } = JSON.parse(rows[0].detail)
    assert.deepEqual([matches, restricted], [1, 0])
  })

  test('frees an account with two matches when both are cleared', async () => {
    const owner = { firstName: 'Isolde', lastName: 'Quarrington', birthDate: '1975-09-12' }
    const accountNumber = await openAndFollow(service.alpha, applicationOf(owner))
    const lines = [1011, 1012].map((id) => entry(id, 'QUARRINGTON, Isolde', 'DOB 12 Sep 1975.'))
    await load('PAIR', lines.join(''))
    const [first, second, ...more] = await openMatches(accountNumber)
    assert.deepEqual(more, [])
    await decide(accountNumber, first?.matchId ?? '', 'Cleared')
    assert.equal(await statusOf(service.alpha, accountNumber), 'Restricted')
    await decide(accountNumber, second?.matchId ?? '', 'Cleared')
    assert.equal(await statusOf(service.alpha, accountNumber), 'Open')
  })

  test('finds new aliases of an entry too', async () => {
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: 'Bartholomew', lastName: 'Inkwell', birthDate: '1966-06-06' }),
    )
    await load('ALIASES', entry(1005, 'GRIMSHANK, Otto', 'DOB 06 Jun 1966.'))
    assert.deepEqual(await matchesOf(accountNumber), [])
    assert.equal(await load('ALIASES', '1005,5001,"aka","INKWELL, Bartholomew",-0- \r\n', 'alt'), 1)
    assert.equal((await openMatches(accountNumber)).length, 1)
    assert.equal(await statusOf(service.alpha, accountNumber), 'Restricted')
  })

  test('finds the birth date of an entry whose remarks continue in the file of comments', async () => {
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: 'Leopoldine', lastName: 'Marchbanks', birthDate: '1971-02-03' }),
    )
    await load('LONG', entry(1020, 'MARCHBANKS, Leopoldine', 'Linked to: GRIMSHANK; DOB'))
    const [found] = await openMatches(accountNumber)
    assert.equal(await statusOf(service.alpha, accountNumber), 'Open')
    await decide(accountNumber, found?.matchId ?? '', 'Cleared')
    assert.equal(await load('LONG', '1020," 03 Feb 1971."\r\n', 'comments'), 1)
    assert.equal((await openMatches(accountNumber)).length, 1)
    assert.equal(await statusOf(service.alpha, accountNumber), 'Restricted')
  })

  test('ignores closed accounts, and pending accounts are screened by their application', async () => {
    const name = { firstName: 'Perpetua', lastName: 'Hollowbrook', birthDate: '1975-05-05' }
    const closed = await openAndFollow(service.alpha, applicationOf(name))
    await service.operations.operations.closeAccount({ accountNumber: closed, reason: 'Asked for.' })
    const { accountNumber: pending } = await open(
      service.alpha,
      applicationOf({ ...name, taxIdNumber: '000000004' }),
    )
    await load('SDN', entry(1006, 'HOLLOWBROOK, Perpetua', 'DOB 05 May 1975.'))
    assert.deepEqual(await matchesOf(closed), [])
    await service.operations.operations.decideOnboarding({
      accountNumber: pending,
      decision: 'Approved',
      reason: 'The identity is right.',
    })
    await until(
      () => openMatches(pending),
      (matches) => matches.length === 1,
    )
  })

  test('needs a second person to clear a match that restricts an account, when a person decides', async () => {
    const accountNumber = await openAndFollow(
      service.alpha,
      applicationOf({ firstName: 'Cosima', lastName: 'Featherstonehaugh', birthDate: '1981-01-01' }),
    )
    await load('SDN', entry(1007, 'FEATHERSTONEHAUGH, Cosima', 'DOB 01 Jan 1981.'))
    const [match] = await openMatches(accountNumber)
    const asked = await operator.call('decide-match', {
      accountNumber,
      matchId: match?.matchId,
      decision: 'Cleared',
      reason: 'Another mother.',
    })
    assert.notEqual(asked.json.data.clearanceChangeId, '')
    assert.equal(await statusOf(service.alpha, accountNumber), 'Restricted')
    const principal = await signIn(service, 'principal@example.com')
    await principal.call('decide-change', {
      changeId: asked.json.data.clearanceChangeId,
      decision: 'Approved',
      reason: 'Agreed.',
    })
    assert.equal(await statusOf(service.alpha, accountNumber), 'Open')
  })

  test('may not have the name of a built-in list', async () => {
    const { loadWatchList } = service.operations.operations
    const own = await refusalOf(
      loadWatchList({ listName: 'ofac-programs', lines: { csv: entry(1, 'A, B') } }),
    )
    assert.ok(own.has('ERR.1014'))
  })
})

const raced = 'Wexcombe Yarborough Inglenook Thistlewood Abernathy Quickenden Fotheringay Bramblecote'.split(
  ' ',
)

test('a name that arrives while its list is loaded is found by one of the two', async () => {
  for (let round = 0; round < raced.length; round++) {
    const lastName = raced[round] ?? ''
    const accountNumber = await openAndFollow(service.alpha, applicationOf({ firstName: 'Jonas' }))
    const [updated] = await Promise.all([
      service.alpha.updateAccount({ accountNumber, primaryOwner: { lastName } }),
      load(`RACE${round}`, entry(2000 + round, `${lastName.toUpperCase()}, Jonas`)),
    ])
    await rescreened()
    const record = await read(service.alpha, accountNumber)
    const made = record.primaryOwner.name3 === lastName.toUpperCase()
    assert.equal(made, !/unchanged/.test(updated.message))
    const matches = await openMatches(accountNumber)
    assert.equal(matches.length, 1, `round ${round}, ${made ? 'made' : 'waits'}`)
    assert.equal(matches[0]?.changeId === '', made)
  }
})

test('while no list is loaded, names and addresses cannot be changed, and everything else can', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  await service.query('delete from clearing.watch_list')
  const update = (primaryOwner: object) =>
    service.alpha.updateAccount({ accountNumber, primaryOwner }, { retries: 0 })
  await update({ jobTitle: 'Baker' })
  const failure = await update({ lastName: 'Changed' }).catch((error: unknown) => error)
  assert.match(String(failure), /503/)
  assert.match(String(failure), /No watch list is loaded/)
  const record = await read(service.alpha, accountNumber)
  assert.deepEqual([record.primaryOwner.name3, record.primaryOwner.jobTitle], ['MORENO', 'BAKER'])
})

test('while no list is loaded, the outcome of an application is not known, but its errors are', async () => {
  await service.query('delete from clearing.watch_list')
  const validate = (changes: object) =>
    service.alpha.validateAccount({ ...applicationOf({}), ...changes }, { retries: 0 })
  const failure = await validate({}).catch((error: unknown) => error)
  assert.match(String(failure), /503.*\n.*ERR\.5003: No watch list is loaded/)
  assert.equal((await refusalOf(validate({ entityNumber: '999' }))).status, 400)
})

test('a file is compared with the list in force before it is loaded, and the list names its files', async () => {
  const { compareWatchList, loadWatchList, listWatchLists } = service.operations.operations
  const lines = (...entries: string[]) => ({ csv: entries.join('') })
  const before = [entry(1, 'ARDENT, Osric'), entry(2, 'BELLAMY, Thora', 'DOB 01 Feb 1960.')]
  const after = [entry(2, 'BELLAMY, Thora', 'DOB 02 Feb 1960.'), entry(3, 'CORVIN, Maud')]
  const first = (await compareWatchList({ listName: 'DRAFT', lines: lines(...before) })).data
  assert.deepEqual([first.added, first.removed, first.changed, first.currentVersion], [2, 0, 0, ''])
  const inForce = async () =>
    (await listWatchLists({})).data.lists.find(({ listName }) => listName === 'DRAFT')
  assert.equal(await inForce(), undefined)
  await loadWatchList({ listName: 'draft', source: 'draft-1.csv', lines: lines(...before) })
  await rescreened()
  const second = (await compareWatchList({ listName: 'DRAFT', lines: lines(...after) })).data
  assert.deepEqual([second.added, second.removed, second.changed], [1, 1, 1])
  assert.deepEqual(
    second.differences.map(({ entryId, difference, name }) => [entryId, difference, name]),
    [
      ['3', 'Added', 'CORVIN, Maud'],
      ['1', 'Removed', 'ARDENT, Osric'],
      ['2', 'Changed', 'BELLAMY, Thora'],
    ],
  )
  const changed = second.differences[2]
  assert.match(changed?.before ?? '', /01 Feb 1960/)
  assert.match(changed?.after ?? '', /02 Feb 1960/)
  const list = await inForce()
  assert.equal(list?.listVersion, second.currentVersion)
  assert.equal(list?.entries, 2)
  assert.deepEqual(
    list?.files.map(({ part, source, loadedBy, digest }) => [part, source, loadedBy, digest.length]),
    [['sdn', 'draft-1.csv', 'operations', 64]],
  )
  assert.equal(list?.comparison?.gained, 2)
  assert.equal(list?.comparison?.accounts, list?.comparison?.accountsInAll)
  assert.ok(list?.comparison?.endedOn)
})

test('a file with more bad lines than are listed is counted in full, and by itself', async () => {
  const { compareWatchList, loadWatchList, listAudit } = service.operations.operations
  const numbers = ({
    received,
    accepted,
    rejected,
    rejects,
  }: Awaited<ReturnType<typeof loadWatchList>>['data']) => [received, accepted, rejected, rejects.length]
  const sdn = { csv: entry(1, 'DUNMORE, Petra') + 'bad\n'.repeat(1500) }
  const add = { csv: '9,1,-0- ,-0- ,-0- ,-0- \r\n'.repeat(50) }
  assert.deepEqual(
    numbers((await loadWatchList({ listName: 'COUNTED', lines: sdn })).data),
    [1501, 1, 1500, 1000],
  )
  const compared = (await compareWatchList({ listName: 'COUNTED', part: 'add', lines: add })).data
  assert.deepEqual([compared.accepted, compared.rejected, compared.rejects.length], [0, 50, 50])
  assert.deepEqual(
    numbers((await loadWatchList({ listName: 'COUNTED', part: 'add', lines: add })).data),
    [50, 0, 50, 50],
  )
  const { rows } = (await listAudit({ action: 'load-watch-list', size: 2 })).data
  assert.deepEqual(
    rows.map(({ detail }) => {
      const { received, rejected } = detail as { received: number; rejected: number }
      return [received, rejected]
    }),
    [
      [50, 50],
      [1501, 1500],
    ],
  )
})
