// Loads the fictitious list into a sandbox where no list was ever loaded, so that screening works from the first start.

import { readFile } from 'node:fs/promises'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { readListVersions, writeList, writeListPart } from '../store/screening.ts'
import { parseParts } from './watch-lists.ts'

const fictitiousListName = 'FICTITIOUS'

export function loadFictitiousList(operations: Pool, now: Date): Promise<void> {
  return inTransaction(operations, { firm: null }, async (tx) => {
    if ((await readListVersions(tx)).length > 0) return
    const parts = new Map<string, Buffer>()
    for (const part of ['sdn', 'alt', 'add']) {
      const content = await readFile(new URL(`./fictitious/${part}.csv`, import.meta.url))
      parts.set(part, content)
      writeListPart(tx, {
        listName: fictitiousListName,
        part,
        content,
        at: now,
        by: serviceActor,
        source: `${part}.csv`,
      })
    }
    const { listVersion, entries } = await parseParts(parts, fictitiousListName)
    writeList(tx, { listName: fictitiousListName, listVersion, entries: entries.length, at: now })
  })
}
