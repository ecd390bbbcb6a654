/** Published worked examples of options that end, short sales, corporate actions, and exchanges with cash. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../../decimal.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { foldAccount } from '../fold.ts'
import type { OutcomeExample } from './outcome-examples.ts'

const examples: readonly OutcomeExample[] = JSON.parse(
  readFileSync(new URL('outcomes.json', import.meta.url), 'utf8'),
)

function securityOf({ option }: OutcomeExample) {
  if (option === undefined) return exampleSecurity('OLD')
  const terms = { putCall: option.putCall, strike: decimal(option.strike) }
  return exampleSecurity('OLD', { multiplier: '100', option: terms })
}

describe('published outcomes', () => {
  for (const example of examples) {
    test(`${example.id}: ${example.about}`, () => {
      const feed = exampleFeed(securityOf(example))
      const lines = example.lines.map(({ transType, of, to, ...fields }) =>
        feed.line(transType, {
          ...fields,
          ...(of && { security: exampleSecurity(of) }),
          ...(to && { toSecurity: exampleSecurity(to) }),
        }),
      )
      const fold = foldAccount(lines)
      assert.deepEqual(fold.breaks, [])
      const gains = fold.closings.filter(({ gain }) => gain !== 0n)
      assert.deepEqual(
        gains.map(({ term, gain }) => [term, renderDecimal(gain)]),
        example.expected.gains,
      )
      for (const [key, expected] of Object.entries(example.expected.lots)) {
        const lots = fold.holdings.get(key)?.lots.flat() ?? []
        assert.deepEqual(
          lots.map(({ quantity, cost }) => [renderDecimal(quantity), renderDecimal(cost)]),
          expected,
        )
      }
    })
  }
})
