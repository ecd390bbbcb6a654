import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { RecentMap } from './recent-map.ts'

it('a recent map never exceeds its size, always returns the last value that was set, and always holds the most recently used key', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.option(fc.nat())), { maxLength: 300 }), (steps) => {
      const map = new RecentMap<number, number>(10)
      const model = new Map<number, number>()
      for (const [key, value] of steps) {
        if (value !== null) {
          map.set(key, value)
          model.set(key, value)
          assert.equal(map.get(key), value)
        }
        const found = map.get(key)
        if (found !== undefined) assert.equal(found, model.get(key))
        assert.ok(map.size <= 10)
      }
    }),
  )
})
