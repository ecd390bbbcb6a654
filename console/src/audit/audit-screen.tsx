/** The audit trail: searched, exported, and verified by recomputing the chain. */
import type { CallOf } from '@clearing/sdk'
import { Alert, Group, List, Stack } from '@mantine/core'
import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { useFilters } from '../address.ts'
import { call, client, given } from '../client.ts'
import { saveFile } from '../csv.ts'
import { countOf } from '../design/count.ts'
import { Filters } from '../design/filters.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Failure } from '../design/states.tsx'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { useRead } from '../reads.ts'
import { type AuditFilters, AuditRows } from './audit-rows.tsx'
import { SignedHeads } from './signed-heads.tsx'

export function AuditScreen() {
  const [asked] = useFilters()
  const firms = useRead('list-firms', {})
  const filters = given<AuditFilters>({
    firmId: asked.firmId,
    accountNumber: asked.accountNumber,
    actor: asked.actor,
    action: asked.action && actionOf(asked.action),
    traceId: asked.traceId,
    dateFrom: asked.dateFrom,
    dateTo: asked.dateTo,
  })
  return (
    <Page
      title="Audit"
      note="Every write of every firm, chained by hashes."
      acts={
        <>
          <Export filters={filters} format="CSV" />
          <Export filters={filters} format="NDJSON" />
        </>
      }
    >
      <Verify />
      <Filters
        filters={[
          firmFilter(firms.data?.firms),
          { name: 'accountNumber', label: 'Account', kind: 'text' },
          { name: 'actor', label: 'Who', kind: 'text' },
          { name: 'action', label: 'Action', kind: 'text' },
          { name: 'traceId', label: 'Trace', kind: 'text' },
          { name: 'dateFrom', label: 'From', kind: 'day' },
          { name: 'dateTo', label: 'To', kind: 'day' },
        ]}
      />
      <Panel title="Rows" flush>
        <AuditRows filters={filters} empty={emptyOf(firms.data?.firms, asked.firmId, 'No row matches.')} />
      </Panel>
    </Page>
  )
}

/** The name of an action that is given by its name or in words: `Void elections` as `void-elections`. */
function actionOf(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replace(/^onboarding\s+/, 'onboarding.')
    .replace(/\s+/g, '-')
}

function Verify() {
  const [state, setState] = useState<'idle' | 'running'>('idle')
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof verify>>>()
  const [fault, setFault] = useState<unknown>()
  const verify = async () => (await call('verify-audit', {})).data
  const run = async () => {
    setState('running')
    setFault(undefined)
    try {
      setOutcome(await verify())
    } catch (caught) {
      setFault(caught)
    } finally {
      setState('idle')
    }
  }
  const rows = outcome?.firms.reduce((sum, firm) => sum + firm.rows, 0) ?? 0
  return (
    <Stack gap="xs">
      <Group>
        <ActButton
          operation="verify-audit"
          onAct={run}
          loading={state === 'running'}
          leftSection={<IconShieldCheck size={15} aria-hidden />}
        >
          Verify the chain
        </ActButton>
        <SignedHeads />
      </Group>
      {fault !== undefined && <Failure fault={fault} again={run} />}
      {outcome !== undefined && (
        <Alert
          color={outcome.verified ? 'teal' : 'red'}
          role="status"
          title={outcome.verified ? 'The chain holds' : 'The chain is broken'}
        >
          {outcome.verified
            ? `Recomputed: ${countOf(rows, 'row')} of ${countOf(outcome.firms.length, 'firm')}. Each row matches the previous row and the signed heads.`
            : null}
          <List size="sm">
            {outcome.firms.flatMap(({ firmId, firstBreak }) =>
              firstBreak === null
                ? []
                : [
                    <List.Item key={firmId}>
                      Firm {firmId}, row {firstBreak.sequence}: {firstBreak.reason}
                    </List.Item>,
                  ],
            )}
          </List>
        </Alert>
      )}
    </Stack>
  )
}

function Export({ filters, format }: { readonly filters: AuditFilters; readonly format: 'CSV' | 'NDJSON' }) {
  const [saves, setSaves] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const save = async () => {
    setSaves(true)
    setFault(undefined)
    try {
      const { firmId, accountNumber, actor, action, traceId, dateFrom, dateTo } = filters
      const file = await client.operations.exportAudit(
        given<CallOf<'export-audit'>>({
          firmId,
          accountNumber,
          actor,
          action,
          traceId,
          dateFrom,
          dateTo,
          format,
        }),
      )
      saveFile(file.fileName, file.mediaType, await file.bytes())
    } catch (caught) {
      setFault(caught)
    } finally {
      setSaves(false)
    }
  }
  return (
    <>
      <ActButton
        operation="export-audit"
        variant="default"
        loading={saves}
        leftSection={<IconDownload size={14} aria-hidden />}
        onAct={save}
      >
        {format}
      </ActButton>
      {fault !== undefined && <Failure fault={fault} />}
    </>
  )
}
