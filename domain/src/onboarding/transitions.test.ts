import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLists } from '@clearing/protocol'
import { renderTransitions, transitions } from './transitions.ts'

test('the table has no two rows for one step, and uses every state of the code list', () => {
  const rows = transitions.map(({ from, event, to }) => `${from} ${event} ${to}`)
  assert.equal(new Set(rows).size, rows.length)
  const states = new Set(transitions.flatMap(({ from, to }) => [from, to]))
  assert.deepEqual([...states].toSorted(), codeLists.onboardingState.map(({ value }) => value).toSorted())
})

test('an event of a state has the same actors, whichever state it leads to', () => {
  const actors = new Map(transitions.map(({ from, event, by }) => [`${from} ${event}`, by]))
  for (const { from, event, by } of transitions) assert.deepEqual(by, actors.get(`${from} ${event}`))
})

test('the diagram shows every row of the table', () => {
  const diagram = renderTransitions()
  assert.match(diagram, /^stateDiagram-v2\n {2}\[\*\] --> Submitted\n/)
  for (const { from, to, event } of transitions) {
    const arrow = diagram.split('\n').find((line) => line.startsWith(`  ${from} --> ${to}:`))
    assert.ok(arrow?.includes(event), `${from} ${event} ${to}`)
  }
  assert.match(diagram, /CreationFailed --> \[\*\]/)
})
