/** Documents through the sdk: added, found, filtered, decided on, and read back byte for byte. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { codeLists, type Request } from '@clearing/protocol'
import { RequestRejected } from '@clearing/sdk'
import {
  sampleBmp,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleTiff,
} from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { follow, openAndFollow, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(() => service?.stop())

const files: Record<string, () => Buffer> = {
  pdf: samplePdf,
  png: samplePng,
  jpg: sampleJpeg,
  jpeg: sampleJpeg,
  bmp: sampleBmp,
  tif: sampleTiff,
  tiff: () => sampleTiff([{}, {}], false),
}

type Fields = Partial<Request<'add-document'>>

function add(fields: Fields = {}, name = 'bill.pdf', content: Buffer = samplePdf()) {
  return service.alpha.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber,
    ...fields,
    file: { name, content },
  })
}

async function find(
  request: Omit<Request<'get-document-details'>, 'accountNumber'> = {},
  number = accountNumber,
) {
  return (await service.alpha.getDocumentDetails({ accountNumber: number, ...request })).data
}

describe('a document', () => {
  for (const [extension, make] of Object.entries(files)) {
    for (const name of [`scan.${extension}`, `SCAN.${extension.toUpperCase()}`]) {
      test(`called ${name} is stored and read back byte for byte`, async () => {
        const content = make()
        const { data } = await add({ displayName: `A ${extension}` }, name, content)
        assert.equal(data.status, 'PendingApproval')
        assert.equal(data.accountNumber, accountNumber)
        assert.equal(data.subNumber, '301')
        assert.equal(data.repCode, 'JC01')
        assert.equal(data.displayName, `A ${extension}`)
        assert.match(data.createdDate, /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
        assert.equal(data.updatedDate, '')
        const answer = await service.alpha.getDocument({ accountNumber, documentId: data.documentId })
        assert.ok(Buffer.from(await answer.bytes()).equals(content))
        assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
        const { documents } = await find({ sortBy: 'createdDate', sortMode: 'descend', size: 1 })
        const [detail] = documents
        assert.equal(detail?.documentId, data.documentId)
        assert.equal(detail?.sha256, createHash('sha256').update(content).digest('hex'))
        assert.equal(detail?.sizeBytes, content.length)
        assert.equal(detail?.fileName, name)
        const row = codeLists.documentFileExtension.find(({ value }) => value === `.${extension}`)
        assert.equal(detail?.mediaType, row?.mediaType)
        assert.equal(answer.mediaType, row?.mediaType)
      })
    }
  }

  test('of exactly the limit is stored whole, and one byte more is refused', async () => {
    const start = samplePdf({ tail: '' })
    const filled = (size: number) => {
      const stream = Buffer.alloc(size - start.length - 200, 0x20)
      const pdf = samplePdf({ objects: [{ number: 4, text: '', stream }] })
      const missing = size - pdf.length
      return samplePdf({
        objects: [{ number: 4, text: '', stream: Buffer.alloc(stream.length + missing, 0x20) }],
      })
    }
    let exact = filled(10_485_760)
    if (exact.length !== 10_485_760) exact = filled(10_485_760 - (exact.length - 10_485_760))
    assert.equal(exact.length, 10_485_760)
    const { data } = await add({}, 'large.pdf', exact)
    const answer = await service.alpha.getDocument({ accountNumber, documentId: data.documentId })
    assert.equal((await answer.bytes()).length, exact.length)
    const refusal = await refusalOf(add({}, 'large.pdf', Buffer.concat([exact, Buffer.from('\n')])))
    assert.equal(refusal.status, 413)
    assert.deepEqual(
      refusal.rejections.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1022 file'],
    )
  })

  test('with a Unicode name and comments keeps them, including their letter case', async () => {
    const { data } = await add(
      { displayName: 'Stromrechnung März №3', comments: 'as asked on the phone' },
      'Rechnung März.pdf',
    )
    assert.equal(data.displayName, 'Stromrechnung März №3')
    const { documents } = await find({ size: 1 })
    assert.equal(documents[0]?.comments, 'as asked on the phone')
    assert.equal(documents[0]?.fileName, 'Rechnung März.pdf')
    const answer = await service.alpha.getDocument({ accountNumber, documentId: data.documentId })
    assert.match(answer.fileName, /März/)
    await answer.body.cancel()
  })

  test('without a display name shows its file name', async () => {
    assert.equal((await add({}, 'bill of may.pdf')).data.displayName, 'bill of may.pdf')
  })

  test('with another type and reference is accepted, and reported as uncatalogued', async () => {
    const { data, message } = await add({ documentTypeName: 'Letters', reference: 'from my aunt' })
    assert.deepEqual([data.catalogued, data.followUpId], [false, ''])
    assert.match(message, /^Request successful\. .* answers no follow-up\.$/)
    const { documents } = await find({ reference: 'from my aunt' })
    assert.deepEqual(
      documents.map(({ catalogued, documentTypeName }) => [catalogued, documentTypeName]),
      [[false, 'Letters']],
    )
    const catalogued = await add({ documentTypeName: 'identity documents', reference: 'pass' })
    const [row] = (await find({ reference: 'PASS' })).documents
    assert.equal(row?.documentId, catalogued.data.documentId)
    assert.equal(row?.catalogued, true)
    assert.equal(row?.documentTypeName, 'Identity Documents')
  })

  for (const documentTypeName of ['new accounts documents', 'Proof of address']) {
    test(`answers the follow-up that asks for its reference, and is filed under ${documentTypeName}`, async () => {
      const asked = await openAndFollow(service.alpha, applicationOf({ taxIdNumber: '000000002' }))
      const { data, message } = await add({ accountNumber: asked, documentTypeName, reference: 'util' })
      const { followUps } = (await service.alpha.onboardingResult({ accountNumber: asked })).data
      const [followUp] = followUps.filter(({ acceptedDocuments }) => acceptedDocuments.includes('UTIL'))
      assert.deepEqual(
        [message, data.catalogued, data.followUpId, followUp?.status],
        ['Request successful.', true, followUp?.id, 'Answered'],
      )
      const [row] = (await find({}, asked)).documents
      assert.deepEqual([row?.reference, row?.catalogued, row?.followUpId], ['UTIL', true, followUp?.id])
      assert.equal(row?.documentTypeName.toLowerCase(), documentTypeName.toLowerCase())
      await service.operations.operations.decideDocument({
        accountNumber: asked,
        documentId: data.documentId,
        decision: 'Approved',
      })
      assert.equal((await follow(service.alpha, asked)).currentState, 'CreationComplete')
    })
  }

  test('of a firm whose catalogue is closed needs the type of its reference', async () => {
    const { operations } = service.operations
    const { firmId } = (await operations.searchAccounts({ text: accountNumber })).data.accounts[0] ?? {}
    const close = (documentCatalogueClosed: boolean) =>
      operations.updateFirm({ firmId: firmId ?? '', settings: { documentCatalogueClosed } })
    await close(true)
    const { rejections } = await refusalOf(add({ documentTypeName: 'Transfers' }))
    await add()
    await close(false)
    assert.equal(rejections[0]?.code, 'ERR.1015')
    assert.match(rejections[0]?.reason ?? '', /UTIL is of the type Identity Documents\.$/)
  })

  test('added through the other path of the specification is stored in the same way', async () => {
    const form = new FormData()
    form.set('documentTypeName', 'Identity Documents')
    form.set('REFERENCE', 'UTIL')
    form.set('accountNumber', accountNumber)
    form.set('file', new Blob([new Uint8Array(samplePng())]), 'bill.png')
    const headers = { authorization: `Bearer ${await service.token('alpha')}` }
    const answer = await service.send('/document-api/v1/add-document', { headers, body: form })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.data.status, 'PendingApproval')
  })

  test('sent again with its key is one document, and refused with the key and other bytes', async () => {
    const fields = { documentTypeName: 'Transfers', reference: 'ACAT', accountNumber }
    const send = (content: Buffer) =>
      service.alpha.addDocument(
        { ...fields, file: { name: 'a.pdf', content } },
        { idempotencyKey: 'one upload' },
      )
    const first = await send(samplePdf())
    const second = await send(samplePdf())
    assert.deepEqual(second.data, first.data)
    assert.equal(second.replayed, true)
    assert.equal((await refusalOf(send(samplePdf({ tail: '\n\n' })))).status, 422)
    assert.equal((await find({ reference: 'ACAT' })).total, 1)
  })

  const refused: [what: string, name: string, content: () => Buffer, status: number, code: string][] = [
    ['a type that is not allowed', 'a.exe', () => Buffer.from('MZ'), 415, 'ERR.1023'],
    ['a name that contradicts the content', 'a.png', samplePdf, 415, 'ERR.1023'],
    ['no extension', 'bill', samplePdf, 415, 'ERR.1023'],
    [
      'an HTML page called pdf',
      'a.pdf',
      () => Buffer.from('<html><script>alert(1)</script>'),
      415,
      'ERR.1023',
    ],
    [
      'a PDF that runs scripts',
      'a.pdf',
      () =>
        samplePdf({
          objects: [
            {
              number: 1,
              text: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
            },
          ],
        }),
      415,
      'ERR.1023',
    ],
    ['an encrypted PDF', 'a.pdf', () => samplePdf({ trailer: '/Encrypt 9 0 R' }), 415, 'ERR.1023'],
    [
      'a picture followed by other bytes',
      'a.png',
      () => Buffer.concat([samplePng(), Buffer.from('PK\x03\x04')]),
      415,
      'ERR.1023',
    ],
    ['a truncated picture', 'a.png', () => samplePng().subarray(0, 60), 415, 'ERR.1023'],
    ['an empty file', 'a.pdf', () => Buffer.alloc(0), 400, 'ERR.1000'],
    ['a name with a path', '../a.pdf', samplePdf, 415, 'ERR.1023'],
  ]
  for (const [what, name, content, status, code] of refused) {
    test(`is refused: ${what}`, async () => {
      const before = (await find()).total
      const refusal = await refusalOf(add({}, name, content()))
      assert.deepEqual(
        [refusal.status, ...refusal.rejections.map((one) => `${one.code} ${one.field}`)],
        [status, `${code} file`],
      )
      assert.equal((await find()).total, before)
    })
  }

  test('for an account that does not exist, or without its fields, is refused', async () => {
    assert.deepEqual(await rejectionsOf(add({ accountNumber: 'ZZZZZZZZ' })), ['ERR.2003 accountNumber'])
    const refused = await rejectionsOf(add({ documentTypeName: '', reference: 'x'.repeat(101) }))
    assert.deepEqual(refused, ['ERR.1000 documentTypeName', 'ERR.1010 reference'])
  })

  test('with a field of any size is refused at the field', async () => {
    for (const size of [501, 8192, 8193, 20_000, 70_000, 400_000])
      assert.deepEqual(
        await rejectionsOf(add({ comments: 'x'.repeat(size) })),
        ['ERR.1010 comments'],
        `${size}`,
      )
  })

  test('is stored without plain bytes and without a name of the caller on disk', async () => {
    const marker = 'A-NAME-USED-ONCE'
    // Some megabytes of encrypted content contain any four bytes by chance.
    const headers = ['%PDF-1.', '\0\0\0\rIHDR']
    await add({ displayName: marker }, `${marker}.pdf`, samplePdf({ tail: '\n' }))
    const folder = join(service.dataDir, 'documents')
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const kept = names.filter((entry) => entry.isFile())
    assert.ok(kept.length > 10)
    for (const entry of kept) {
      const content = await readFile(join(entry.parentPath, entry.name))
      assert.ok(!headers.some((header) => content.includes(header)) && !entry.name.includes(marker))
    }
    assert.deepEqual(await readdir(join(service.dataDir, 'uploads')).catch(() => []), [])
  })
})

describe('the documents of an account', () => {
  /** Copies of the account's first document, so that the account is full without so many uploads. */
  const copy = (number: string, documents: number, sizeBytes: number) =>
    service.query(
      `insert into clearing.document select (jsonb_populate_record(document,
         jsonb_build_object('document_id', gen_random_uuid(), 'size_bytes', $3::bigint))).*
       from clearing.document, generate_series(1, $2) where account_number = $1`,
      [number, documents, sizeBytes],
    )

  for (const [what, documents, sizeBytes] of [
    ['a thousand', 999, 1],
    ['a gigabyte', 1, 1_073_741_824],
  ] as const) {
    test(`are limited to ${what}`, async () => {
      const full = await openAndFollow(service.alpha, applicationFor('Individual'))
      await add({ accountNumber: full })
      await copy(full, documents, sizeBytes)
      assert.deepEqual(await rejectionsOf(add({ accountNumber: full })), ['ERR.1022 file'])
      await add()
    })
  }

  test('may reach a gigabyte together, and not exceed it by a byte', async () => {
    for (const beyond of [0, 1]) {
      const account = await openAndFollow(service.alpha, applicationFor('Individual'))
      await add({ accountNumber: account })
      const { rows } = await service.query(
        'select size_bytes from clearing.document where account_number = $1',
        [account],
      )
      await copy(account, 1, 1_073_741_824 - 2 * Number(rows[0].size_bytes) + beyond)
      if (beyond === 0) await add({ accountNumber: account })
      else assert.deepEqual(await rejectionsOf(add({ accountNumber: account })), ['ERR.1022 file'])
    }
  })
})

