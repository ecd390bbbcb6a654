/**
 * Finds accounts across the firms. The text that identifies a person is kept out of the address and of the browser's
 * storage; other filters are in the address.
 */
import { codeLists } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters, useGoTo } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { Button } from '../design/button.tsx'
import { choicesOf, labelOf, plainChoices } from '../design/codes.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { renderOrder, useSorting } from '../design/sorting.ts'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'
import { useRestoredState } from '../restored-state.ts'

type Found = Answered<'search-accounts'>['accounts'][number]

interface Sought {
  readonly text: string
  readonly taxIdNumber: string
}

const notSought: Sought = { text: '', taxIdNumber: '' }

export function SearchScreen() {
  const [filters] = useFilters()
  const [sought, setSought] = useRestoredState('accounts sought', notSought)
  const goTo = useGoTo()
  const firms = useRead('list-firms', {})
  const [sorting] = useSorting('Accounts')
  const { sortBy, sortMode } = renderOrder(sorting, codeLists.foundAccountSort)
  const request = given<CallOf<'search-accounts'>>({
    text: sought.text,
    taxIdNumber: sought.taxIdNumber,
    firmId: filters.firmId,
    accountStatus: filters.accountStatus,
    registrationType: filters.registrationType,
    repCode: filters.repCode,
    createdFrom: filters.createdFrom,
    createdTo: filters.createdTo,
    sortBy,
    sortMode,
    counted: true,
  })
  const pages = usePages('search-accounts', 'accounts', request)
  return (
    <Page title="Accounts">
      <Search sought={sought} onSearch={setSought} />
      <Filters
        filters={[
          firmFilter(firms.data?.firms),
          {
            name: 'accountStatus',
            label: 'Status',
            kind: 'choice',
            choices: plainChoices(
              choicesOf('accountStatus').map(({ value }) => value),
              wordsOf,
            ),
          },
          {
            name: 'registrationType',
            label: 'Registration',
            kind: 'choice',
            choices: choicesOf('registrationType'),
          },
          { name: 'repCode', label: 'Rep code', kind: 'text' },
          { name: 'createdFrom', label: 'Created from', kind: 'day' },
          { name: 'createdTo', label: 'Created to', kind: 'day' },
        ]}
      />
      <Panel title="Accounts" flush>
        <Listed
          label="Accounts"
          pages={pages}
          total={pages.data?.pages[0]?.total ?? undefined}
          columns={columns}
          keyOf={({ accountNumber }) => accountNumber}
          opens={({ accountNumber }) => goTo(`/accounts/${accountNumber}`)}
          empty={emptyOf(firms.data?.firms, filters.firmId, 'No account matches.')}
          emptyHint="Names match by their beginnings, tax ids only as a whole."
        />
      </Panel>
    </Page>
  )
}

const taxId = /^[\d\s-]{9,}$/

function Search(props: { readonly sought: Sought; readonly onSearch: (sought: Sought) => void }) {
  const [text, setText] = useState(props.sought.text || props.sought.taxIdNumber)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const digits = text.replace(/[\s-]/g, '')
        const isTaxId = taxId.test(text) && digits.length === 9
        props.onSearch(isTaxId ? { text: '', taxIdNumber: digits } : { text: text.trim(), taxIdNumber: '' })
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label="Name, account number or tax id"
          placeholder="Name, account number or tax id"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={text}
          size="sm"
          maw={440}
          flex={1}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="sm">
          Find
        </Button>
      </Group>
    </form>
  )
}

const columns: readonly Column<Found>[] = [
  {
    key: 'number',
    header: 'Account',
    order: 'accountNumber',
    cell: ({ accountNumber }) => <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link>,
  },
  {
    key: 'name',
    header: 'Title',
    cell: ({ accountName }) => accountName,
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ accountStatus }) => <Status of={accountStatus} />,
  },
  {
    key: 'type',
    header: 'Registration',
    cell: ({ registrationType }) => labelOf('registrationType', registrationType),
  },
  { key: 'firm', header: 'Firm', cell: ({ firmName }) => firmName },
  { key: 'entity', header: 'Entity', cell: ({ entityNumber }) => entityNumber },
  { key: 'rep', header: 'Rep', cell: ({ repCode }) => repCode },
  {
    key: 'created',
    header: 'Created',
    order: 'createdDate',
    cell: ({ createdOn }) => <Time at={createdOn} />,
  },
]
