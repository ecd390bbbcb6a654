/** Some work runs at a time; the rest waits in the order in which it came, for a limited time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PartUnavailable } from './part-unavailable.ts'
import { Turns } from './turns.ts'

test('a load waits until another ends, whatever its outcome', async () => {
  const turns = new Turns({ work: 'loads', runningMax: 2, waitMs: 60_000 })
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string) => {
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return turns.run(() => {
      begun.push(name)
      return end.promise
    })
  }
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(start) as Promise<string>[]
  assert.deepEqual(begun, ['a', 'b'])
  ends.get('b')?.reject(new Error('cut off'))
  await assert.rejects(b as Promise<string>, /cut off/)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  ends.get('a')?.resolve('loaded')
  assert.equal(await a, 'loaded')
  assert.deepEqual(begun, ['a', 'b', 'c', 'd'])
  ends.get('c')?.resolve('loaded')
  ends.get('d')?.resolve('loaded')
  await Promise.all([c, d])
  const again = start('e')
  assert.equal(begun.at(-1), 'e')
  ends.get('e')?.resolve('loaded')
  await again
})

test('a load whose turn does not come is refused before it begins, and takes no later turn', async () => {
  const turns = new Turns({ work: 'loads', runningMax: 1, waitMs: 20 })
  const end = Promise.withResolvers<void>()
  const first = turns.run(() => end.promise)
  let begun = 0
  const load = async () => {
    begun += 1
  }
  await assert.rejects(turns.run(load), PartUnavailable)
  end.resolve()
  await first
  assert.equal(begun, 0)
  await turns.run(load)
  assert.equal(begun, 1)
})

test('the work of one firm leaves turns to other firms', async () => {
  const turns = new Turns({ work: 'downloads', runningMax: 3, runningOfFirmMax: 2, waitMs: 60_000 })
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const start = (firm: string, until: Promise<void>) =>
    turns.run(() => {
      begun.push(firm)
      return until
    }, firm)
  const first = Promise.withResolvers<void>()
  const all = [
    start('A', first.promise),
    ...['A', 'A', 'B', 'B', 'C'].map((firm) => start(firm, end.promise)),
  ]
  assert.deepEqual(begun, ['A', 'A', 'B'])
  first.resolve()
  await all[0]
  assert.deepEqual(begun, ['A', 'A', 'B', 'A'])
  end.resolve()
  await Promise.all(all)
  assert.deepEqual(begun, ['A', 'A', 'B', 'A', 'B', 'C'])
})

test('work that waits cuts off as many slow holders of turns as it needs, and no others', async () => {
  const turns = new Turns({ work: 'loads', runningMax: 3, waitMs: 60_000 })
  const cut: string[] = []
  const hold = (name: string, isSlow: boolean) => {
    const end = Promise.withResolvers<void>()
    const cutOff = () => {
      cut.push(name)
      end.reject(new Error('cut off'))
    }
    const held = turns.run(() => end.promise, '', { isSlow: () => isSlow, cutOff })
    held.catch(() => {})
    return { held, end }
  }
  const [brisk, ...slow] = [hold('brisk', false), hold('first', true), hold('second', true)]
  assert.deepEqual(cut, [])
  await turns.run(async () => {})
  assert.deepEqual(cut, ['first'])
  for (const { end } of [brisk, ...slow]) end?.resolve()
  await Promise.allSettled([brisk, ...slow].map((one) => one?.held))
  assert.deepEqual(cut, ['first'])
})
