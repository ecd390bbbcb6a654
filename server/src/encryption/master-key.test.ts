import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gatherMasterKeys, makeMasterKeyText, masterKeyFromBytes } from './master-key.ts'
import { loadMasterKeys, readMasterKeyFile, SANDBOX_KEY_FILE } from './master-key-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'master-key-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function keyFile(name: string, text: string, mode = 0o400): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

test('a wrapped key opens only under the same master key and aad', async () => {
  const text = makeMasterKeyText()
  const key = masterKeyFromBytes(Buffer.from(text, 'base64'))
  const again = masterKeyFromBytes(Buffer.from(text, 'base64'))
  const other = masterKeyFromBytes(randomBytes(32))
  const dataKey = randomBytes(32)
  const wrapped = await key.wrap(dataKey, 'firm A')
  assert.equal(again.keyId, key.keyId)
  assert.notEqual(other.keyId, key.keyId)
  assert.deepEqual(await again.unwrap(wrapped, 'firm A'), dataKey)
  assert.ok(!wrapped.includes(dataKey))
  await assert.rejects(key.unwrap(wrapped, 'firm B'), /does not open/)
  await assert.rejects(other.unwrap(wrapped, 'firm A'), /does not open/)
  for (let byte = 0; byte < wrapped.length; byte++) {
    const changed = Buffer.from(wrapped)
    changed[byte] = (changed[byte] ?? 0) ^ 1
    await assert.rejects(key.unwrap(changed, 'firm A'))
  }
  for (const length of [0, 1, 13, 28, wrapped.length - 1]) {
    await assert.rejects(key.unwrap(wrapped.subarray(0, length), 'firm A'))
  }
})

test('a fault names the master key id that is not configured', () => {
  const keys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
  assert.throws(() => keys.withId('mk-gone'), /mk-gone/)
})

test('the sandbox makes one key and keeps it, and concurrent starts use the same key', async () => {
  const dataFolder = join(folder, 'sandbox', 'data')
  const starts = await Promise.all(
    Array.from({ length: 8 }, () => loadMasterKeys({ mode: 'sandbox', dataFolder })),
  )
  assert.equal(new Set(starts.map((keys) => keys.current.keyId)).size, 1)
  assert.deepEqual(await readdir(dataFolder), [SANDBOX_KEY_FILE])
  assert.equal((await stat(join(dataFolder, SANDBOX_KEY_FILE))).mode & 0o777, 0o400)
})

test('the sandbox uses a configured key file, so that several processes can share a database', async () => {
  const file = await keyFile('given-to-sandbox', makeMasterKeyText())
  const load = (name: string) =>
    loadMasterKeys({ mode: 'sandbox', dataFolder: join(folder, name), keyFiles: [file] })
  assert.equal((await load('one')).current.keyId, (await load('two')).current.keyId)
})

test('production refuses the key that the sandbox made', async () => {
  const dataFolder = join(folder, 'sandbox-two')
  await loadMasterKeys({ mode: 'sandbox', dataFolder })
  const sandboxFile = join(dataFolder, SANDBOX_KEY_FILE)
  await assert.rejects(loadMasterKeys({ mode: 'production', keyFile: sandboxFile }), /sandbox key/)
  const good = await keyFile('good-beside-sandbox', makeMasterKeyText())
  await assert.rejects(
    loadMasterKeys({ mode: 'production', keyFile: good, olderKeyFiles: [sandboxFile] }),
    /sandbox key/,
  )
})

test('production accepts a key in the form of openssl, also through a link, and keeps older keys', async () => {
  const keyFileNew = await keyFile('new', `${makeMasterKeyText()}\n`)
  const keyFileOld = await keyFile('old', makeMasterKeyText())
  await symlink(keyFileNew, join(folder, 'linked'))
  const keys = await loadMasterKeys({
    mode: 'production',
    keyFile: join(folder, 'linked'),
    olderKeyFiles: [keyFileOld],
  })
  const old = await readMasterKeyFile(keyFileOld, 'production')
  assert.equal(keys.withId(old.keyId).keyId, old.keyId)
  assert.notEqual(keys.current.keyId, old.keyId)
})

test('key files that are missing, readable by others, malformed or not random are refused', async () => {
  const cases: [string, string, number, RegExp][] = [
    ['group-readable', makeMasterKeyText(), 0o440, /mode 440/],
    ['world-readable', makeMasterKeyText(), 0o604, /mode 604/],
    ['group-writable', makeMasterKeyText(), 0o620, /mode 620/],
    ['empty', '', 0o400, /32 random bytes/],
    ['short', randomBytes(16).toString('base64'), 0o400, /32 random bytes/],
    ['long', randomBytes(48).toString('base64'), 0o400, /32 random bytes/],
    ['hex', randomBytes(32).toString('hex'), 0o400, /32 random bytes/],
    ['two-lines', `${makeMasterKeyText()}\n${makeMasterKeyText()}`, 0o400, /32 random bytes/],
    ['large', 'A'.repeat(10_000), 0o400, /too large/],
    ['zeros', Buffer.alloc(32).toString('base64'), 0o400, /not random/],
    [
      'repeated',
      Buffer.from('0123456789abcdef'.repeat(2), 'hex').toString('base64'),
      0o400,
      /32 random bytes/,
    ],
    ['counting', Buffer.from('00010203'.repeat(8), 'hex').toString('base64'), 0o400, /not random/],
    ['phrase', Buffer.from('correct horse battery staple 123').toString('base64'), 0o400, /not random/],
  ]
  for (const [name, text, mode, message] of cases) {
    const path = await keyFile(name, text, mode)
    await assert.rejects(loadMasterKeys({ mode: 'production', keyFile: path }), message, name)
  }
  await assert.rejects(
    loadMasterKeys({ mode: 'production', keyFile: join(folder, 'absent') }),
    /cannot be read/,
  )
  await assert.rejects(loadMasterKeys({ mode: 'production', keyFile: folder }), /regular file|cannot be read/)
})

test('no fault about a key file contains the key', async () => {
  const text = makeMasterKeyText()
  const path = await keyFile('twice', `${text}${text}`)
  const error = await loadMasterKeys({ mode: 'production', keyFile: path }).catch((fault: Error) => fault)
  assert.ok(error instanceof Error)
  assert.ok(!error.message.includes(text))
  assert.ok((await readFile(path, 'utf8')).includes(text))
})
