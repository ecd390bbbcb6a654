/**
 * generate-document: every form of the catalogue, read back from the PDF. Its values and page numbers are correct, and
 * no text exceeds the page.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { codeLists, type Request } from '@clearing/protocol'
import type { Client } from '@clearing/sdk'
import { inspectFile } from '../../server/src/documents/inspect/inspect-file.ts'
import { type Application, address, applicationFor, applicationOf, fullApplication } from './applications.ts'
import { openAndFollow, read, refusalOf, rejectionsOf } from './calling.ts'
import { type Read, readPdf } from './read-pdf.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function generate(
  accountNumber: string,
  reference: string,
  more: object = {},
  client: Client = service.alpha,
) {
  const answer = await client.generateDocument({
    accountNumber,
    reference,
    ...more,
  } as Request<'generate-document'>)
  return Buffer.from(await answer.bytes())
}

const letter = { width: 612, height: 792, margin: 40 }

/** Every text is within the margins, no two texts overlap, and every page has its number. */
function assertTidy({ pages }: Read, what: string) {
  pages.forEach((words, at) => {
    for (const { text, left, right, bottom, top } of words) {
      assert.ok(
        left >= letter.margin && right <= letter.width - letter.margin + 1,
        `${what}: ${text} leaves the page`,
      )
      assert.ok(
        bottom >= letter.margin - 5 && top <= letter.height - letter.margin + 12,
        `${what}: ${text} leaves the page`,
      )
    }
    for (const one of words) {
      for (const other of words) {
        if (one === other) continue
        const over = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const beside = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom)
        assert.ok(over <= 1 || beside <= 3, `${what}: ${one.text} lies on ${other.text}`)
      }
    }
    assert.ok(
      words.some(({ text }) => text === `Page ${at + 1} of ${pages.length}`),
      `${what}: page ${at + 1} is not numbered`,
    )
  })
}

async function openWith(application: Application) {
  const accountNumber = await openAndFollow(service.alpha, application)
  return { accountNumber, record: await read(service.alpha, accountNumber) }
}

/** The account for each form, and the texts that the form must contain. */
const forms: [reference: string, application: () => Application, says: string[]][] = [
  [
    'NEWA',
    fullApplication,
    [
      'New Account Application',
      'HEAD NURSE',
      'BAYSIDE CLINIC',
      'LEILA HADDAD',
      '60.50%',
      '12345678-0001',
      'Joint owner 1',
    ],
  ],
  ['CASH', () => applicationFor('Individual'), ['Customer Agreement', 'Lien', 'ADA']],
  [
    'W9',
    () => applicationFor('Individual'),
    ['Substitute Form W-9', 'Under penalties of perjury', 'Social security number'],
  ],
  [
    'W8BE',
    () => applicationFor('IndividualJointForeign'),
    ['Substitute Form W-8BEN', 'Canada', 'AMELIE TREMBLAY'],
  ],
  ['OPTS', fullApplication, ['Option Agreement', 'Registered options principal', 'Uncovered index options']],
  ['TOD', fullApplication, ['Transfer on Death Agreement', 'KARIM HADDAD', 'Spouse of the owner']],
  ['FASF', () => applicationFor('IndividualJointForeign'), ['Foreign Account Form', 'Passport', 'Canada']],
  ['MRGN', fullApplication, ['Margin Agreement', 'MAY BE PLEDGED AND LENT', 'FINRA Rule 4210']],
  ['ADOP-simple', () => applicationFor('IraSimple'), ['SIMPLE IRA Adoption Agreement', 'LUIS MORENO', '25%']],
  [
    'ADOP-Traditional',
    () => applicationFor('IraRollover'),
    ['Traditional IRA Adoption Agreement', 'Rollover IRA', 'LUIS MORENO'],
  ],
  ['ADOP-Roth', () => applicationFor('IraRoth'), ['Roth IRA Adoption Agreement', 'LUIS MORENO']],
]

describe('every form of the catalogue', () => {
  test('has a test', () => {
    const inCatalogue = codeLists.documentReference
      .filter(({ isForm }) => isForm)
      .map(({ value }) => value as string)
    assert.deepEqual(forms.map(([reference]) => reference).toSorted(), inCatalogue.toSorted())
  })

  for (const [reference, application, says] of forms) {
    test(`${reference} is filled, numbered and laid out correctly, and can be added unchanged`, async () => {
      const { accountNumber, record } = await openWith(application())
      const pdf = await generate(accountNumber, reference)
      const found = await readPdf(pdf)
      assertTidy(found, reference)
      for (const what of [...says, accountNumber, record.accountName, `Form ${reference}`]) {
        assert.ok(found.text.includes(what), `${reference} says ${what}`)
      }
      assert.match(found.text, /Generated \d{4}-\d\d-\d\d/)
      assert.equal(inspectFile(pdf, 'form.pdf').outcome, 'accepted')
    })
  }
})

