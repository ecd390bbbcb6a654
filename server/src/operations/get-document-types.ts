/** get-document-types: the catalogue of documents and the follow-ups that each can answer (Reading 5.1). */
import { canonicalCode, codeLists, nearestCodes, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import type { Handler } from './context.ts'

const catalogue = codeLists.documentReference.map((row) => ({
  documentTypeName: row.documentTypeName as string,
  reference: row.value as string,
  title: row.label,
  satisfies: codeLists.followUpCode
    .filter((followUp) => followUp.evidence !== '' && row.evidence.includes(followUp.evidence))
    .map((followUp) => followUp.value as string),
  since: row.since,
}))

export const getDocumentTypes: Handler<'get-document-types'> = async ({ documentTypeName }) => {
  if (!documentTypeName) return { documentTypes: catalogue }
  const name = canonicalCode('documentTypeName', documentTypeName)
  if (!name) {
    const nearest = nearestCodes('documentTypeName', documentTypeName).join(', ')
    return new Rejected([
      reject('ERR.1015', 'documentTypeName', `The catalogue has no such type; nearest: ${nearest}.`),
    ])
  }
  return { documentTypes: catalogue.filter((row) => row.documentTypeName === name) }
}
