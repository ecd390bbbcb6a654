/** correct-identity: operations correct a wrong tax id and a new citizenship of an open account, two people each. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf, newTaxId } from './applications.ts'
import { follow, open, openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import {
  attorney,
  changesOf,
  clearAll,
  decide,
  eventsOf,
  openMatches,
  operator,
  principal,
  service,
  startBeforeTests,
  tehran,
  update,
} from './screened-changes.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
const reason = 'The owner certified it on a new form.'
type Asked = Omit<Request<'correct-identity'>, 'accountNumber' | 'reason'>
function correct(accountNumber: string, asked: Asked) {
  return operations().correctIdentity({ accountNumber, reason, ...asked })
}
const types: Readonly<Record<string, string>> = { PASS: 'Identity Documents', UTIL: 'Identity Documents' }
async function add(accountNumber: string, reference: string) {
  const { data } = await service.alpha.addDocument({
    accountNumber,
    documentTypeName: types[reference] ?? 'New Accounts Documents',
    reference,
    file: { name: 'scan.pdf', content: samplePdf() },
  })
  return data.documentId
}
async function shown(accountNumber: string, reference: string) {
  const documentId = await add(accountNumber, reference)
  const signedOn = reference.startsWith('W8') ? { signedOn: '2026-01-05' } : {}
  await operations().decideDocument({ accountNumber, documentId, decision: 'Approved', ...signedOn })
  return documentId
}
function newAccount(owner: object = {}) {
  return openAndFollow(service.alpha, applicationOf({ firstName: 'Ada', lastName: 'Moreno', ...owner }))
}

describe('a wrong tax id', () => {
  test('is corrected on an approved Form W-9, with both values in the trail, and reported to the firm', async () => {
    const old = newTaxId()
    const accountNumber = await newAccount({ taxIdNumber: old })
    const [taxIdNumber, documentId] = [newTaxId(), await shown(accountNumber, 'W9')]
    assert.deepEqual(
      await rejectionsOf(service.alpha.updateAccount({ accountNumber, primaryOwner: { taxIdNumber } })),
      ['ERR.1021 primaryOwner.taxIdNumber'],
    )
    const { data } = await correct(accountNumber, { taxIdNumber, documentIds: [documentId] })
    assert.deepEqual(
      [data.version, data.taxIdNumber, data.taxIdType, data.change, data.duplicates],
      [2, `*****${taxIdNumber.slice(-4)}`, 'SSN', null, []],
    )
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.taxIdNumber, taxIdNumber)
    assert.ok((await eventsOf(accountNumber)).includes('account.updated'))
    const { rows } = (await operations().listAudit({ accountNumber, action: 'correct-identity' })).data
    const masked = (number: string) => `*****${number.slice(-4)}`
    const change = { field: 'primaryOwner.taxIdNumber', from: masked(old), to: masked(taxIdNumber) }
    assert.deepEqual(rows[0]?.detail, { fields: [change], reason })
    const { history } = (await service.alpha.accountHistory({ accountNumber })).data
    assert.deepEqual([history[0]?.operation, history[0]?.reason], ['correct-identity', reason])
    const found = await operations().searchAccounts({ taxIdNumber })
    assert.deepEqual(
      found.data.accounts.map((account) => account.accountNumber),
      [accountNumber],
    )
  })

  test('waits for a principal if a person requests it, who sees the document and the masked number', async () => {
    const accountNumber = await newAccount()
    const [taxIdNumber, documentId] = [newTaxId(), await shown(accountNumber, 'W9')]
    const asked = { accountNumber, taxIdNumber, documentIds: [documentId], reason }
    const { json } = await operator.call('correct-identity', asked)
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
    const { changeId, subjects, fields } = json.data.change
    assert.deepEqual(subjects, ['Identity'])
    assert.deepEqual(
      fields.map(({ field, after }: { field: string; after: string }) => [field, after]),
      [
        ['primaryOwner.taxIdNumber', `*****${taxIdNumber.slice(-4)}`],
        ['document', `W9 ${documentId}`],
      ],
    )
    // Sent again, with other words, it is the same change.
    const repeated = await operator.call('correct-identity', { ...asked, reason: 'As the form says.' })
    assert.equal(repeated.json.data.change.changeId, changeId)
    const approval = { changeId, decision: 'Approved', reason: 'Seen the form.' }
    assert.equal((await operator.call('decide-change', approval)).status, 403)
    assert.equal((await principal.call('decide-change', approval)).json.data.state, 'Approved')
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.taxIdNumber, taxIdNumber)
    const { history } = (await service.alpha.accountHistory({ accountNumber })).data
    assert.equal(history[0]?.requestedBy, 'operator@example.com')
  })

  test('needs a tax form that is approved and on this account', async () => {
    const accountNumber = await newAccount()
    const taxIdNumber = newTaxId()
    const passport = await shown(accountNumber, 'PASS')
    const waiting = await add(accountNumber, 'W9')
    const elsewhere = await shown(await newAccount(), 'W9')
    for (const [documentId, code] of [
      [passport, 'ERR.2053 documentIds'],
      [waiting, 'ERR.2053 documentIds[0]'],
      [elsewhere, 'ERR.2013 documentIds[0]'],
      ['x', 'ERR.2013 documentIds[0]'],
    ] as const) {
      const found = await rejectionsOf(correct(accountNumber, { taxIdNumber, documentIds: [documentId] }))
      assert.ok(found.includes(code), found.join())
    }
    assert.equal((await read(service.alpha, accountNumber)).version, 1)
  })

  test('of another person, or of an impossible kind, is refused', async () => {
    const taken = newTaxId()
    await newAccount({ taxIdNumber: taken, birthDate: '1950-02-03' })
    const accountNumber = await newAccount()
    const documentIds = [await shown(accountNumber, 'W9')]
    const codes = async (asked: object) => rejectionsOf(correct(accountNumber, { ...asked, documentIds }))
    assert.deepEqual(await codes({ taxIdNumber: taken }), ['ERR.2054 taxIdNumber'])
    assert.deepEqual(await codes({ taxIdNumber: '078051120' }), ['ERR.2054 taxIdNumber'])
    assert.match((await codes({ taxIdNumber: '666123456' })).join(), /taxIdNumber/)
    assert.match((await codes({ taxIdNumber: newTaxId(), customerId: '1' })).join(), /ERR.1015 customerId/)
    assert.deepEqual(await codes({ citizenshipCountry: 'US' }), ['ERR.2010 '])
    const { version } = (await correct(accountNumber, { taxIdNumber: newTaxId(), documentIds })).data
    assert.equal(version, 2)
    assert.deepEqual(await codes({ taxIdNumber: newTaxId(), expectedVersion: 1 }), [
      'ERR.2010 expectedVersion',
    ])
  })

  test('names the accounts in which the owner has the same registration', async () => {
    const owner = { firstName: 'Vera', lastName: 'Quill', birthDate: '1971-03-04' }
    const taxIdNumber = newTaxId()
    const right = await newAccount({ ...owner, taxIdNumber })
    const wrong = await newAccount(owner)
    const asked = { taxIdNumber, documentIds: [await shown(wrong, 'W9')] }
    const { firmId } = (await operations().searchAccounts({ text: wrong })).data.accounts[0] ?? { firmId: '' }
    await operations().updateFirm({ firmId, settings: { duplicateApplications: 'Refuse' } })
    assert.deepEqual(await rejectionsOf(correct(wrong, asked)), ['ERR.2012 taxIdNumber'])
    await operations().updateFirm({ firmId, settings: { duplicateApplications: 'Flag' } })
    assert.deepEqual((await correct(wrong, asked)).data.duplicates, [right])
  })

  test('of an application is refused, because the firm sends another', async () => {
    const address = { street: 'PO Box 12', city: 'Jersey City', stateProvince: 'NJ', postalCode: '07302' }
    const legalAddress = { ...address, country: 'US' }
    const { accountNumber } = await open(service.alpha, applicationOf({ legalAddress }))
    await follow(service.alpha, accountNumber)
    const asked = { taxIdNumber: newTaxId(), documentIds: [await shown(accountNumber, 'W9')] }
    const { rejections } = await refusalOf(correct(accountNumber, asked))
    assert.deepEqual(
      rejections.map(({ code, reason: why }) => `${code} ${why}`),
      [
        'ERR.2011 The account is Pending; correct-identity changes accounts that were opened. Reject the application, and the firm sends another with the right values.',
      ],
    )
    const documentId = await add(accountNumber, 'PASS')
    const id = { idNumber: 'P1', idLocation: 'US', idExpiration: '2036-01-05' }
    const approval = { accountNumber, documentId, decision: 'Approved', ...id }
    const members = await refusalOf(operations().decideDocument(approval))
    assert.match(members.rejections[0]?.reason ?? '', /^The account is Pending; an application is checked/)
  })

  test('of an account that was closed, or by a firm, is not corrected', async () => {
    const accountNumber = await newAccount()
    const documentIds = [await shown(accountNumber, 'W9')]
    await operations().closeAccount({ accountNumber, reason: 'The owner asked.' })
    const asked = { taxIdNumber: newTaxId(), documentIds }
    assert.deepEqual(await rejectionsOf(correct(accountNumber, asked)), ['ERR.2011 accountNumber'])
    const byFirm = service.alpha.operations.correctIdentity({ accountNumber, reason, ...asked })
    assert.equal((await refusalOf(byFirm)).status, 403)
  })
})

describe('a new citizenship', () => {
  let documentIds: string[]
  let accountNumber: string
  before(async () => {
    accountNumber = await openAndFollow(service.alpha, applicationFor('IndividualJointForeign'))
    documentIds = [await shown(accountNumber, 'W9')]
  })

  test('of the United States needs a passport or Form W-9, and one of another country a passport', async () => {
    const owner = (await read(service.alpha, accountNumber)).primaryOwner
    const other = owner.citizenshipCountry === 'DE' ? 'ES' : 'DE'
    const asked = { citizenshipCountry: other, documentIds }
    assert.deepEqual(await rejectionsOf(correct(accountNumber, asked)), ['ERR.2053 documentIds'])
    const passport = await shown(accountNumber, 'PASS')
    const { data } = await correct(accountNumber, { ...asked, documentIds: [passport] })
    assert.equal(data.citizenshipCountry, other)
  })

  test('is screened before it takes effect: a citizen of a sanctioned country waits for a decision', async () => {
    const passport = await shown(accountNumber, 'PASS')
    const before = await read(service.alpha, accountNumber)
    const asked = { accountNumber, citizenshipCountry: 'IR', documentIds: [passport], reason }
    const { change, version } = (await operator.call('correct-identity', asked)).json.data
    assert.deepEqual([change.subjects, version], [['Identity', 'Screening'], before.version])
    assert.ok((await openMatches(accountNumber)).length > 0)
    const approval = { changeId: change.changeId, decision: 'Approved', reason: 'Seen the passport.' }
    assert.equal((await principal.call('decide-change', approval)).json.data.state, 'Requested')
    assert.equal((await read(service.alpha, accountNumber)).version, before.version)
    await clearAll(accountNumber)
    const after = await read(service.alpha, accountNumber)
    assert.deepEqual(
      [after.primaryOwner.citizenshipCountry, Number(after.version)],
      ['IR', Number(before.version) + 1],
    )
  })

  test('that is confirmed as a match is refused, and the account is blocked', async () => {
    const open = await newAccount()
    await service.alpha.updateAccount({
      accountNumber: open,
      associatedParties: [attorney({ firstName: 'Noor', lastName: 'Quandt' }) as never],
    })
    const [party] = (await read(service.alpha, open)).associatedParties
    const passport = await shown(open, 'PASS')
    await operator.call('correct-identity', {
      accountNumber: open,
      customerId: party?.customerId ?? '',
      citizenshipCountry: 'KP',
      documentIds: [passport],
      reason,
    })
    const [match] = await openMatches(open)
    await decide(open, match?.matchId ?? '', 'Confirmed')
    const record = await read(service.alpha, open)
    assert.deepEqual(
      [record.associatedParties[0]?.citizenshipCountry, record.accountStatus],
      ['US', 'Restricted'],
    )
  })
})

describe('a citizenship that causes a finding which operations review', () => {
  const political = { affiliation: { political: 'true' } }
  /** An account of a citizen of the United States with a passport of another country. */
  function citizen(owner: object = {}) {
    const { governmentIdentification } = applicationFor('IndividualJointForeign').primaryOwner ?? {}
    return newAccount({ governmentIdentification, ...owner })
  }
  async function asked(accountNumber: string) {
    return { citizenshipCountry: 'DE', documentIds: [await shown(accountNumber, 'PASS')] }
  }

  test('waits for them, also if a credential requests it, and takes effect when they approve it', async () => {
    const accountNumber = await citizen(political)
    const { change, version } = (await correct(accountNumber, await asked(accountNumber))).data
    assert.equal(version, 1)
    assert.deepEqual(
      [change?.subjects, change?.approvalNeeded, change?.openMatches],
      [['Identity', 'ReviewedFacts'], true, 0],
    )
    const found = change?.fields.find(({ field }) => field === 'finding')?.after
    assert.equal(found, 'PoliticalForeign: A foreign person declares a political office or a tie to one.')
    const approval = { changeId: change?.changeId, decision: 'Approved', reason: 'Asked the firm.' }
    assert.equal((await operator.call('decide-change', approval)).status, 403)
    assert.equal((await principal.call('decide-change', approval)).json.data.state, 'Approved')
    const after = await read(service.alpha, accountNumber)
    assert.deepEqual([after.version, after.primaryOwner.citizenshipCountry], [2, 'DE'])
  })

  test('does not wait without the finding', async () => {
    const accountNumber = await citizen()
    const { change, version } = (await correct(accountNumber, await asked(accountNumber))).data
    assert.deepEqual([change, version], [null, 2])
  })

  test('is not caused unseen by a change that waits for a match meanwhile', async () => {
    const accountNumber = await citizen()
    await update(accountNumber, { primaryOwner: political, mailingAddress: tehran } as never)
    const [waiting] = await changesOf(accountNumber)
    assert.deepEqual(waiting?.subjects, ['Addresses', 'Screening'])
    assert.equal((await correct(accountNumber, await asked(accountNumber))).data.version, 2)
    await clearAll(accountNumber)
    const [ended] = (await changesOf(accountNumber)).filter(({ changeId }) => changeId === waiting?.changeId)
    assert.equal(ended?.state, 'Rejected')
    assert.match(ended?.decisionReason ?? '', /has changed since the request/)
    assert.equal((await read(service.alpha, accountNumber)).primaryOwner.affiliation?.political, undefined)
  })
})