test('the margin agreement has the risks of margin on a page of their own (FINRA Rule 2264(a))', async () => {
  const { accountNumber } = await openWith(fullApplication())
  const { pages } = await readPdf(await generate(accountNumber, 'MRGN'))
  const texts = pages.map((words) => words.map(({ text }) => text).join(' '))
  const withRisks = texts.filter((text) => text.includes('The risks of margin'))
  assert.equal(withRisks.length, 1)
  const [risks = ''] = withRisks
  for (const point of [
    'You can lose more funds than you deposit',
    'The firm can force the sale of securities in your accounts',
    'The firm can sell without contacting you',
    'You are not entitled to choose what is sold',
    'The firm can increase its requirements at any time',
    'You are not entitled to more time on a margin call',
  ])
    assert.ok(risks.includes(point), `${point} is in ${risks}`)
  for (const other of ['Owner', 'Credit', 'Signature']) assert.ok(!risks.includes(other), risks)
})

test('checks the boxes of the recorded values, and no others', async () => {
  const { accountNumber } = await openWith(fullApplication())
  const { pages } = await readPdf(await generate(accountNumber, 'NEWA'))
  /** Labels that have an X right before them. */
  const checked = pages.flatMap((words) =>
    words
      .filter(({ text }) => text === 'X')
      .map(
        (mark) =>
          words.find(
            ({ left, bottom }) =>
              Math.abs(bottom - mark.bottom) < 3 && left > mark.left && left - mark.left < 14,
          )?.text,
      ),
  )
  assert.ok(
    checked.includes('100,000 to 200,000') &&
      checked.includes('Moderate') &&
      checked.includes('One to three years'),
  )
  assert.ok(!checked.includes('Under 25,000') && !checked.includes('Aggressive'))
  assert.ok(!checked.includes('Confirmations') && checked.includes('Statements'))
})

test('long values wrap inside their boxes', async () => {
  const long = {
    firstName: 'Wilhelmina-Alexandra Josephine',
    middleName: 'Maximiliana Theodora Ottilie M',
    lastName: 'Wolfeschlegelsteinhausenberger',
    suffix: 'The Honourable Third Of Her N.',
    email: `${'a'.repeat(58)}@example.com`,
    jobTitle: `Deputy ${'assistant '.repeat(5)}`.trim(),
    employerName: 'W'.repeat(60),
  }
  const { accountNumber } = await openWith(applicationOf(long))
  for (const reference of ['NEWA', 'W9', 'TOD']) {
    const found = await readPdf(await generate(accountNumber, reference))
    assertTidy(found, reference)
    assert.ok(found.text.includes('WOLFESCHLEGELSTEINHAUSENBERGER'), reference)
  }
})

test('a form with very many persons has as many pages as it needs', async () => {
  const joint = applicationFor('JointWROS')
  const associatedParties = Array.from({ length: 12 }, (_, index) => ({
    ...applicationFor('JointWROS').associatedParties?.[0],
    role: index < 4 ? 'Secondary' : 'InterestedParty',
  }))
  const { accountNumber, record } = await openWith({ ...joint, associatedParties } as Application)
  const found = await readPdf(await generate(accountNumber, 'NEWA'))
  assertTidy(found, 'NEWA')
  assert.ok(found.pages.length >= 6)
  assert.equal(record.associatedParties.length, 12)
  assert.ok(found.text.includes('Joint owner 4'))
})

