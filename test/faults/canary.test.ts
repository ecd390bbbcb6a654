/**
 * Canaries: a tax id, government id numbers, a birth date, secrets and the content of a document are sent through every
 * path, valid and invalid. Afterwards no file of the service contains one: neither the log, nor the database with its
 * WAL, indexes and temporary files, nor the documents, nor uploads in progress (R023, R037, R054, R056, R087).
 */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@clearing/sdk'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { readText } from '../../server/src/store/compressed.ts'
import { applicationFor, applicationOf } from '../acceptance/applications.ts'
import { follow, open, openAndFollow } from '../acceptance/calling.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const canaries = {
  taxIdNumber: '417938265',
  otherTaxId: '528716394',
  beneficiaryTaxId: '639182745',
  idNumber: 'ZQXCANARY7731',
  otherIdNumber: 'ZQXCANARY8842',
  birthDate: '1963-11-23',
  otherBirthDate: '1964-10-19',
  content: 'ZQX-CONTENT-OF-A-DOCUMENT-5519',
  wrongSecret: 'ZQX-WRONG-SECRET-9021',
}
/** A value that is stored openly. If the search does not find it, it searches in the wrong places. */
const control = 'ZQXCONTROL EMPLOYER'

let service: ServiceProcess
const secrets: string[] = ['alpha-sandbox-secret', 'operations-sandbox-secret']
before(async () => {
  service = await makeServiceProcess()
  await service.start()
})
after(() => service?.dispose())

function passport(idNumber: string) {
  return { governmentId1: { idType: 'Passport', idNumber } }
}

