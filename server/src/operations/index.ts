/** The handler of each operation. A missing handler is a compile-time error. */

import { accountHistory } from './account-history.ts'
import { accountNumber } from './account-number.ts'
import { acknowledgeRestore } from './acknowledge-restore.ts'
import { addDocument } from './add-document.ts'
import { addNote } from './add-note.ts'
import { addTrades } from './add-trades.ts'
import { advanceClock } from './advance-clock.ts'
import { answerFollowUp } from './answer-follow-up.ts'
import { assignWork } from './assign-work.ts'
import { balanceSummary } from './balance-summary.ts'
import { claimWork } from './claim-work.ts'
import { closeAccount } from './close-account.ts'
import { closeBusinessDay } from './close-business-day.ts'
import { closeChecklist } from './close-checklist.ts'
import { codeLists } from './code-lists.ts'
import { compareWatchList } from './compare-watch-list.ts'
import type { Handlers } from './context.ts'
import { correctIdentity } from './correct-identity.ts'
import { createCredential } from './create-credential.ts'
import { createFirm } from './create-firm.ts'
import { createSandbox } from './create-sandbox.ts'
import { createStaff } from './create-staff.ts'
import { createWebhook } from './create-webhook.ts'
import { decideChange } from './decide-change.ts'
import { decideDocument } from './decide-document.ts'
import { decideMatch } from './decide-match.ts'
import { decideOnboarding } from './decide-onboarding.ts'
import { decideWork } from './decide-work.ts'
import { deleteSandbox } from './delete-sandbox.ts'
import { deleteView } from './delete-view.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { disableCredential } from './disable-credential.ts'
import { elect } from './elect.ts'
import { emitEvent } from './emit-event.ts'
import { endRestriction } from './end-restriction.ts'
import { exportAudit } from './export-audit.ts'
import { firmUsage } from './firm-usage.ts'
import { form8949 } from './form-8949.ts'
import { freezeClock } from './freeze-clock.ts'
import { generateDocument } from './generate-document.ts'
import { getAccount } from './get-account.ts'
import { getApplication } from './get-application.ts'
import { getClock } from './get-clock.ts'
import { getDocument } from './get-document.ts'
import { getDocumentDetails } from './get-document-details.ts'
import { getDocumentTypes } from './get-document-types.ts'
import { getLoad } from './get-load.ts'
import { getOverview } from './get-overview.ts'
import { getReport } from './get-report.ts'
import { getStatement } from './get-statement.ts'
import { grantExtension } from './grant-extension.ts'
import { listAccounts } from './list-accounts.ts'
import { listActionEntitlements } from './list-action-entitlements.ts'
import { listAudit } from './list-audit.ts'
import { listAuditHeads } from './list-audit-heads.ts'
import { listBreaks } from './list-breaks.ts'
import { listCalls } from './list-calls.ts'
import { listCells } from './list-cells.ts'
import { listChanges } from './list-changes.ts'
import { listCloses } from './list-closes.ts'
import { listCorporateActions } from './list-corporate-actions.ts'
import { listCorrections } from './list-corrections.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listDocuments } from './list-documents.ts'
import { listEvents } from './list-events.ts'
import { listFailures } from './list-failures.ts'
import { listFirms } from './list-firms.ts'
import { listIncidents } from './list-incidents.ts'
import { listLoads } from './list-loads.ts'
import { listLocationDifferences } from './list-location-differences.ts'
import { listMarginInterest } from './list-margin-interest.ts'
import { listMatches } from './list-matches.ts'
import { listNotes } from './list-notes.ts'
import { listNotifications } from './list-notifications.ts'
import { listPendingLines } from './list-pending-lines.ts'
import { listReadings } from './list-readings.ts'
import { listRenewals } from './list-renewals.ts'
import { listRequests } from './list-requests.ts'
import { listRestrictions } from './list-restrictions.ts'
import { listSandboxes } from './list-sandboxes.ts'
import { listScenarios } from './list-scenarios.ts'
import { listSnapshots } from './list-snapshots.ts'
import { listStaff } from './list-staff.ts'
import { listStatements } from './list-statements.ts'
import { listViews } from './list-views.ts'
import { listWatchLists } from './list-watch-lists.ts'
import { listWebhooks } from './list-webhooks.ts'
import { listWork } from './list-work.ts'
import { loadAccountTerms } from './load-account-terms.ts'
import { loadActivity } from './load-activity.ts'
import { loadCorporateActions } from './load-corporate-actions.ts'
import { loadFxRates } from './load-fx-rates.ts'
import { loadHeldAway } from './load-held-away.ts'
import { loadLocationPositions } from './load-location-positions.ts'
import { loadPrices } from './load-prices.ts'
import { loadSecurities } from './load-securities.ts'
import { loadWatchList } from './load-watch-list.ts'
import { makeStatement } from './make-statement.ts'
import { movePrices } from './move-prices.ts'
import { newAccount } from './new-account.ts'
import { nonTradeActivity } from './non-trade-activity.ts'
import { onboardingResult } from './onboarding-result.ts'
import { openAccounts } from './open-accounts.ts'
import { openIncident } from './open-incident.ts'
import { placeRestriction } from './place-restriction.ts'
import { positionDetail } from './position-detail.ts'
import { positionSummary } from './position-summary.ts'
import { readNotifications } from './read-notifications.ts'
import { realizedGains } from './realized-gains.ts'
import { recordHoldStep } from './record-hold-step.ts'
import { replaceClientKeys } from './replace-client-keys.ts'
import { requestInformation } from './request-information.ts'
import { requestRenewalOf } from './request-renewal.ts'
import { resendEvents } from './resend-events.ts'
import { reset } from './reset.ts'
import { restoreSnapshot } from './restore-snapshot.ts'
import { reviewLoad } from './review-load.ts'
import { rotateCredential } from './rotate-credential.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { runScenario } from './run-scenario.ts'
import { saveSnapshot } from './save-snapshot.ts'
import { saveView } from './save-view.ts'
import { searchAccounts } from './search-accounts.ts'
import { setClock } from './set-clock.ts'
import { setEntitlements } from './set-entitlements.ts'
import { settleWork } from './settle-work.ts'
import { stockRecord } from './stock-record.ts'
import { taxReport } from './tax-report.ts'
import { testWebhook } from './test-webhook.ts'
import { tradeActivity } from './trade-activity.ts'
import { updateAccount } from './update-account.ts'
import { updateCredential } from './update-credential.ts'
import { updateFirm } from './update-firm.ts'
import { updateIncident } from './update-incident.ts'
import { updateStaff } from './update-staff.ts'
import { updateWebhook } from './update-webhook.ts'
import { validateAccount } from './validate-account.ts'
import { verifyAudit } from './verify-audit.ts'
import { verifyBooks } from './verify-books.ts'
import { waiveFollowUp } from './waive-follow-up.ts'
import { withdrawApplication } from './withdraw-application.ts'
import { withdrawChange } from './withdraw-change.ts'
import { withdrawUpdate } from './withdraw-update.ts'

