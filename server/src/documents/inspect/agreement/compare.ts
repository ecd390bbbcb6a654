// Compares our verdict on mutants with the findings of pdf.js, and of qpdf where it is installed.
import { inspectFile } from '../inspect-file.ts'
import { readAgain } from '../second-reader.ts'
import { askQpdf, hasQpdf } from './ask-qpdf.ts'
import { mutate } from './mutate.ts'
import { harmless, hostile } from './payloads.ts'

export type Comparison = {
  mutants: number
  accepted: { hostile: number; harmless: number }
  /** The number of checked hostile mutants in which pdf.js still finds active content. */
  alive: { seen: number; of: number }
  /** The mutants that we accept although another reader finds active content. */
  missed: string[]
}

/** A refused mutant needs no comparison; one in this many is compared, to check that the mutants are still hostile. */
const ALIVE_EVERY = 20
/** Each call of qpdf starts a process. */
const QPDF_EVERY = 10

export async function compare(seeds: number, from = 0): Promise<Comparison> {
  const result: Comparison = {
    mutants: 0,
    accepted: { hostile: 0, harmless: 0 },
    alive: { seen: 0, of: 0 },
    missed: [],
  }
  for (let seed = from; seed < from + seeds; seed++) {
    for (const [kind, payloads] of [
      ['hostile', hostile],
      ['harmless', harmless],
    ] as const) {
      const payload = payloads[seed % payloads.length]
      if (!payload) continue
      const { bytes, changes } = mutate(payload, seed)
      const name = `${payload.label}, mutant ${seed}: ${changes.join(', ')}`
      result.mutants++
      const accepted = inspectFile(bytes, 'a.pdf').outcome === 'accepted'
      if (accepted) result.accepted[kind]++
      const looked = accepted || (kind === 'hostile' && seed % ALIVE_EVERY === 0)
      const seen = looked ? await seenByPdfJs(bytes) : undefined
      if (kind === 'hostile' && seed % ALIVE_EVERY === 0) {
        result.alive.of++
        if (seen) result.alive.seen++
      }
      if (accepted && seen) result.missed.push(`${name}: pdf.js sees ${seen}`)
      const asked = accepted && hasQpdf && (kind === 'hostile' || seed % QPDF_EVERY === 0)
      const found = asked ? askQpdf(bytes) : undefined
      if (found) result.missed.push(`${name}: qpdf sees ${found}`)
    }
  }
  return result
}

async function seenByPdfJs(bytes: Buffer): Promise<string | undefined> {
  const said = await readAgain(bytes)
  return said && /active content|encrypted/.test(said) ? said : undefined
}
