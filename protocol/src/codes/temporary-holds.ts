// The coded fields of a temporary hold: the restriction ProtectedAdult, under FINRA Rule 2165.

import { listCodes } from './code-list.ts'

/** Why a person is a specified adult (FINRA Rule 2165(a)(1)). */
export const holdGrounds = listCodes({
  Age65: 'A person with authority over the account is 65 or older',
  Impairment:
    'A person with authority over the account is 18 or older and is reasonably believed to have a mental or physical impairment that renders the person unable to protect their own interests',
})

/** Steps of a temporary hold that a person records. */
export const holdSteps = listCodes({
  Notified: 'The trusted contact and all parties authorized to transact business were notified',
  Extended: 'The internal review supports the belief: the hold is extended',
  Reported: 'The matter was reported to a state regulator, a state agency or a court: the hold is extended',
  Ordered: 'A state regulator, a state agency or a court set the end of the hold',
})
