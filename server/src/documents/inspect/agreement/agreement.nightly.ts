// Compares the service's verdicts on mutated documents with those of two other readers, with more seeds than
// the ordinary run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './compare.ts'

const SEEDS = 100_000
/** The ordinary run uses the seeds below. */
const FROM = 1_000_000

test(`active content that pdf.js or qpdf find in a mutant is refused (${SEEDS * 2} mutants)`, async () => {
  const { missed } = await compare(SEEDS, FROM)
  assert.deepEqual(missed, [])
})
