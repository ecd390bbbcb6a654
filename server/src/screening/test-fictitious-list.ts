/**
 * For tests: the watch list of the sandbox (`fictitious/`) without a database. It has fictitious persons,
 * organizations, a vessel and an aircraft in the layout of the real files.
 */
import { createReadStream } from 'node:fs'
import { parseSdnFiles, type SdnReading } from './sdn-file.ts'

export function readFictitiousList(): Promise<SdnReading> {
  const open = (name: string) => createReadStream(new URL(`./fictitious/${name}`, import.meta.url))
  return parseSdnFiles({ sdn: open('sdn.csv'), alt: open('alt.csv'), add: open('add.csv') }, 'FICTITIOUS')
}
