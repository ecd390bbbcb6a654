/** An onboarding as onboarding-result answers it (Specification, Onboarding result record; Reading 4.2). */
import { renderErrorResponses, renderRemarks } from '@clearing/domain'
import type { Data } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import { type Onboarding, readTransitions } from '../store/onboarding.ts'

export async function renderOnboarding(tx: Tx, onboarding: Onboarding): Promise<Data<'onboarding-result'>> {
  const { state } = onboarding
  const transitions = await readTransitions(tx, onboarding.account_number)
  return {
    correlationId: onboarding.correlation_id,
    currentState: state.currentState,
    createdOn: onboarding.created_at,
    lastUpdated: onboarding.updated_at,
    accountNumber: onboarding.account_number,
    remarks: renderRemarks(state),
    errorResponses: renderErrorResponses(state),
    state: state.stages.map(({ code, status, reason }) => ({ code, status, reason })),
    followUps: state.followUps.map(
      ({ id, code, kind, field, reasons, acceptedDocuments, status, dueBy, answers = [], blocking }) => ({
        id,
        code,
        kind,
        field,
        reasons: [...reasons],
        acceptedDocuments: [...acceptedDocuments],
        status,
        dueBy,
        blocking: blocking !== false,
        answers: answers.map((answer) => ({ ...answer, fields: [...answer.fields] })),
      }),
    ),
    request: onboarding.request,
    history: transitions.map(({ from_state, to_state, at, reason }) => ({
      from: from_state,
      to: to_state,
      at,
      reason,
    })),
  }
}
