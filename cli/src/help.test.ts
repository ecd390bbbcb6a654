import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type OperationName, operations } from '@clearing/protocol'
import { audiencesOf } from '@clearing/sdk'
import { helpFile, renderHelpSnapshot } from './help-snapshot.ts'
import { listVerbs } from './verbs.ts'

const verbs = listVerbs()

test('the committed help is current', () => {
  assert.equal(
    readFileSync(helpFile, 'utf8'),
    renderHelpSnapshot(),
    'the help is not current: run node cli/src/write-help.ts',
  )
})

test('every operation is a verb, and the names of verbs and flags are unique', () => {
  const names = verbs.map(({ path }) => path.join(' '))
  for (const name of Object.keys(operations) as OperationName[]) {
    for (const audience of audiencesOf(operations[name])) {
      const verb = audience === 'sandbox' ? `sandbox ${name}` : name
      assert.ok(names.includes(verb), verb)
    }
  }
  assert.equal(new Set(names).size, names.length)
  for (const { path, flags } of verbs) {
    const flagNames = [...flags.map(({ name }) => name), 'json', 'profile', 'help', 'version']
    assert.equal(new Set(flagNames).size, flagNames.length, path.join(' '))
    assert.equal(
      flagNames.some((name) => name.startsWith('no-')),
      false,
      path.join(' '),
    )
  }
})

test('the help states what a field of a request means in one line, and the first values of its code list', () => {
  const newAccount = verbs.find(({ path }) => path.join(' ') === 'new-account')
  const summaryOf = (flag: string) => newAccount?.flags.find(({ name }) => name === flag)?.summary
  assert.equal(
    summaryOf('primary-owner.name-type'),
    'Whether the party is a person or an entity. The default is Individual. Values: Individual, Entity',
  )
  assert.equal(
    summaryOf('primary-owner.affiliation.organization'),
    'Organization of the affiliation.',
    'further sentences that do not fit are left to the reference',
  )
  assert.equal(summaryOf('large-traders'), 'Large trader numbers of the account. As JSON')
})

test('every flag of an operation says what it means', () => {
  const silent = verbs.flatMap(({ path, flags }) =>
    flags.filter(({ summary }) => summary === '').map(({ name }) => `${path.join(' ')} --${name}`),
  )
  assert.deepEqual(silent, [])
})
