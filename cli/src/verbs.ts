/** Every verb of the command line, in the order of the overview. */
import { operationVerbs } from './operation-verbs.ts'
import type { Verb } from './verb.ts'
import { cellVerbs } from './verbs/cells.ts'
import { completionVerb } from './verbs/completion.ts'
import { conformanceVerb } from './verbs/conformance.ts'
import { firmVerbs } from './verbs/firms.ts'
import { listenVerbs } from './verbs/listen.ts'
import { loadVerbs } from './verbs/load.ts'
import { logVerbs } from './verbs/logs.ts'
import { onboardingVerbs } from './verbs/onboarding.ts'
import { profileVerbs } from './verbs/profile.ts'
import { sandboxVerbs } from './verbs/sandbox.ts'
import { verifyVerbs } from './verbs/verify.ts'

export function listVerbs(): readonly Verb[] {
  const verbs: Verb[] = [
    ...profileVerbs,
    ...onboardingVerbs,
    ...loadVerbs,
    ...listenVerbs,
    ...logVerbs,
    ...verifyVerbs,
    ...sandboxVerbs,
    ...cellVerbs,
    conformanceVerb,
    ...firmVerbs(),
    ...operationVerbs(),
  ]
  return [...verbs, completionVerb]
}
