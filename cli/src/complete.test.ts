import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { complete } from './complete.ts'
import { listVerbs } from './verbs.ts'

const verbs = listVerbs()
function valuesOf(...words: string[]) {
  return complete(verbs, words, ['alpha', 'beta']).map(({ value }) => value)
}

test('verbs, their second words and their flags are suggested', () => {
  assert.deepEqual(valuesOf('verify', ''), ['books', 'audit'])
  assert.deepEqual(valuesOf('get-acc'), ['get-account'])
  assert.ok(valuesOf('').includes('sandbox') && valuesOf('').includes('profile'))
  assert.deepEqual(valuesOf('get-account', '30100001', '--ent'), ['--entity-number'])
  assert.deepEqual(valuesOf('account-number', '--registration-type', 'Joint').slice(0, 2), [
    'JointWROS',
    'JointTIC',
  ])
})

test('profiles are suggested after the flag for a profile, and flags with values do not count as words', () => {
  assert.deepEqual(valuesOf('--profile', 'b'), ['beta'])
  assert.deepEqual(valuesOf('get-account', '-p', ''), ['alpha', 'beta'])
  assert.deepEqual(valuesOf('--profile', 'beta', 'verify', 'b'), ['books'])
  assert.deepEqual(valuesOf('new-account', '--file', ''), [])
})

test('the version is suggested without a verb only', () => {
  assert.deepEqual(valuesOf('--v'), ['--version'])
  assert.deepEqual(valuesOf('verify', 'books', '--v'), [])
  assert.deepEqual(valuesOf('verify', 'books', '--h'), ['--help'])
})

test('bash completes words with the script', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearing-complete-'))
  try {
    symlinkSync(fileURLToPath(new URL('./main.ts', import.meta.url)), join(folder, 'clearing'))
    const script = `
      source <(clearing completion bash)
      COMP_WORDS=(clearing verify a); COMP_CWORD=2; _clearing; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(clearing get-account x --entity); COMP_CWORD=3; _clearing; echo "\${COMPREPLY[@]}"`
    const PATH = `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`
    const answer = execFileSync('bash', ['-c', script], {
      env: { PATH, HOME: folder },
      encoding: 'utf8',
      timeout: 20_000,
    })
    assert.equal(answer, 'audit\n--entity-number\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
