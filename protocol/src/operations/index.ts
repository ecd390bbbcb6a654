/** Every operation by its name: the contract of the service. */
import type { DataOf, OperationDefinition, RequestOf } from '../operation.ts'
import { accountHistory, listAccounts } from './account-lists.ts'
import {
  accountNumberOperation,
  getAccount,
  newAccount,
  onboardingResult,
  updateAccount,
} from './accounts.ts'
import { answerFollowUp, openAccounts, validateAccount } from './applications.ts'
import { exportAudit, listAudit, listReadings, verifyAudit } from './audit.ts'
import {
  closeBusinessDay,
  getLoad,
  listBreaks,
  listCalls,
  loadActivity,
  loadFxRates,
  loadPrices,
  loadSecurities,
  verifyBooks,
} from './books.ts'
import {
  closeAccount,
  decideChange,
  endRestriction,
  listChanges,
  listRestrictions,
  placeRestriction,
  withdrawChange,
} from './changes.ts'
import {
  addDocument,
  generateDocument,
  getDocument,
  getDocumentDetails,
  getDocumentTypes,
} from './documents.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listEvents,
  listWebhooks,
  resendEvents,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './events.ts'
import {
  createCredential,
  createFirm,
  disableCredential,
  listFirms,
  replaceClientKeys,
  rotateCredential,
  updateFirm,
} from './firms.ts'
import { getOverview, getReport, listDocuments, listLoads, stockRecord } from './oversight.ts'
import {
  balanceSummary,
  nonTradeActivity,
  positionDetail,
  positionSummary,
  tradeActivity,
} from './positions.ts'
import { codeListsOperation } from './reference.ts'
import { listRequests } from './requests.ts'
import { decideDocument, decideMatch, decideOnboarding, listMatches, loadWatchList } from './reviews.ts'
import {
  advanceClock,
  freezeClock,
  getClock,
  listSnapshots,
  resetSandbox,
  restoreSnapshot,
  saveSnapshot,
  setClock,
} from './sandbox.ts'
import { addTrades, emitEvent, listScenarios, movePrices, runScenario } from './sandbox-plays.ts'
import { createStaff, listStaff, updateStaff } from './staff.ts'
import {
  addNote,
  assignWork,
  claimWork,
  decideWork,
  listNotes,
  listWork,
  searchAccounts,
  settleWork,
} from './work.ts'

export const operations = {
  'new-account': newAccount,
  'onboarding-result': onboardingResult,
  'get-account': getAccount,
  'update-account': updateAccount,
  'position-summary': positionSummary,
  'trade-activity': tradeActivity,
  'non-trade-activity': nonTradeActivity,
  'position-detail': positionDetail,
  'balance-summary': balanceSummary,
  'add-document': addDocument,
  'account-number': accountNumberOperation,
  'list-accounts': listAccounts,
  'account-history': accountHistory,
  'validate-account': validateAccount,
  'answer-follow-up': answerFollowUp,
  'open-accounts': openAccounts,
  'get-document-details': getDocumentDetails,
  'get-document-types': getDocumentTypes,
  'get-document': getDocument,
  'generate-document': generateDocument,
  'list-calls': listCalls,
  'code-lists': codeListsOperation,
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
  'disable-credential': disableCredential,
  'list-firms': listFirms,
  'decide-onboarding': decideOnboarding,
  'decide-document': decideDocument,
  'list-matches': listMatches,
  'decide-match': decideMatch,
  'load-watch-list': loadWatchList,
  'load-securities': loadSecurities,
  'load-prices': loadPrices,
  'load-fx-rates': loadFxRates,
  'load-activity': loadActivity,
  'get-load': getLoad,
  'verify-books': verifyBooks,
  'list-breaks': listBreaks,
  'close-business-day': closeBusinessDay,
  'verify-audit': verifyAudit,
  'search-accounts': searchAccounts,
  'list-work': listWork,
  'claim-work': claimWork,
  'assign-work': assignWork,
  'add-note': addNote,
  'list-notes': listNotes,
  'get-clock': getClock,
  'set-clock': setClock,
  'advance-clock': advanceClock,
  'freeze-clock': freezeClock,
  'save-snapshot': saveSnapshot,
  'list-snapshots': listSnapshots,
  'restore-snapshot': restoreSnapshot,
  reset: resetSandbox,
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
  'close-account': closeAccount,
  'list-restrictions': listRestrictions,
  'list-audit': listAudit,
  'export-audit': exportAudit,
  'list-readings': listReadings,
  'list-staff': listStaff,
  'create-staff': createStaff,
  'update-staff': updateStaff,
  'list-documents': listDocuments,
  'list-loads': listLoads,
  'get-overview': getOverview,
  'get-report': getReport,
  'stock-record': stockRecord,
} as const satisfies Record<string, OperationDefinition>

export type OperationName = keyof typeof operations
/** What an operation takes, in canonical spelling. */
export type Request<N extends OperationName> = RequestOf<(typeof operations)[N]>
/** What an operation answers in `data`. */
export type Data<N extends OperationName> = DataOf<(typeof operations)[N]>