export const handlers: Handlers = {
  'new-account': newAccount,
  'onboarding-result': onboardingResult,
  'get-account': getAccount,
  'update-account': updateAccount,
  'withdraw-update': withdrawUpdate,
  'withdraw-application': withdrawApplication,
  'position-summary': positionSummary,
  'get-load': getLoad,
  'verify-books': verifyBooks,
  'list-breaks': listBreaks,
  'load-account-terms': loadAccountTerms,
  'load-activity': loadActivity,
  'load-fx-rates': loadFxRates,
  'load-held-away': loadHeldAway,
  'load-location-positions': loadLocationPositions,
  'load-corporate-actions': loadCorporateActions,
  'list-corporate-actions': listCorporateActions,
  'list-action-entitlements': listActionEntitlements,
  elect,
  'load-prices': loadPrices,
  'load-securities': loadSecurities,
  'non-trade-activity': nonTradeActivity,
  'position-detail': positionDetail,
  'balance-summary': balanceSummary,
  'realized-gains': realizedGains,
  'tax-report': taxReport,
  'form-8949': form8949,
  'list-corrections': listCorrections,
  'list-margin-interest': listMarginInterest,
  'trade-activity': tradeActivity,
  'add-document': addDocument,
  'account-number': accountNumber,
  'list-accounts': listAccounts,
  'account-history': accountHistory,
  'validate-account': validateAccount,
  'answer-follow-up': answerFollowUp,
  'open-accounts': openAccounts,
  'get-document-details': getDocumentDetails,
  'get-document-types': getDocumentTypes,
  'get-document': getDocument,
  'generate-document': generateDocument,
  'list-statements': listStatements,
  'get-statement': getStatement,
  'make-statement': makeStatement,
  'list-calls': listCalls,
  'list-pending-lines': listPendingLines,
  'list-location-differences': listLocationDifferences,
  'grant-extension': grantExtension,
  'code-lists': codeLists,
  'list-events': listEvents,
  'create-webhook': createWebhook,
  'update-webhook': updateWebhook,
  'delete-webhook': deleteWebhook,
  'list-webhooks': listWebhooks,
  'rotate-webhook-secret': rotateWebhookSecret,
  'test-webhook': testWebhook,
  'list-deliveries': listDeliveries,
  'resend-events': resendEvents,
  'list-requests': listRequests,
  'create-firm': createFirm,
  'update-firm': updateFirm,
  'create-credential': createCredential,
  'rotate-credential': rotateCredential,
  'replace-client-keys': replaceClientKeys,
  'update-credential': updateCredential,
  'disable-credential': disableCredential,
  'list-firms': listFirms,
  'list-cells': listCells,
  'decide-onboarding': decideOnboarding,
  'request-information': requestInformation,
  'decide-document': decideDocument,
  'get-application': getApplication,
  'list-matches': listMatches,
  'decide-match': decideMatch,
  'list-watch-lists': listWatchLists,
  'compare-watch-list': compareWatchList,
  'load-watch-list': loadWatchList,
  'close-business-day': closeBusinessDay,
  'close-checklist': closeChecklist,
  'review-load': reviewLoad,
  'verify-audit': verifyAudit,
  'search-accounts': searchAccounts,
  'list-work': listWork,
  'claim-work': claimWork,
  'assign-work': assignWork,
  'add-note': addNote,
  'list-views': listViews,
  'save-view': saveView,
  'delete-view': deleteView,
  'list-notifications': listNotifications,
  'read-notifications': readNotifications,
  'open-incident': openIncident,
  'update-incident': updateIncident,
  'list-incidents': listIncidents,
  'list-notes': listNotes,
  'get-clock': getClock,
  'set-clock': setClock,
  'advance-clock': advanceClock,
  'freeze-clock': freezeClock,
  'save-snapshot': saveSnapshot,
  'list-snapshots': listSnapshots,
  'restore-snapshot': restoreSnapshot,
  reset,
  'create-sandbox': createSandbox,
  'list-sandboxes': listSandboxes,
  'delete-sandbox': deleteSandbox,
  'list-scenarios': listScenarios,
  'run-scenario': runScenario,
  'add-trades': addTrades,
  'move-prices': movePrices,
  'emit-event': emitEvent,
  'decide-work': decideWork,
  'settle-work': settleWork,
  'list-changes': listChanges,
  'decide-change': decideChange,
  'withdraw-change': withdrawChange,
  'place-restriction': placeRestriction,
  'end-restriction': endRestriction,
  'record-hold-step': recordHoldStep,
  'close-account': closeAccount,
  'set-entitlements': setEntitlements,
  'correct-identity': correctIdentity,
  'list-restrictions': listRestrictions,
  'list-renewals': listRenewals,
  'request-renewal': requestRenewalOf,
  'waive-follow-up': waiveFollowUp,
  'list-audit': listAudit,
  'list-audit-heads': listAuditHeads,
  'acknowledge-restore': acknowledgeRestore,
  'export-audit': exportAudit,
  'list-readings': listReadings,
  'list-staff': listStaff,
  'create-staff': createStaff,
  'update-staff': updateStaff,
  'list-documents': listDocuments,
  'list-loads': listLoads,
  'get-overview': getOverview,
  'list-closes': listCloses,
  'list-failures': listFailures,
  'get-report': getReport,
  'firm-usage': firmUsage,
  'stock-record': stockRecord,
}

