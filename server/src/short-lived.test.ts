import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShortLived } from './short-lived.ts'

const lifeMs = 60_000

test('texts beyond the limit are not cached, and displace none', () => {
  const cache = new ShortLived<string>({ lifeMs, lengthMax: 10, textLengthMax: 6 })
  cache.set('first', 'a', 5)
  cache.set('second', 'b', 5)
  cache.set('third', 'c', 1)
  assert.deepEqual(
    ['first', 'second', 'third'].map((key) => cache.get(key)),
    ['a', 'b', undefined],
  )
})

test('a text longer than the limit of one text is not cached, and its key has no value any more', () => {
  const cache = new ShortLived<string>({ lifeMs, lengthMax: 10, textLengthMax: 6 })
  cache.set('key', 'short', 6)
  cache.set('key', 'long', 7)
  assert.equal(cache.get('key'), undefined)
  cache.set('first', 'a', 5)
  cache.set('second', 'b', 5)
  assert.deepEqual([cache.get('first'), cache.get('second')], ['a', 'b'])
})

test('a value that is replaced many times takes the room of one', () => {
  const cache = new ShortLived<number>({ lifeMs, lengthMax: 10, textLengthMax: 6 })
  for (let turn = 0; turn < 100; turn++) cache.set('key', turn, 5)
  cache.set('other', -1, 5)
  assert.deepEqual([cache.get('key'), cache.get('other')], [99, -1])
})

test('a value lives for half of the time at least, and for all of it at most, and its room is free again', ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const cache = new ShortLived<string>({ lifeMs, lengthMax: 10, textLengthMax: 10 })
  cache.set('first', 'a', 5)
  mock.timers.tick(lifeMs / 2 - 1)
  cache.set('second', 'b', 5)
  mock.timers.tick(1)
  mock.timers.tick(lifeMs / 2 - 1)
  assert.deepEqual([cache.get('first'), cache.get('second')], ['a', 'b'])
  cache.set('third', 'refused', 1)
  assert.equal(cache.get('third'), undefined)
  mock.timers.tick(1)
  assert.deepEqual([cache.get('first'), cache.get('second')], [undefined, undefined])
  cache.set('third', 'taken', 10)
  assert.equal(cache.get('third'), 'taken')
})
