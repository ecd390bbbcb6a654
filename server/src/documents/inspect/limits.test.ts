import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@clearing/protocol'
import { PAGES_MAX, PIXELS_MAX } from './limits.ts'

// The inspection process may read no other package, so it has its own copy of the limits.
test('the limits of the inspection equal the limits of the contract', () => {
  assert.equal(PAGES_MAX, limits.documentPagesMax)
  assert.equal(PIXELS_MAX, limits.imagePixelsMax)
})
