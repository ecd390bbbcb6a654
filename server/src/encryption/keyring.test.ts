import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { blindIndex } from './blind-index.ts'
import type { FirmKey } from './firm-key.ts'
import { makeFirstFirmKeys, makeNextDataKey, rewrapFirmKey, unwrapFirmKey } from './firm-key.ts'
import { createKeyring } from './keyring.ts'
import { gatherMasterKeys, masterKeyFromBytes } from './master-key.ts'
import { openText, readKeyId, seal } from './seal.ts'

const now = new Date('2026-01-02T03:04:05Z')
const place = { firm: 'A', table: 'party', column: 'tax_id', row: '1' }

async function firmsWithKeys(...firmIds: string[]) {
  const master = masterKeyFromBytes(randomBytes(32))
  const masterKeys = gatherMasterKeys(master)
  const rows = new Map<string, FirmKey[]>()
  for (const firmId of firmIds) rows.set(firmId, await makeFirstFirmKeys(masterKeys, firmId, now))
  let loads = 0
  let clockMs = 0
  const settings = {
    masterKeys,
    loadFirmKeys: async (firmId: string) => {
      loads++
      return [...(rows.get(firmId) ?? [])]
    },
    clockMs: () => clockMs,
  }
  return {
    master,
    masterKeys,
    rows,
    settings,
    loads: () => loads,
    advance: (ms: number) => {
      clockMs += ms
    },
  }
}

test('a firm has one data key and one index key, which are different, wrapped and bound to the firm', async () => {
  const { rows, masterKeys } = await firmsWithKeys('A', 'B')
  const [data, index] = rows.get('A') ?? []
  assert.ok(data && index)
  assert.deepEqual([data.purpose, index.purpose, data.keyId, index.keyId], ['data', 'index', 1, 1])
  const dataBytes = await unwrapFirmKey(masterKeys, data)
  assert.notDeepEqual(dataBytes, await unwrapFirmKey(masterKeys, index))
  assert.ok(!data.wrapped.includes(dataBytes))
  for (const moved of [{ firmId: 'B' }, { purpose: 'index' as const }, { keyId: 2 }]) {
    await assert.rejects(unwrapFirmKey(masterKeys, { ...data, ...moved }), /does not open/)
  }
})

test('a hundred concurrent requests read and unwrap the keys once', async () => {
  const firms = await firmsWithKeys('A')
  const keyring = createKeyring(firms.settings)
  assert.equal(keyring.cached('A'), undefined)
  const all = await Promise.all(Array.from({ length: 100 }, () => keyring.load('A')))
  assert.equal(new Set(all).size, 1)
  assert.equal(keyring.cached('A'), all[0])
  assert.equal(firms.loads(), 1)
})

test('the keys in memory are limited in number and age', async () => {
  const firms = await firmsWithKeys('A', 'B', 'C')
  const keyring = createKeyring({ ...firms.settings, firmsMax: 2, ageMsMax: 1000 })
  for (const firmId of ['A', 'B', 'C']) await keyring.load(firmId)
  assert.equal(keyring.cached('A'), undefined)
  assert.ok(keyring.cached('B') && keyring.cached('C'))
  firms.advance(999)
  assert.ok(keyring.cached('C'))
  firms.advance(1)
  assert.equal(keyring.cached('C'), undefined)
})

test('a failed read of keys is not cached', async () => {
  const firms = await firmsWithKeys('A')
  const rows = firms.rows.get('A') ?? []
  firms.rows.delete('A')
  const keyring = createKeyring(firms.settings)
  await assert.rejects(keyring.load('A'), /no data key/)
  firms.rows.set('A', rows)
  assert.ok(await keyring.load('A'))
})

test('rows of another firm are refused', async () => {
  const firms = await firmsWithKeys('A', 'B')
  firms.rows.set('A', firms.rows.get('B') ?? [])
  await assert.rejects(createKeyring(firms.settings).load('A'), /got those of B/)
})

