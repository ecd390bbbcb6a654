/**
 * The samples in three languages. Each is valid in its language and contains the request of the operation's example.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { OperationDefinition } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { renderCodeSamples } from './code-samples.ts'

const all = Object.entries(operations) as [string, OperationDefinition][]
/** Tokens of Python that differ from JSON. JSON has no comma before a closing bracket. */
const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', ',': '' }
function sample(name: string, operation: OperationDefinition, lang: string): string {
  return (
    renderCodeSamples(name, operation, 'https://clearing.example').find((each) => each.lang === lang)
      ?.source ?? ''
  )
}

test('the shell passes the request of the example to curl as the body', () => {
  const withJson = all.filter(([, operation]) => operation.body === 'json')
  // curl is replaced by a command that prints the word after -d and a NUL.
  const curl = 'curl() { while [ "$1" != -d ]; do shift; done; printf \'%s\\0\' "$2"; }'
  const commands = withJson.map(([name, operation]) => sample(name, operation, 'Shell'))
  const script = [curl, ...commands].join('\n')
  const sent = execFileSync('/bin/sh', ['-c', script], { env: { TOKEN: 'token' } })
    .toString()
    .split('\0')
  for (const [at, [name, operation]] of withJson.entries()) {
    assert.deepEqual(JSON.parse(sent[at] ?? ''), operation.examples[0].request, name)
  }
})

test('each sample of a load contains the lines unchanged', () => {
  for (const [name, operation] of all) {
    if (operation.body !== 'lines') continue
    const [{ lines = '' }] = operation.examples
    assert.match(lines, /\n$/, name)
    for (const lang of ['Shell', 'TypeScript', 'Python'])
      assert.ok(sample(name, operation, lang).includes(lines), `${name} in ${lang}`)
  }
})

test('the program in TypeScript passes the request of the example', () => {
  for (const [name, operation] of all) {
    const source = sample(name, operation, 'TypeScript')
    const argument = /await client\.[\w.]+\((.*?)\)(?:\nawait writeFile.*)?$/s.exec(source)?.[1] ?? ''
    if (operation.body !== 'json') continue
    assert.deepEqual(new Function(`return (${argument})`)(), operation.examples[0].request, name)
  }
})

test('the Python literals equal the request of the example', () => {
  for (const [name, operation] of all) {
    const source = sample(name, operation, 'Python')
    const literal = /^ {4}json=(.*?),\n\)/ms.exec(source)?.[1]
    if (literal === undefined) {
      assert.notEqual(operation.body, 'json', name)
      continue
    }
    const asJson = literal.replaceAll(
      /"(?:[^"\\]|\\.)*"|True|False|None|,(?=\s*[}\]])/g,
      (word) => words[word] ?? word,
    )
    assert.deepEqual(JSON.parse(asJson), operation.examples[0].request, name)
  }
})