test('documents that are added at the same time do not exceed the limit of an account', async () => {
  const full = await openAndFollow(service.alpha, applicationFor('Individual'))
  await add({ accountNumber: full })
  await service.query(
    `insert into clearing.document select (jsonb_populate_record(document,
       jsonb_build_object('document_id', gen_random_uuid()))).*
     from clearing.document, generate_series(1, 996) where account_number = $1`,
    [full],
  )
  const added = await Promise.allSettled(Array.from({ length: 20 }, () => add({ accountNumber: full })))
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 3)
})

describe('finding documents', () => {
  let number: string
  const labels = ['Echo', 'alpha', 'Delta', 'bravo', 'Charlie', 'foxtrot', 'Golf']
  before(async () => {
    number = await openAndFollow(service.alpha, applicationFor('Individual'))
    for (const [at, displayName] of labels.entries()) {
      const [documentTypeName, reference] =
        at % 2 === 0 ? ['Identity Documents', 'UTIL'] : ['Trust Documents', 'TRST']
      const { data } = await add({
        accountNumber: number,
        documentTypeName,
        reference,
        displayName,
      } as Fields)
      if (at === 0)
        await service.operations.operations.decideDocument({
          accountNumber: number,
          documentId: data.documentId,
          decision: 'Approved',
        })
      if (at === 1)
        await service.alpha.sandbox.decideDocument({
          accountNumber: number,
          documentId: data.documentId,
          decision: 'rejected',
          rejectionCode: 'BLURRY',
        })
    }
  })
  const names = async (request: Parameters<typeof find>[0]) =>
    (await find(request, number)).documents.map(({ displayName }) => displayName)

  test('returns the newest first, 25 to a page, with the total number', async () => {
    const { documents, page, size, total } = await find({}, number)
    assert.deepEqual(
      documents.map(({ displayName }) => displayName),
      labels.toReversed(),
    )
    assert.deepEqual([page, size, total], [1, 25, 7])
  })

  test('sorts by the requested column, both ways, without regard to letter case', async () => {
    const sorted = labels.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' }))
    assert.deepEqual(await names({ sortBy: 'displayName', sortMode: 'ascend' }), sorted)
    assert.deepEqual(await names({ sortBy: 'DisplayName', sortMode: 'DESCEND' }), sorted.toReversed())
    assert.deepEqual(await names({ sortBy: 'createdDate', sortMode: 'ascend' }), labels)
    for (const { value: sortBy } of codeLists.documentSort) assert.equal((await names({ sortBy })).length, 7)
  })

  test('returns all of them, without a repeat or a gap', async () => {
    const seen: string[] = []
    for (let page = 1; page <= 4; page++) {
      const answer = await find({ page, size: 2, sortBy: 'status', sortMode: 'ascend' }, number)
      assert.equal(answer.total, 7)
      seen.push(...answer.documents.map(({ displayName }) => displayName))
    }
    assert.deepEqual(seen.toSorted(), labels.toSorted())
    assert.deepEqual(await names({ page: 5, size: 2 }), [])
  })

  test('accepts page beside after only for the same position', async () => {
    const { next } = await find({ size: 2 }, number)
    const second = await names({ size: 2, page: 2 })
    assert.deepEqual(await names({ size: 2, after: next }), second)
    assert.deepEqual(await names({ size: 2, after: next, page: 2 }), second)
    const both = (page: number) => rejectionsOf(find({ size: 2, after: next, page }, number))
    assert.deepEqual([await both(1), await both(3)], [['ERR.1014 after'], ['ERR.1014 after']])
  })

  test('finds one by its id', async () => {
    const [newest] = (await find({ size: 1 })).documents
    const documentId = newest?.documentId ?? ''
    assert.deepEqual((await find({ documentId })).documents, [newest])
    assert.equal((await find({ documentId: 'none' })).total, 0)
    const other = await openAndFollow(service.alpha, applicationFor('Individual'))
    assert.equal((await find({ documentId }, other)).total, 0)
  })

  test('filters by type, reference, status and day, together', async () => {
    assert.equal((await names({ documentTypeName: 'trust documents' })).length, 3)
    assert.equal((await names({ reference: 'UTIL' })).length, 4)
    assert.deepEqual(await names({ status: 'approved' }), ['Echo'])
    assert.deepEqual(await names({ status: 'Rejected', reference: 'TRST' }), ['alpha'])
    assert.deepEqual(await names({ status: 'Rejected', reference: 'UTIL' }), [])
    const { documents } = await find({ size: 1 }, number)
    const [month, day, year] = documents[0]?.createdDate.slice(0, 10).split('/') ?? []
    const today = `${year}-${month}-${day}`
    assert.equal((await names({ dateFrom: today, dateTo: `${month}/${day}/${year}` })).length, 7)
    assert.deepEqual(await names({ dateTo: '2020-01-01' }), [])
    assert.deepEqual(await names({ dateFrom: '29990101' }), [])
  })

  test('refuses impossible pages and filters', async () => {
    const ask = (request: Parameters<typeof find>[0]) => rejectionsOf(find(request, number))
    assert.deepEqual(await ask({ size: 101 }), ['ERR.1015 size'])
    assert.deepEqual(await ask({ page: 0, size: 0 }), ['ERR.1015 page', 'ERR.1015 size'])
    assert.deepEqual(await ask({ sortBy: 'colour' }), ['ERR.1015 sortBy'])
    assert.deepEqual(await ask({ dateFrom: '2026-02-30' }), ['ERR.1024 dateFrom'])
    assert.deepEqual(await ask({ dateFrom: '2026-02-02', dateTo: '2026-02-01' }), ['ERR.1025 dateFrom'])
    assert.deepEqual(await ask({ size: '5' as never }), ['ERR.2002 size'])
  })

  test('lists the catalogue with the follow-ups that each document can answer', async () => {
    const { data } = await service.alpha.getDocumentTypes({})
    assert.equal(data.documentTypes.length, codeLists.documentReference.length)
    const bill = data.documentTypes.find(({ reference }) => reference === 'UTIL')
    assert.deepEqual(bill?.satisfies, ['AddressDocument'])
    const trust = await service.alpha.getDocumentTypes({ documentTypeName: 'Trust Documents' })
    assert.deepEqual(
      trust.data.documentTypes.map(({ reference }) => reference),
      ['TRST', 'CERT'],
    )
  })
})