test('after a replacement new values use the new data key and old values still open', async () => {
  const firms = await firmsWithKeys('A')
  const keyring = createKeyring(firms.settings)
  const before = seal(await keyring.load('A'), 'old', place)
  const rows = firms.rows.get('A') ?? []
  rows.push(await makeNextDataKey(firms.masterKeys, rows, now))
  keyring.forget('A')
  const keys = await keyring.load('A')
  const after = seal(keys, 'new', place)
  assert.deepEqual([readKeyId(before), readKeyId(after)], [1, 2])
  assert.deepEqual([openText(keys, before, place), openText(keys, after, place)], ['old', 'new'])
})

test('a value that another instance sealed with a newer key opens after one read of the keys', async () => {
  const firms = await firmsWithKeys('A')
  const here = createKeyring(firms.settings)
  await here.load('A')
  const rows = firms.rows.get('A') ?? []
  rows.push(await makeNextDataKey(firms.masterKeys, rows, now))
  const there = createKeyring(firms.settings)
  const sealed = seal(await there.load('A'), 'from there', place)
  assert.throws(() => openText(here.cached('A') ?? assert.fail(), sealed, place), /not held/)
  assert.equal(await here.using('A', (keys) => openText(keys, sealed, place)), 'from there')
})

test('a value of another firm under its new data key also opens after one read of the keys', async () => {
  const firms = await firmsWithKeys('A', 'B')
  const here = createKeyring(firms.settings)
  await here.load('A')
  await here.load('B')
  const rows = firms.rows.get('B') ?? []
  rows.push(await makeNextDataKey(firms.masterKeys, rows, now))
  const at = { ...place, firm: 'B' }
  const sealed = seal(await createKeyring(firms.settings).load('B'), 'from there', at)
  const opened = await here.using('A', async () => openText(await here.load('B'), sealed, at))
  assert.equal(opened, 'from there')
})

test('keys that are removed from the cache during their read are not cached', async () => {
  const firms = await firmsWithKeys('A')
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const keyring = createKeyring({
    ...firms.settings,
    loadFirmKeys: async (firmId) => {
      const rows = await firms.settings.loadFirmKeys(firmId)
      await gate
      return rows
    },
  })
  const first = keyring.load('A')
  keyring.forget('A')
  release()
  await first
  assert.equal(keyring.cached('A'), undefined)
})

test('rewrapping under a new master key changes no data key, and the old master key can be removed', async () => {
  const firms = await firmsWithKeys('A')
  const sealed = seal(await createKeyring(firms.settings).load('A'), 'kept', place)
  const newMaster = masterKeyFromBytes(randomBytes(32))
  const both = gatherMasterKeys(newMaster, firms.master)
  const rewrapped: FirmKey[] = []
  for (const row of firms.rows.get('A') ?? []) {
    const changed = await rewrapFirmKey(both, row)
    assert.equal(changed?.masterKeyId, newMaster.keyId)
    assert.equal(await rewrapFirmKey(both, changed ?? row), undefined)
    rewrapped.push(changed ?? row)
  }
  const later = createKeyring({
    masterKeys: gatherMasterKeys(newMaster),
    loadFirmKeys: async () => rewrapped,
  })
  const keys = await later.load('A')
  assert.equal(openText(keys, sealed, place), 'kept')
  const old = createKeyring({ ...firms.settings, masterKeys: gatherMasterKeys(newMaster) })
  await assert.rejects(old.load('A'), /not configured/)
})

test('replacing the data key leaves the index key as it is', async () => {
  const firms = await firmsWithKeys('A')
  const rows = firms.rows.get('A') ?? []
  const before = await createKeyring(firms.settings).load('A')
  rows.push(await makeNextDataKey(firms.masterKeys, rows, now))
  const after = await createKeyring(firms.settings).load('A')
  assert.deepEqual([after.data.currentId, after.index.currentId], [2, 1])
  assert.deepEqual(blindIndex(before, 'tax-id', '123456789'), blindIndex(after, 'tax-id', '123456789'))
})
