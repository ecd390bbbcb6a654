/**
 * Authlib, the OAuth client of many Python programs, obtains tokens in the three ways that the service offers, and the
 * tokens work.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fetchFromPip, runTool } from './fetched-tools.ts'
import { type RunningService, startRunningService } from './running-service.ts'

const program = `
import json
import sys
import time
import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc.jwk import ECKey

address, key = sys.argv[1], ECKey.import_key(json.loads(sys.argv[2]))
metadata = requests.get(address + "/.well-known/oauth-authorization-server").json()
endpoint = address + "/identity/connect/token"
called = {}

def call(name, session, **more):
    token = session.fetch_token(endpoint, grant_type="client_credentials", **more)
    answer = session.post(address + "/account-api/v1/list-accounts", json={})
    called[name] = [token["token_type"].lower(), token["expires_in"], answer.status_code]

for method in ("client_secret_basic", "client_secret_post"):
    assert method in metadata["token_endpoint_auth_methods_supported"]
    call(method, OAuth2Session("alpha", "alpha-sandbox-secret", token_endpoint_auth_method=method), scope="accounts:read")

signing = OAuth2Session("signing", key, token_endpoint_auth_method="private_key_jwt")
claims = {"exp": int(time.time()) + 60}
signing.register_client_auth_method(PrivateKeyJWT(metadata["issuer"], claims, {"kid": "first"}, "ES256"))
call("private_key_jwt", signing)

try:
    OAuth2Session("alpha", "wrong").fetch_token(endpoint, grant_type="client_credentials")
except OAuthError as error:
    called["wrong"] = error.error
print(json.dumps(called))
`

let service: RunningService
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authlib-'))
  service = await startRunningService()
})
after(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A credential of the firm Alpha that signs its requests, and its private key as a JWK. */
async function makeSigningCredential() {
  const { operations } = service.operations
  const { data } = await operations.listFirms({})
  const firmId = data.firms.find(({ entityNumbers }) => entityNumbers.includes('301'))?.firmId ?? ''
  await operations.createCredential({ firmId, clientId: 'signing', name: 'Signing' })
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  await operations.replaceClientKeys({ clientId: 'signing', keys: [{ kid: 'first', kty, crv, x, y }] })
  return crypto.subtle.exportKey('jwk', pair.privateKey)
}

test('authlib obtains a token with a secret in both ways and with a signed request, and calls with it', async (t) => {
  if (!(await fetchFromPip(folder, 'authlib==1.8.0', 'requests==2.34.2')))
    return t.skip('authlib cannot be installed here')
  await writeFile(join(folder, 'program.py'), program)
  const { d, kty, crv, x, y } = await makeSigningCredential()
  const words = ['program.py', service.address, JSON.stringify({ d, kty, crv, x, y })]
  const printed = await runTool('python3', words, folder, { ...process.env, PYTHONPATH: folder })
  const works = ['bearer', 36_000, 200]
  assert.deepEqual(JSON.parse(printed), {
    client_secret_basic: works,
    client_secret_post: works,
    private_key_jwt: works,
    wrong: 'invalid_client',
  })
})