describe('deciding on a document', () => {
  test('approves or rejects it once, with the person and the reason', async () => {
    const { data } = await add()
    const decision = { accountNumber, documentId: data.documentId }
    const { decideDocument } = service.operations.operations
    assert.deepEqual(await rejectionsOf(decideDocument({ ...decision, decision: 'Rejected' })), [
      'ERR.1000 rejectionCode',
    ])
    assert.deepEqual(
      await rejectionsOf(decideDocument({ ...decision, decision: 'Approved', rejectionCode: 'BLURRY' })),
      ['ERR.1015 rejectionCode'],
    )
    const rejected = await decideDocument({
      ...decision,
      decision: 'Rejected',
      rejectionCode: 'expired',
      reason: 'Too old',
    })
    assert.deepEqual([rejected.data.status, rejected.data.rejectionCode], ['Rejected', 'EXPIRED'])
    assert.match(rejected.data.updatedDate, /^\d\d\/\d\d\/\d{4} /)
    const again = await refusalOf(decideDocument({ ...decision, decision: 'Approved' }))
    assert.equal(again.status, 409)
  })

  test('of another account, or of an unknown id, does not exist', async () => {
    const { data } = await add()
    const other = await openAndFollow(service.alpha, applicationFor('Individual'))
    const { decideDocument } = service.operations.operations
    for (const [number, documentId] of [
      [other, data.documentId],
      [accountNumber, 'none'],
      [accountNumber, '01890000-0000-7000-8000-000000000000'],
    ] as const) {
      const refusal = await refusalOf(
        decideDocument({ accountNumber: number, documentId, decision: 'Approved' }),
      )
      assert.deepEqual([refusal.status, refusal.has('ERR.2013')], [404, true])
      const reading = service.alpha.getDocument({ accountNumber: number, documentId })
      await assert.rejects(reading, (error) => error instanceof RequestRejected && error.has('ERR.2013'))
    }
  })
})