/**
 * Reports of the clearing firm over years or over many calls, and the verification of the books. Their statements may
 * take longer than those of other requests.
 */
const readAtLength: ReadonlySet<string> = new Set<keyof Handlers>([
  'get-report',
  'firm-usage',
  'verify-books',
])

/**
 * Reads that a standby may answer: lists, activity, history, reports and positions. Queues of work are excluded,
 * because colleagues act on them at the same time, and so is the audit trail, which must survive a failover.
 */
const readFromReplica: ReadonlySet<string> = new Set<keyof Handlers>([
  'list-accounts',
  'search-accounts',
  'trade-activity',
  'non-trade-activity',
  'account-history',
  'list-calls',
  'list-corrections',
  'list-margin-interest',
  'position-summary',
  'position-detail',
  'balance-summary',
  'realized-gains',
  'tax-report',
  'form-8949',
  'stock-record',
  'get-report',
  'firm-usage',
  'list-readings',
  'list-renewals',
])

/** Operations whose reads must all see the same snapshot of the database. */
const readInOneView: ReadonlySet<string> = new Set<keyof Handlers>([
  'position-summary',
  'position-detail',
  'balance-summary',
  'realized-gains',
  'tax-report',
  'form-8949',
  'list-corrections',
  'verify-books',
])

/**
 * The operations whose reads differ from the default: in their time limit, their server or their isolation.
 */
export const waysOfReading = { readAtLength, readFromReplica, readInOneView }
