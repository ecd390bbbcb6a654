// The watch list that is loaded when no other is configured: fictitious persons, organizations, a vessel and an
// aircraft in the layout of the real files (`fictitious/`), so that all of screening can be tried without real persons.

import { createReadStream } from 'node:fs'
import { parseSdnFiles, type SdnReading } from './sdn-file.ts'

export function readFictitiousList(): Promise<SdnReading> {
  const open = (name: string) => createReadStream(new URL(`./fictitious/${name}`, import.meta.url))
  return parseSdnFiles({ sdn: open('sdn.csv'), alt: open('alt.csv'), add: open('add.csv') }, 'FICTITIOUS')
}
