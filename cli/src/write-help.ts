/** Writes the committed snapshot `cli/help.txt`: `node cli/src/write-help.ts`. */
import { writeFileSync } from 'node:fs'
import { helpFile, renderHelpSnapshot } from './help-snapshot.ts'

writeFileSync(helpFile, renderHelpSnapshot())
