/**
 * Protection against stolen secrets and tokens: keys instead of secrets, networks of a credential, tokens bound to a
 * certificate.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, TokenRefused } from '@clearing/sdk'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sampleCertificates } from '../../server/src/identity/binding/sample-certificates.ts'
import { refusalOf } from './calling.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({
    environment: { TRUSTED_PROXIES: '127.0.0.1', CLIENT_CERTIFICATE_HEADER: 'Client-Cert' },
  })
})
after(() => service?.stop())

let made = 0

/** A new firm, with a credential that reads. */
async function makeFirm() {
  const number = ++made
  const { operations } = service.operations
  const entityNumber = String(400 + number)
  const { firmId } = (
    await operations.createFirm({
      name: `Trust ${number}`,
      entityNumbers: [entityNumber],
      repCodes: [`TR${String(number).padStart(2, '0')}`],
    })
  ).data
  const { clientId, clientSecret } = (await operations.createCredential({ firmId, name: 'Reads' })).data
  return { firmId, clientId, clientSecret }
}

function askToken(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret })
  return service.send('/identity/connect/token', { body, headers })
}
function listCodes(authorization: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return service.send('/account-api/v1/code-lists', {
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: '{"name":"scope"}',
  })
}
function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}
async function recorded(firmId: string, action: string) {
  const { rows } = await service.query(
    'select detail from clearing.audit where firm_id = $1 and action = $2 order by sequence',
    [firmId, action],
  )
  return rows.map(({ detail }) => JSON.parse(detail))
}

test('a credential with networks gets tokens and responses only from them, by IPv4 and IPv6, and each other address is in the audit trail once', async () => {
  const firm = await makeFirm()
  const { clientId } = firm
  const token = (await askToken(firm)).json.access_token as string
  const { data } = await service.operations.operations.updateCredential({
    clientId,
    addressRanges: ['203.0.113.0/24', '2001:DB8:12::/48', '198.51.100.7'],
  })
  assert.deepEqual(data.addressRanges, ['203.0.113.0/24', '2001:db8:12::/48', '198.51.100.7/32'])

  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:12:5::1', '198.51.100.7']) {
    assert.equal((await askToken(firm, from(address))).status, 200, address)
    assert.equal((await listCodes(`Bearer ${token}`, from(address))).status, 200, address)
  }
  for (const address of ['203.0.114.9', '2001:db8:13::1', '198.51.100.8', '127.0.0.1', 'unknown']) {
    const refused = await listCodes(`Bearer ${token}`, from(address))
    assert.deepEqual([refused.status, refused.json.errors[0].code], [403, 'ERR.2029'], address)
    const noToken = await askToken(firm, from(address))
    assert.deepEqual([noToken.status, noToken.json.error], [401, 'invalid_client'], address)
    assert.match(noToken.json.error_description, /may not be used from this address/)
  }
  // The test's own address is not among them. The messages of the sdk name the network, not the secret.
  const connection = { baseUrl: service.address, retries: 0 }
  const { clientSecret } = firm
  await assert.rejects(createClient({ ...connection, clientId, clientSecret }).codeLists(), (error) => {
    assert.ok(error instanceof TokenRefused)
    assert.match(error.message, /ask operations to add yours\.$/)
    assert.equal(error.advice, undefined)
    return true
  })
  const elsewhere = await refusalOf(createClient({ ...connection, accessToken: () => token }).codeLists())
  assert.match(elsewhere.message, /Call from a network of the credential, or ask operations to add yours\.$/)

  // A list of addresses that the caller invented. The last is the address that the proxy saw.
  assert.equal((await listCodes(`Bearer ${token}`, from('203.0.113.9, 192.0.2.1'))).status, 403)
  const rows = await recorded(firm.firmId, 'credential-address-refused')
  const addresses = rows.map(({ address }) => address)
  assert.equal(new Set(addresses).size, addresses.length)
  assert.ok(['203.0.114.9', '2001:db8:13::1', '192.0.2.1'].every((each) => addresses.includes(each)))

  // A wrong secret gets the usual response, whatever the address.
  const wrong = await askToken({ clientId, clientSecret: 'wrong' }, from('192.0.2.1'))
  assert.equal(wrong.json.error_description, 'Client authentication failed.')

  await service.operations.operations.updateCredential({ clientId, addressRanges: [] })
  assert.equal((await listCodes(`Bearer ${token}`, from('192.0.2.1'))).status, 200)
})

test('a stream of events ends when its address is no longer allowed', async () => {
  const firm = await makeFirm()
  const token = (await askToken(firm)).json.access_token as string
  const url = `${service.address}/account-api/v1/events`
  const headers = { authorization: `Bearer ${token}`, ...from('192.0.2.1') }
  const stream = await fetch(url, { headers })
  assert.equal(stream.status, 200)
  const { clientId } = firm
  await service.operations.operations.updateCredential({ clientId, addressRanges: ['203.0.113.0/24'] })
  // Resolves when the service ends the stream.
  await stream.text()
  const again = await fetch(url, { headers })
  assert.equal(again.status, 403)
  await again.arrayBuffer()
})

