/** The networks by which wrong guesses are counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './guesses.ts'

const table: readonly [address: string, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
]
for (const [address, network] of table)
  test(`${address} belongs to the network ${network}`, () => assert.equal(networkOf(address), network))