describe('letters', () => {
  for (const [script, lastName] of [
    ['Latin with marks', 'ŁĄCZYŃSKA-ĐỖ'],
    ['Greek', 'ΠΑΠΑΔΟΠΟΎΛΟΥ'],
    ['Cyrillic', 'ЩЕРБАКОВА'],
    ['Hebrew', 'כהן'],
  ] as const) {
    test(`of the ${script} alphabet are printed`, async () => {
      const { accountNumber } = await openWith(applicationOf({ lastName }))
      const found = await readPdf(await generate(accountNumber, 'W9'))
      const letters = [...lastName].toSorted().join('')
      const printed = found.pages
        .flat()
        .some(({ text }) => [...text.normalize('NFC')].toSorted().join('').includes(letters))
      assert.ok(printed || found.text.normalize('NFC').includes(lastName), found.text.slice(0, 300))
      assert.ok(!found.text.includes('�'))
    })
  }

  test('of two Hebrew words are read from the right', async () => {
    const { accountNumber } = await openWith(applicationOf({ lastName: 'כהן לוי' }))
    const found = await readPdf(await generate(accountNumber, 'W9'))
    assert.match(found.text, /כהן\sלוי/)
  })

  test('of a Hawaiian name are printed with the ʻokina', async () => {
    const { accountNumber } = await openWith(applicationOf({ lastName: 'Kaʻahumanu' }))
    const found = await readPdf(await generate(accountNumber, 'W9'))
    assert.ok(found.text.includes('ADA KA‘AHUMANU'), found.text.slice(0, 300))
    assert.ok(!found.text.includes('�'))
  })

  test('that the typeface lacks are marked and named', async () => {
    const { accountNumber } = await openWith(applicationOf({ lastName: '王小明' }))
    const found = await readPdf(await generate(accountNumber, 'W9'))
    assert.ok(found.text.includes('ADA ���'))
    assert.match(found.text, /U\+738B, U\+5C0F, U\+660E/)
    assertTidy(found, 'W9')
  })
})

test('numbers of persons are masked without pii:read; with it they are whole and their reading is recorded', async () => {
  const masked = service.client('alpha', undefined, ['accounts:read', 'documents:read'])
  const { accountNumber, record } = await openWith(fullApplication())
  const digits = record.primaryOwner.taxIdNumber ?? ''
  const whole = `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`
  const records = async () =>
    (
      await service.query(
        "select from clearing.access_record where account_number = $1 and operation = 'generate-document'",
        [accountNumber],
      )
    ).rowCount
  const hidden = await readPdf(await generate(accountNumber, 'NEWA', {}, masked))
  assert.ok(hidden.text.includes(`***-**-${digits.slice(5)}`))
  assert.ok(!hidden.text.includes(digits.slice(0, 5)) && !hidden.text.includes(whole))
  assert.ok(!hidden.text.includes('X9912345') && hidden.text.includes('****2345'))
  assert.equal(await records(), 0)
  const shown = await readPdf(await generate(accountNumber, 'NEWA'))
  assert.ok(shown.text.includes(whole) && shown.text.includes('X9912345'))
  assert.equal(await records(), 1)
})

test('the same form of the same day is the same bytes', async () => {
  const { accountNumber } = await openWith(fullApplication())
  const hashOf = async () =>
    createHash('sha256')
      .update(await generate(accountNumber, 'NEWA'))
      .digest('hex')
  const first = await hashOf()
  assert.equal(await hashOf(), first)
})

test('a form of one person is of the named person', async () => {
  const { accountNumber, record } = await openWith(fullApplication())
  const customerId = record.associatedParties[0]?.customerId
  const found = await readPdf(await generate(accountNumber, 'W9', { customerId }))
  assert.ok(found.text.includes('SAMI LEE HADDAD') && !found.text.includes('NOOR LEE HADDAD'))
})