test('networks that are invalid, wider than written, or repeated are refused, and nothing is changed', async () => {
  const { clientId } = await makeFirm()
  const update = (addressRanges: string[]) =>
    refusalOf(service.operations.operations.updateCredential({ clientId, addressRanges }))
  for (const range of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '2001:db8::/129',
    '010.0.0.1',
    'localhost',
    '1.2.3',
    '::ffff:10.0.0.0/104',
    'fe80::1%eth0',
    '10.0.0.0/8/9',
    '10.0.0.0/08',
  ]) {
    const { rejections } = await update(['192.0.2.0/24', range])
    assert.deepEqual(
      rejections.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1016 addressRanges[1]'],
      range,
    )
  }
  const wide = await update(['10.1.2.3/8'])
  assert.match(wide.rejections[0]?.reason ?? '', /Bits after the prefix are set: 10\.0\.0\.0\/8 has none/)
  const twice = await update(['2001:db8::/32', '2001:0db8:0::/32'])
  assert.equal(twice.rejections[0]?.code, 'ERR.1014')
  const unknown = await refusalOf(
    service.operations.operations.updateCredential({ clientId: 'nobody', addressRanges: [] }),
  )
  assert.equal(unknown.rejections[0]?.code, 'ERR.2013')
  const { firms } = (await service.operations.operations.listFirms({})).data
  const credential = firms.flatMap((each) => each.credentials).find((each) => each.clientId === clientId)
  assert.deepEqual(credential?.addressRanges, [])
})

test('a firm that accepts only keys refuses right secrets and their tokens, and accepts signed requests', async () => {
  const firm = await makeFirm()
  const { firmId, clientId } = firm
  const token = (await askToken(firm)).json.access_token as string
  const { operations } = service.operations
  await operations.updateFirm({ firmId, settings: { keysOnly: true } })
  const refused = await askToken(firm)
  assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_client'])
  assert.match(refused.json.error_description, /private_key_jwt/)
  const wrong = await askToken({ clientId, clientSecret: 'wrong' })
  assert.equal(wrong.json.error_description, 'Client authentication failed.')
  assert.equal((await listCodes(`Bearer ${token}`)).json.errors[0].code, 'ERR.3002')
  const rotated = (await operations.rotateCredential({ clientId })).data
  assert.equal((await askToken(rotated)).status, 401)

  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(publicKey)
  await operations.replaceClientKeys({ clientId, keys: [{ kid: 'first', kty, crv, x, y }] })
  const { issuer } = (await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })).json
  const assertion = await new SignJWT({ jti: 'once' })
    .setProtectedHeader({ alg: 'ES256', kid: 'first' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(privateKey)
  const signed = await service.send('/identity/connect/token', {
    body: new URLSearchParams({
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
  })
  assert.equal(signed.status, 200, signed.text)
  assert.equal((await listCodes(`Bearer ${signed.json.access_token}`)).status, 200)

  await operations.replaceClientKeys({ clientId, keys: [] })
  assert.equal((await listCodes(`Bearer ${signed.json.access_token}`)).status, 401)
  await operations.updateFirm({ firmId, settings: { keysOnly: false } })
  assert.equal((await askToken(firm)).status, 200)
})

test('a credential with bound tokens gets one bound to the certificate of its connection, which works only with that certificate', async () => {
  const firm = await makeFirm()
  const { clientId } = firm
  const [own, other] = sampleCertificates
  const by = (certificate: string) => ({ ...from('192.0.2.1'), 'client-cert': certificate })
  const unbound = await askToken(firm, by(own))
  assert.equal((await listCodes(`Bearer ${unbound.json.access_token}`, from('192.0.2.1'))).status, 200)
  await service.operations.operations.updateCredential({ clientId, boundTokens: true })

  const granted = await askToken(firm, by(own))
  assert.deepEqual([granted.status, granted.json.token_type], [200, 'Bearer'])
  const token = `Bearer ${granted.json.access_token}`
  assert.equal((await listCodes(token, by(own))).status, 200)
  const codeOf = async (headers: Record<string, string>, authorization = token) => {
    const { status, json, headers: answered } = await listCodes(authorization, headers)
    const [, scheme, error] = /^(\w+) .*error="(\w+)"/.exec(answered.get('www-authenticate') ?? '') ?? []
    return `${status} ${json.errors[0]?.code} ${scheme} ${error}`
  }
  assert.equal(await codeOf(by(other)), '401 ERR.2031 Bearer invalid_token')
  assert.equal(await codeOf(from('192.0.2.1')), '401 ERR.2030 Bearer invalid_token')
  assert.equal(await codeOf(by(`${own}, ${own}`)), '401 ERR.2030 Bearer invalid_token')
  assert.equal(await codeOf(by('%%%')), '401 ERR.2030 Bearer invalid_token')
  assert.equal(await codeOf({ ...by(own), dpop: 'x' }), '401 ERR.2031 DPoP invalid_dpop_proof')
  // A peer that is no trusted proxy: it forwards no address.
  assert.equal(await codeOf({ 'client-cert': own }), '401 ERR.2030 Bearer invalid_token')
  assert.equal(
    await codeOf(by(own), `Bearer ${unbound.json.access_token}`),
    '401 ERR.3002 Bearer invalid_token',
  )
  assert.equal((await askToken(firm, from('192.0.2.1'))).json.error, 'invalid_dpop_proof')
  const pem = encodeURIComponent(
    `-----BEGIN CERTIFICATE-----\n${own.replaceAll(':', '').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  )
  assert.equal((await listCodes(token, by(pem))).status, 200)
  const metadata = await service.send('/.well-known/oauth-authorization-server', { method: 'GET' })
  assert.equal(metadata.json.tls_client_certificate_bound_access_tokens, true)
})
