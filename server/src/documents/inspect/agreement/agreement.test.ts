import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectFile } from '../inspect-file.ts'
import { readAgain } from '../second-reader.ts'
import { compare } from './compare.ts'
import { mutate } from './mutate.ts'
import { harmless, hostile } from './payloads.ts'

/** Two mutants for each seed. `PDF_SEEDS=50000` takes minutes. */
const seeds = Number(process.env.PDF_SEEDS ?? 1_500)

test('both readers refuse every hostile document, and accept every harmless one', async () => {
  for (const payload of hostile) {
    const { bytes } = mutate(payload, 0)
    assert.equal(inspectFile(bytes, 'a.pdf').outcome, 'rejected', payload.label)
    assert.match((await readAgain(bytes)) ?? 'accepted', /active content/, payload.label)
  }
  for (const payload of harmless) {
    const { bytes } = mutate(payload, 0)
    assert.equal(inspectFile(bytes, 'a.pdf').outcome, 'accepted', payload.label)
    assert.equal(await readAgain(bytes), undefined, payload.label)
  }
})

test(`active content that pdf.js or qpdf finds in a mutant is refused (${seeds * 2} mutants)`, async () => {
  const { mutants, accepted, alive, missed } = await compare(seeds)
  assert.deepEqual(missed, [])
  assert.equal(mutants, seeds * 2)
  // The mutants are useful only if many hostile ones still work and many harmless ones are accepted.
  assert.ok(alive.seen > alive.of / 2, `${alive.seen} of ${alive.of} are still hostile`)
  assert.ok(accepted.harmless > seeds / 5, `${accepted.harmless} of ${seeds} harmless ones pass`)
})