test('it is an attachment, at both of its addresses, and is not stored', async () => {
  const { accountNumber } = await openWith(applicationFor('Individual'))
  for (const path of ['/account-api/v1/generate-document', '/document-api/v1/generate-document']) {
    const answer = await service.send(path, {
      headers: {
        authorization: `Bearer ${await service.token('alpha')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ accountNumber, reference: 'newa' }),
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      new RegExp(`attachment.*NEWA-${accountNumber}\\.pdf`),
    )
  }
  assert.equal((await service.alpha.getDocumentDetails({ accountNumber })).data.total, 0)
})

test('the person of a form can be named by position, and the type beside the reference, in any spelling', async () => {
  const { accountNumber, record } = await openWith(applicationFor('JointWROS'))
  const ask = async (more: object) => {
    const request = { accountNumber, documentTypeName: 'New Accounts Documents', ...more }
    return service.post('generate-document', request, { accept: '*/*' })
  }
  const nameOf = async (more: object) => (await ask(more)).headers.get('content-disposition')
  const [party] = record.associatedParties
  const byPlace = await nameOf({ Reference: 'W9', Profiles: ['associatedparty-1'] })
  assert.ok(party?.customerId && byPlace?.includes(party.customerId), String(byPlace))
  const ofOwner = await nameOf({ reference: 'W9', profiles: ['primaryOwner'] })
  assert.ok(ofOwner?.includes(String(record.primaryOwner.customerId)), String(ofOwner))
  assert.match(String(await nameOf({ Reference: 'NEWA' })), /NEWA/)
  for (const [more, field] of [
    [{ reference: 'W9', profiles: ['associatedparty-2'] }, 'profiles'],
    [{ reference: 'W9', profiles: ['associatedparty-0'] }, 'profiles'],
    [{ reference: 'W9', profiles: ['somebody'] }, 'profiles'],
    [{ reference: 'W9', profiles: ['primaryowner', 'associatedparty-1'] }, 'profiles'],
    [{ reference: 'W9', profiles: ['primaryowner'], customerId: party?.customerId }, 'profiles'],
    [{ reference: 'NEWA', profiles: ['primaryowner'] }, 'profiles'],
    [{ reference: 'NEWA', documentTypeName: 'Identity Documents' }, 'documentTypeName'],
  ] as const) {
    const { status, json } = await ask(more)
    assert.deepEqual(
      [status, json.errors[0].code, json.errors[0].field],
      [400, 'ERR.1015', field],
      JSON.stringify(more),
    )
  }
})

test('new-account accepts submit=true in the query, and reports that there are no drafts', async () => {
  const send = async (query: string) => service.post(`new-account?${query}`, applicationOf({}))
  assert.equal((await send('Submit=True')).status, 200)
  for (const query of ['submit=false', 'submit=']) {
    const { status, json } = await send(query)
    assert.deepEqual(
      [status, json.errors.map(({ code }: { code: string }) => code)],
      [400, ['ERR.1015']],
      query,
    )
  }
  assert.equal((await send('submit=true&x=1')).status, 400)
})

describe('refusals', () => {
  test('a form that does not apply to the account or the person is refused', async () => {
    const individual = await openWith(applicationFor('Individual'))
    const ira = await openWith(applicationFor('IraRoth'))
    const refused = async (accountNumber: string, reference: string, more: object = {}) =>
      rejectionsOf(generate(accountNumber, reference, more))
    for (const reference of ['FASF', 'ADOP-Roth', 'ADOP-simple', 'PASS']) {
      assert.deepEqual(await refused(individual.accountNumber, reference), ['ERR.1015 reference'], reference)
    }
    for (const reference of ['TOD', 'MRGN', 'ADOP-simple']) {
      assert.deepEqual(await refused(ira.accountNumber, reference), ['ERR.1015 reference'], reference)
    }
    const estate = await openWith(applicationFor('Estate'))
    assert.deepEqual(await refused(estate.accountNumber, 'MRGN'), ['ERR.1015 reference'])
    const inCommon = await openWith(applicationFor('JointTIC'))
    assert.deepEqual(await refused(inCommon.accountNumber, 'TOD'), ['ERR.1015 reference'])
    assert.deepEqual(await refused(individual.accountNumber, 'W8BE'), ['ERR.1015 customerId'])
    assert.deepEqual(await refused(individual.accountNumber, 'W9', { customerId: '123456789012345678' }), [
      'ERR.1015 customerId',
    ])
    const customerId = individual.record.primaryOwner.customerId
    assert.deepEqual(await refused(individual.accountNumber, 'NEWA', { customerId }), ['ERR.1015 customerId'])
    assert.deepEqual(await refused(individual.accountNumber, 'X1'), ['ERR.1015 reference'])
  })

  test('a Form W-9 of an entity of another country, or of a territory, is refused', async () => {
    for (const [citizenshipCountry, expected] of [
      ['US', undefined],
      ['PR', ['ERR.1015 customerId']],
      ['DE', ['ERR.1015 customerId']],
    ] as const) {
      const application = applicationFor('Corporation')
      const primaryOwner = { ...application.primaryOwner, citizenshipCountry }
      const { accountNumber } = await openWith({ ...application, primaryOwner } as Application)
      const form = generate(accountNumber, 'W9')
      if (expected === undefined) assert.ok((await form).length > 0)
      else assert.deepEqual(await rejectionsOf(form), expected, citizenshipCountry)
    }
  })

  test('a form of another firm’s account is refused', async () => {
    const { accountNumber } = await openWith(applicationOf({ legalAddress: address }))
    assert.ok((await refusalOf(generate(accountNumber, 'NEWA', {}, service.beta))).has('ERR.2003'))
  })
})
