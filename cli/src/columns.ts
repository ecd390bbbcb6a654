/** The columns that tables show first of all, where the order of the record is not the one that people look for. */
import type { OperationName } from '@clearing/protocol'

export const columnsOf: Partial<Record<OperationName, readonly string[]>> = {
  'list-events': ['time', 'type', 'accountnumber', 'sequence', 'data', 'cursor'],
  'list-requests': ['at', 'status', 'operation', 'durationMs', 'clientId', 'errorCodes', 'traceId'],
  'list-deliveries': ['createdOn', 'eventType', 'accountNumber', 'status', 'nextAttemptOn', 'eventId'],
  'list-webhooks': ['webhookId', 'url', 'types', 'disabled', 'disabledReason', 'description'],
  'list-firms': ['name', 'entityNumbers', 'repCodes', 'disabled', 'firmId'],
  'get-document-details': [
    'createdDate',
    'documentTypeName',
    'reference',
    'status',
    'rejectionCode',
    'displayName',
    'documentId',
  ],
  'trade-activity': [
    'tradeDate',
    'settleDate',
    'buySell',
    'quantity',
    'symbol',
    'price',
    'currency',
    'netAmount',
    'cancelStatus',
    'tagNo',
  ],
  'non-trade-activity': [
    'processDate',
    'transType',
    'symbol',
    'quantity',
    'currency',
    'netAmount',
    'description',
    'tagNo',
  ],
}

/** The same of lists inside a record, by the name of the member. */
export const columnsWithin: Readonly<Record<string, readonly string[]>> = {
  portfolios: [
    'symbol',
    'description',
    'acctType',
    'quantity',
    'price',
    'currency',
    'marketValue',
    'marketUsdeValue',
    'gainLoss',
    'secNo',
  ],
}