describe('personal numbers, secrets and contents', () => {
  test('are sent through every path', async () => {
    const { alpha, operations } = service
    const application = applicationOf(
      {
        taxIdNumber: canaries.taxIdNumber,
        birthDate: canaries.birthDate,
        employerName: control,
        governmentIdentification: passport(canaries.idNumber),
      },
      {
        beneficiaries: [
          {
            name: 'Eva Moreno',
            taxIdType: 'SSN',
            taxIdNumber: canaries.beneficiaryTaxId,
            birthDate: canaries.otherBirthDate,
            percentageAllocation: '100',
          },
        ],
      },
    )
    const { accountNumber } = await open(alpha, application)
    await follow(alpha, accountNumber)
    await alpha.newAccount(application, { idempotencyKey: 'again' })
    await alpha.newAccount(application)
    await alpha.getAccount({ accountNumber })
    await alpha.getAccount({ accountNumber, entityNumber: '301' })
    await alpha.updateAccount({
      accountNumber,
      primaryOwner: {
        birthDate: canaries.otherBirthDate,
        governmentIdentification: passport(canaries.otherIdNumber),
      },
      associatedParties: [
        { ...applicationFor('JointTIC').associatedParties?.[0], taxIdNumber: canaries.otherTaxId },
      ],
    } as never)
    // Refused in every way: by its shape, by the rules, because a number is in use, and by a constraint of the
    // database.
    const wrong: object[] = [
      { ...application, primaryOwner: { ...application.primaryOwner, nickname: canaries.idNumber } },
      { ...application, primaryOwner: { ...application.primaryOwner, firstName: canaries.taxIdNumber } },
      {
        ...application,
        primaryOwner: { ...application.primaryOwner, taxIdNumber: `${canaries.taxIdNumber}0` },
      },
      {
        ...application,
        primaryOwner: { ...application.primaryOwner, taxIdNumber: Number(canaries.taxIdNumber) },
      },
      {
        ...application,
        primaryOwner: { ...application.primaryOwner, birthDate: `${canaries.birthDate}T00` },
      },
      { ...application, accountNumber, main: { repCode: 'JC02' } },
      { ...application, associatedParties: [application.primaryOwner] },
      { ...application, [canaries.taxIdNumber]: canaries.taxIdNumber },
    ]
    for (const request of wrong) await assert.rejects(alpha.newAccount(request as never))
    await assert.rejects(
      alpha.updateAccount({ accountNumber, primaryOwner: { taxIdNumber: canaries.beneficiaryTaxId } }),
    )
    const token = await takeToken('alpha', 'alpha-sandbox-secret')
    const raw = (path: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${service.address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body,
      }).then((answer) => answer.text())
    const { taxIdNumber } = canaries
    await raw('/account-api/v1/new-account', `{"primaryOwner":{"taxIdNumber":"${taxIdNumber}"`)
    await raw(`/account-api/v1/get-account?taxIdNumber=${taxIdNumber}`, `{"accountNumber":"${taxIdNumber}"}`)
    await raw(`/account-api/v1/${taxIdNumber}`, '{}')
    await raw('/account-api/v1/get-account', '{}', {
      'idempotency-key': 'x',
      authorization: `Bearer ${token}x`,
    })
    await raw('/account-api/v1/get-account', '{}', {
      'x-note': `\u001b[2J${taxIdNumber}`.replace('\u001b', ''),
    })
    await alpha.newAccount(applicationOf({ taxIdNumber: '000000001', birthDate: canaries.birthDate }))

    const { data } = await alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      accountNumber,
      file: {
        name: 'passport.pdf',
        content: samplePdf({
          objects: [{ number: 4, text: '', stream: Buffer.from(`(${canaries.content}) Tj`) }],
        }),
      },
    })
    const file = await alpha.getDocument({ accountNumber, documentId: data.documentId })
    assert.ok(Buffer.from(await file.bytes()).includes(canaries.content))
    await assert.rejects(
      alpha.addDocument({
        documentTypeName: 'Identity Documents',
        reference: 'PASS',
        accountNumber,
        file: { name: 'passport.png', content: Buffer.from(canaries.content.repeat(5_000)) },
      }),
    )

    const firmId = (await operations.operations.listFirms({})).data.firms[0]?.firmId ?? ''
    const made = await operations.operations.createCredential(
      { firmId, clientId: 'canary', name: 'Canary' },
      { idempotencyKey: 'credential' },
    )
    const rotated = await operations.operations.rotateCredential({ clientId: 'canary' })
    secrets.push(made.data.clientSecret, rotated.data.clientSecret, token)
    await takeToken('canary', made.data.clientSecret)
    const wrongOne = createClient({
      baseUrl: service.address,
      clientId: 'canary',
      clientSecret: canaries.wrongSecret,
    })
    await assert.rejects(wrongOne.codeLists({}))
  })

  test('are in no file that the service stores', async () => {
    await service.query('analyze; checkpoint')
    const found = await search(service.dataDir, [...Object.values(canaries), ...secrets, control])
    assert.ok(
      (found.get(control) ?? []).some((path) => path.includes('/pg_wal/')),
      'the search misses the WAL',
    )
    assert.ok(
      (found.get(control) ?? []).some((path) => path.includes('/base/')),
      'the search misses the tables',
    )
    found.delete(control)
    assert.deepEqual(Object.fromEntries(found), {})
  })

  test('are not in the compressed bodies of the log of calls', async () => {
    const { rows } = await service.query('select bodies from clearing.request where bodies is not null')
    const bodies = rows.map((row) => readText(row.bodies)).join('\n')
    assert.ok(bodies.includes(control))
    for (const canary of [...Object.values(canaries), ...secrets]) assert.ok(!bodies.includes(canary), canary)
  })

  test('are not in the log, of which every line is JSON', async () => {
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    await fetch(`${service.address}/account-api/v1/get-account`, {
      method: 'POST',
      headers: { traceparent: 'x', 'user-agent': 'a {"level":"fatal"}' },
      body: `{"accountNumber":"${accountNumber}\\r\\n{\\"level\\":50}"}`,
    })
    assert.equal(await service.end('SIGTERM'), 0)
    const output = service.output()
    for (const canary of [...Object.values(canaries), ...secrets.slice(2)])
      assert.ok(!output.includes(canary), canary)
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(lines.length > 20)
    for (const line of lines) assert.equal(typeof JSON.parse(line).level, 'string')
    assert.ok(!lines.some((line) => JSON.parse(line).level === 'fatal'))
  })
})

async function takeToken(clientId: string, clientSecret: string): Promise<string> {
  const answer = await fetch(`${service.address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  assert.ok(token)
  return token
}

/** Finds the files below a folder that contain each text: as UTF-8, as UTF-16, in hexadecimal and in base64. */
async function search(folder: string, texts: readonly string[]): Promise<Map<string, string[]>> {
  const forms = texts.map((text) => ({
    text,
    bytes: [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(Buffer.from(text).toString('hex')),
      ...[0, 1, 2].map((shift) => base64At(text, shift)),
    ],
  }))
  const longest = Math.max(...forms.flatMap(({ bytes }) => bytes.map((one) => one.length)))
  const found = new Map<string, string[]>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    let tail = Buffer.alloc(0)
    for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
      const window = Buffer.concat([tail, chunk])
      for (const { text, bytes } of forms) {
        const known = found.get(text) ?? []
        if (!known.includes(path) && bytes.some((one) => window.includes(one)))
          found.set(text, [...known, path])
      }
      tail = Buffer.from(window.subarray(-longest))
    }
  }
  return found
}

/** The base64 of a text at one of three offsets of its groups, without the characters that depend on its neighbours. */
function base64At(text: string, shift: number): Buffer {
  const encoded = Buffer.from('\0'.repeat(shift) + text)
    .toString('base64')
    .replace(/=+$/, '')
  return Buffer.from(encoded.slice(shift === 0 ? 0 : shift + 1, -2))
}
