/** Each row of the error catalogue has a test that provokes its code and checks the status. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type ErrorCode, errorCatalogue, limits } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { type Application, address, applicationFor, applicationOf } from './applications.ts'
import { open, openAndFollow } from './calling.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accountNumber: string
/** Personal values in every application of this file. No response may repeat one. */
const canary = {
  taxIdNumber: '487651234',
  birthDate: '1971-07-17',
  idNumber: 'CANARY77X',
  lastName: 'Canaryface',
}
before(async () => {
  service = await startRunningService()
  accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(() => service?.stop())

function withCanary(changes: object = {}, owner: object = {}): Application {
  return applicationOf(
    {
      taxIdNumber: canary.taxIdNumber,
      birthDate: canary.birthDate,
      lastName: canary.lastName,
      governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: canary.idNumber } },
      ...owner,
    },
    changes,
  )
}
function apply(changes: object = {}, owner: object = {}) {
  return service.post('new-account', withCanary(changes, owner))
}
function update(change: object) {
  return service.post('update-account', { accountNumber, ...change })
}
function get(headers: Record<string, string>, body = '{"accountNumber":"ZZZZZZZZ"}') {
  return service.send('/account-api/v1/get-account', {
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

async function upload(content: Buffer, name = 'bill.pdf') {
  const form = new FormData()
  form.set('documentTypeName', 'Identity Documents')
  form.set('reference', 'UTIL')
  form.set('accountNumber', accountNumber)
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const headers = { authorization: `Bearer ${await service.token('alpha')}` }
  return service.send('/account-api/v1/add-document', { headers, body: form })
}

/** How each code is provoked. A code that HTTP cannot provoke here names the file of its test. */
const provoked: Record<
  ErrorCode,
  { field: string; by: () => Promise<RawAnswer> } | { elsewhere: string; says: RegExp }
> = {
  'ERR.1000': { field: 'primaryOwner.firstName', by: () => apply({}, { firstName: '' }) },
  'ERR.1001': { field: 'entityNumber', by: () => apply({ entityNumber: '30' }) },
  'ERR.1002': { field: 'main.repCode', by: () => apply({ main: { repCode: 'ZZ99' } }) },
  'ERR.1003': { field: 'main.repCode', by: () => apply({ main: { repCode: 'BB01' } }) },
  'ERR.1004': { elsewhere: 'server/src/firm-rules/update-hours.test.ts', says: /ERR\.1004/ },
  'ERR.1005': {
    field: 'mailingAddress.city',
    by: () => apply({ mailingAddress: { ...address, city: 'C1ty' } }),
  },
  'ERR.1006': {
    field: 'mailingAddress.country',
    by: () => apply({ mailingAddress: { ...address, country: 'XX' } }),
  },
  'ERR.1007': {
    field: 'mailingAddress.postalCode',
    by: () => apply({ mailingAddress: { ...address, postalCode: '0730' } }),
  },
  'ERR.1008': {
    field: 'mailingAddress.stateProvince',
    by: () => apply({ mailingAddress: { ...address, stateProvince: 'ZZ' } }),
  },
  'ERR.1009': { field: 'primaryOwner.email', by: () => apply({}, { email: 'a@b@c' }) },
  'ERR.1010': {
    field: 'mailingAddress.city',
    by: () => apply({ mailingAddress: { ...address, city: 'X'.repeat(41) } }),
  },
  'ERR.1011': { field: 'primaryOwner.phoneNumberCell', by: () => apply({}, { phoneNumberCell: '12' }) },
  'ERR.1012': { field: 'primaryOwner.birthDate', by: () => apply({}, { birthDate: '1899-12-31' }) },
  'ERR.1013': { field: 'primaryOwner.phoneRegionCell', by: () => apply({}, { phoneRegionCell: '999' }) },
  'ERR.1014': { field: 'accountNumber', by: () => apply({ accountNumber }) },
  'ERR.1015': { field: 'registrationType', by: () => apply({ registrationType: 'Joined' }) },
  'ERR.1016': { field: 'primaryOwner.jobTitle', by: () => apply({}, { jobTitle: 'clerk\u0000' }) },
  'ERR.1017': { field: 'primaryOwner.phoneNumberCell', by: () => apply({}, { phoneNumberCell: undefined }) },
  'ERR.1020': {
    field: 'primaryOwner.phoneNumberCell',
    by: () => update({ primaryOwner: { phoneNumberCell: '' } }),
  },
  'ERR.1021': {
    field: 'primaryOwner.taxIdNumber',
    by: () => update({ primaryOwner: { taxIdNumber: canary.taxIdNumber } }),
  },
  'ERR.1022': { field: 'file', by: () => upload(Buffer.alloc(limits.uploadSizeBytesMax + 1, 'x')) },
  'ERR.1023': { field: 'file', by: () => upload(samplePdf(), 'bill.png') },
  'ERR.1024': {
    field: 'dateFrom',
    by: () => service.post('trade-activity', { accountNumber, dateFrom: '2026-02-30', dateTo: '2026-03-01' }),
  },
  'ERR.1025': {
    field: 'dateFrom',
    by: () =>
      service.post('get-document-details', { accountNumber, dateFrom: '2026-03-02', dateTo: '2026-03-01' }),
  },
  'ERR.2001': { field: 'primaryOwner.nickname', by: () => apply({}, { nickname: canary.lastName }) },
  'ERR.2002': {
    field: 'primaryOwner.taxIdNumber',
    by: () => apply({}, { taxIdNumber: Number(canary.taxIdNumber) }),
  },
  'ERR.2003': {
    field: 'accountNumber',
    by: () => service.post('get-account', { accountNumber: 'ZZZZZZZZ' }),
  },
  'ERR.2004': {
    field: '',
    by: () => service.post('new-account', `{"primaryOwner":{"taxIdNumber":"${canary.taxIdNumber}",}`),
  },
  'ERR.2005': { field: '', by: () => service.post('get-account', '{}', { 'content-type': 'text/plain' }) },
  'ERR.2006': {
    field: '',
    by: () => service.send('/account-api/v1/get-account', { method: 'PUT', body: '{}' }),
  },
  'ERR.2007': {
    field: '',
    by: () => service.post('get-account', { accountNumber }, { 'x-sandbox-fault': '429' }),
  },
  'ERR.2008': {
    field: '',
    by: async () => {
      const key = { 'idempotency-key': 'used' }
      await service.post('new-account', applicationFor('Individual'), key)
      return service.post('new-account', withCanary(), key)
    },
  },
  'ERR.2009': { elsewhere: 'server/src/http/once/idempotency.test.ts', says: /ERR\.2009/ },
  'ERR.2010': {
    field: 'expectedVersion',
    by: () => update({ expectedVersion: 77, primaryOwner: { jobTitle: 'x' } }),
  },
  'ERR.2011': {
    field: 'accountNumber',
    by: async () => {
      const pending = await open(service.alpha, applicationOf({ lastName: 'SLOW30' }))
      return service.post('update-account', {
        accountNumber: pending.accountNumber,
        primaryOwner: { jobTitle: 'x' },
      })
    },
  },
  'ERR.2012': {
    field: 'primaryOwner.taxIdNumber',
    by: async () => {
      const { data } = await service.operations.operations.listFirms({})
      const firmId = data.firms.find(({ name }) => name === 'Alpha Securities')?.firmId ?? ''
      const setPolicy = (duplicateApplications: string) =>
        service.operations.operations.updateFirm({ firmId, settings: { duplicateApplications } })
      await setPolicy('Refuse')
      await apply()
      const second = await apply({ main: { repCode: 'JC02' } })
      await setPolicy('Flag')
      return second
    },
  },
  'ERR.2013': { field: '', by: () => service.send('/account-api/v1/no-such-thing', { body: '{}' }) },
  'ERR.2014': {
    field: '',
    by: () => service.post('get-account', { accountNumber }, { accept: 'text/html' }),
  },
  'ERR.2015': { field: '', by: () => service.post('get-account', ' '.repeat(limits.bodySizeBytesMax + 1)) },
  'ERR.2016': { elsewhere: 'test/acceptance/closing-days.test.ts', says: /ERR\.2016/ },
  'ERR.2017': { elsewhere: 'test/acceptance/closing-days.test.ts', says: /ERR\.2017/ },
  'ERR.2018': { elsewhere: 'test/acceptance/conflicts.test.ts', says: /ERR\.2018/ },
  'ERR.2027': { field: '', by: () => service.send('/sandboxes/mzxw6ytboi2dgnbvgy3t', {}) },
  'ERR.2028': { elsewhere: 'test/acceptance/isolated-sandboxes.test.ts', says: /ERR\.2028/ },
  'ERR.2029': { elsewhere: 'test/acceptance/trust.test.ts', says: /ERR\.2029/ },
  'ERR.2030': { elsewhere: 'test/acceptance/bound-tokens.test.ts', says: /ERR\.2030/ },
  'ERR.2031': { elsewhere: 'test/acceptance/bound-tokens.test.ts', says: /ERR\.2031/ },
  'ERR.2046': { elsewhere: 'test/acceptance/oversight.test.ts', says: /ERR\.2046/ },
  'ERR.2047': { elsewhere: 'test/acceptance/setting-entitlements.test.ts', says: /ERR\.2047/ },
  'ERR.2048': { elsewhere: 'test/acceptance/setting-entitlements.test.ts', says: /ERR\.2048/ },
  'ERR.2049': { elsewhere: 'test/acceptance/corporate-actions.test.ts', says: /ERR\.2049/ },
  'ERR.2050': { elsewhere: 'test/acceptance/loading-corporate-actions.test.ts', says: /ERR\.2050/ },
  'ERR.2051': { elsewhere: 'test/acceptance/temporary-holds.test.ts', says: /ERR\.2051/ },
  'ERR.2053': { elsewhere: 'test/acceptance/correcting-identities.test.ts', says: /ERR\.2053/ },
  'ERR.2054': { elsewhere: 'test/acceptance/correcting-identities.test.ts', says: /ERR\.2054/ },
  'ERR.3001': { field: '', by: () => get({}) },
  'ERR.3002': { field: '', by: () => get({ authorization: 'Bearer aaaa.bbbb.cccc' }) },
  'ERR.3003': { elsewhere: 'server/src/http/admission/admission.test.ts', says: /ERR\.3003/ },
  'ERR.3004': {
    field: '',
    by: async () =>
      get({ authorization: `Bearer ${await service.token('alpha', undefined, 'positions:read')}` }),
  },
  // A step of an account creation fails in its job. The code is in errorResponses of a 200 response.
  'ERR.4000': { elsewhere: 'test/acceptance/sandbox.test.ts', says: /000000009 fails[\s\S]*ERR\.4000/ },
  'ERR.5000': {
    field: '',
    by: () => service.post('get-account', { accountNumber }, { 'x-sandbox-fault': '500' }),
  },
  'ERR.5003': {
    field: '',
    by: () => service.post('get-account', { accountNumber }, { 'x-sandbox-fault': '503' }),
  },
}

const root = new URL('../../', import.meta.url)

describe('the catalogue', () => {
  for (const { code, name, status } of errorCatalogue) {
    const how = provoked[code]
    if ('elsewhere' in how) {
      test(`${code} ${name} is provoked in ${how.elsewhere}`, () => {
        const file = new URL(how.elsewhere, root)
        assert.ok(existsSync(file))
        assert.match(readFileSync(file, 'utf8'), how.says)
      })
      continue
    }
    test(`${code} ${name} is returned with ${status}`, async () => {
      const answer = await how.by()
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json.statusCode, status)
      assert.equal(answer.json.hasErrors, true)
      assert.equal('data' in answer.json, false)
      assert.match(answer.json.traceId, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      const found = answer.json.errors.filter((error: { code: string }) => error.code === code)
      assert.deepEqual(
        found.map(({ field }: { field: string }) => field),
        [how.field],
        answer.text,
      )
      for (const { reason } of found) assert.match(reason, /^\w.{8,}[.?]$/s)
      for (const value of Object.values(canary)) {
        assert.ok(
          !answer.text.toLowerCase().includes(value.toLowerCase()),
          `${value} is repeated: ${answer.text}`,
        )
      }
      if (status === 503 || status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      if (status === 405) assert.equal(answer.headers.get('allow'), 'POST')
      if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
    })
  }

  test('is the one that code-lists serves', async () => {
    const { data } = await service.alpha.codeLists({})
    assert.deepEqual(
      data.errors.map(({ code, name, status }) => [code, name, status]),
      errorCatalogue.map(({ code, name, status }) => [code, name, status]),
    )
  })
})

test('the status of several errors is that of the first by precedence: errors of names before errors of spelling', async () => {
  const answer = await apply({ entityNumber: '302', mailingAddress: { ...address, city: 'C1ty' } })
  assert.equal(answer.status, 403)
  const codes = answer.json.errors.map(({ code }: { code: string }) => code).sort()
  assert.deepEqual(codes, ['ERR.1003', 'ERR.1005'])
})

test('no line of the log has repeated a personal value either', () => {
  const log = service.log().toLowerCase()
  for (const value of Object.values(canary)) assert.ok(!log.includes(value.toLowerCase()), value)
})
