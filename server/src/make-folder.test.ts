/** A folder is made with its parents, or the reason is reported. */
import assert from 'node:assert/strict'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeTestFolder } from './database/test-folder.ts'
import { makeFolder } from './make-folder.ts'

let root: string
before(async () => {
  root = await makeTestFolder('make-folder-')
})
after(() => rm(root, { recursive: true, force: true }))

test('missing parents are made, and the uppermost is returned; concurrent calls agree', async () => {
  const folder = join(root, 'a/b/c')
  assert.equal(await makeFolder(folder, 0o700), join(root, 'a'))
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal(await makeFolder(folder), undefined)
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(join(root, 'd/e/f'))))
  assert.ok((await stat(join(root, 'd/e/f'))).isDirectory())
})

test('a file in the place of the folder or of a parent is an error', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')
  await assert.rejects(makeFolder(file), { code: 'EEXIST' })
  await assert.rejects(makeFolder(join(file, 'x')), { code: 'ENOTDIR' })
})

test('a folder that cannot be made below /proc is an error', {
  skip: process.platform !== 'linux',
}, async () => {
  for (const folder of ['/proc/none', '/proc/self/none/below'])
    await assert.rejects(makeFolder(folder), { code: 'ENOENT' })
})
