// The long comparison of our verdict on mutated documents with two readers: more seeds than the ordinary run has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './compare.ts'

const SEEDS = 100_000
/** Those below are of the ordinary run. */
const FROM = 1_000_000

test(`what pdf.js or qpdf see in a mutant, we refuse (${SEEDS * 2} mutants)`, async () => {
  const { missed } = await compare(SEEDS, FROM)
  assert.deepEqual(missed, [])
})
