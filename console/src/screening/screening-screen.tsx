/**
 * The account's watch-list matches: the customer beside the list's entry, earlier decisions, the decision, and the
 * changes that wait for it or were withdrawn.
 */

import { limits } from '@clearing/protocol'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { namedAccount } from '../account/named.ts'
import { type Block, recordOf } from '../account/record.ts'
import { Act } from '../act/act.tsx'
import { usePart } from '../address.ts'
import type { Answered } from '../client.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { pathInWords, renderCountry } from '../design/record-words.ts'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Day, renderDay, renderTime, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { ClaimedBy } from '../work/claimed-by.tsx'
import { NextItem, useGoOn } from '../work/next-item.tsx'
import { CompareMatch } from './compare-match.tsx'
import { type Customer, customerOf } from './customer.ts'
import { type ChangeOfMatch, isWithdrawn, useChangesOfMatches, WaitingChanges } from './waiting-changes.tsx'

type Match = Answered<'list-matches'>['matches'][number]

export function ScreeningScreen() {
  const accountNumber = usePart('accountNumber')
  const account = useRead('get-account', { accountNumber })
  const record = account.data === undefined ? {} : recordOf(account.data)
  return (
    <Page
      title={`Screening of ${String(record.accountName ?? '') || accountNumber}`}
      windowTitle={`Screening of ${accountNumber}`}
      subject={namedAccount(accountNumber, record)}
      acts={
        <>
          <ClaimedBy queue="Match" accountNumber={accountNumber} itemId={accountNumber} />
          <NextItem queue="Match" itemId={accountNumber} />
        </>
      }
      above={[
        { label: 'Work', to: '/work' },
        { label: `Account ${accountNumber}`, to: `/accounts/${accountNumber}` },
        { label: 'Application', to: `/accounts/${accountNumber}/application` },
      ]}
    >
      <WaitingChanges accountNumber={accountNumber} />
      <Shown read={account}>{() => <Matches accountNumber={accountNumber} record={record} />}</Shown>
    </Page>
  )
}

/**
 * The matches are shown with the whole customer or not at all: a fact that is not read yet is not a fact that is not
 * known.
 */
function Matches({ accountNumber, record }: { readonly accountNumber: string; readonly record: Block }) {
  const changes = useChangesOfMatches(accountNumber)
  const read = useRead('list-matches', { accountNumber })
  const changeOf = ({ changeId }: Match) =>
    changes.rows.find((change) => change.changeId !== '' && change.changeId === changeId)
  const shown = ({ matches }: Answered<'list-matches'>) =>
    matches.length === 0 ? (
      <Panel title="Matches">
        <Empty what="No name of the account is on a list." />
      </Panel>
    ) : (
      <Stack gap="md">
        {inOrder(matches).map((match, index) => (
          <MatchPanel
            key={match.matchId}
            match={match}
            isFirst={index === 0}
            earlier={earlierOf(match, matches)}
            customer={customerOf(match, record, changeOf(match))}
            change={changeOf(match)}
          />
        ))}
      </Stack>
    )
  return (
    <Shown read={changes.waiting}>
      {() => <Shown read={changes.withdrawn}>{() => <Shown read={read}>{shown}</Shown>}</Shown>}
    </Shown>
  )
}

/** Open ones first, then by similarity. */
function inOrder(matches: readonly Match[]) {
  return [...matches].sort(
    (one, other) =>
      Number(other.decision === 'Open') - Number(one.decision === 'Open') || other.score - one.score,
  )
}

/** Other decisions on the same entry of the list. */
function earlierOf(match: Match, matches: readonly Match[]) {
  return matches.filter(
    (other) => other.entryId === match.entryId && other.matchId !== match.matchId && other.decidedOn !== null,
  )
}

interface MatchPanelProps {
  readonly match: Match
  readonly earlier: readonly Match[]
  readonly customer: Customer
  readonly change: ChangeOfMatch | undefined
  /** Whether the keys decide this match. */
  readonly isFirst: boolean
}

function MatchPanel({ match, earlier, customer, change, isFirst }: MatchPanelProps) {
  const { decision } = match
  const isOpen = decision === 'Open'
  const isCompared = wasCompared(match)
  const place = match.field === '' ? [] : [pathInWords(match.field)]
  return (
    <Panel
      title={isCompared ? match.matchedName : 'A name in another alphabet'}
      note={[...place, ...(isCompared ? [`entry ${match.entryId}`, `list ${match.listVersion}`] : [])].join(
        ', ',
      )}
      acts={
        <>
          <Status
            of={decision}
            tone={
              isOpen
                ? 'attention'
                : decision === 'Confirmed'
                  ? 'bad'
                  : decision === 'Cleared'
                    ? 'good'
                    : 'quiet'
            }
          />
          <MatchDecisions match={match} change={change} isFirst={isFirst} />
        </>
      }
    >
      <Stack gap="sm">
        {isCompared ? <Comparison match={match} customer={customer} /> : <NotCompared customer={customer} />}
        {match.entry?.changedSince === true && (
          <Text size="sm">The entry has changed since the match was found.</Text>
        )}
        {match.clearanceChangeId !== '' && (
          <Link to={`/changes/${match.clearanceChangeId}`}>A second person is asked to clear it</Link>
        )}
        {match.decidedOn !== null && (
          <Facts
            facts={[
              ['Decided by', match.decidedBy],
              ['Reason', match.reason],
              ['Decided', <Time key="on" at={match.decidedOn} />],
              ['Until', match.expiresOn === null ? 'for good' : <Day key="until" on={match.expiresOn} />],
            ]}
          />
        )}
        {earlier.length > 0 && (
          <div>
            <h3 className="sub">Earlier decisions about this entry</h3>
            {earlier.map((other) => (
              <Text key={other.matchId} size="sm">
                {wordsOf(other.decision)} by {other.decidedBy}, <Time at={other.decidedOn} />
              </Text>
            ))}
          </div>
        )}
      </Stack>
    </Panel>
  )
}

/** A name that the lists cannot be compared with is reported without an entry of a list. */
function wasCompared({ listVersion, entryId }: Match): boolean {
  return listVersion !== 'ALPHABET' || entryId !== 'NAME'
}

function Comparison({ match, customer }: Pick<MatchPanelProps, 'match' | 'customer'>) {
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <Text size="sm">Likeness</Text>
        <Progress value={match.score} flex={1} maw={260} aria-label="Likeness" />
        <Text size="sm" fw={600}>
          {match.score} of 100
        </Text>
      </Group>
      <CompareMatch match={match} customer={customer} />
    </>
  )
}

function NotCompared({ customer }: Pick<MatchPanelProps, 'customer'>) {
  const { name, birthDate, citizenship } = customer
  return (
    <>
      <Text size="sm">
        The lists are in Latin letters, and this name is not, so it could not be compared with them. Search
        the lists for the name in Latin letters, for example as it is in the passport. Clear it if it is on
        none of them.
      </Text>
      <Facts
        facts={[
          ['Name', name],
          ['Date of birth', birthDate === '' ? undefined : renderDay(birthDate)],
          ['Citizenship', citizenship === '' ? undefined : renderCountry(citizenship)],
        ]}
      />
    </>
  )
}

const reason = { name: 'reason', label: 'Reason', kind: 'long', required: true } as const

function MatchDecisions({ match, change, isFirst }: Pick<MatchPanelProps, 'match' | 'change' | 'isFirst'>) {
  const { accountNumber, matchId, changeId } = match
  const isCompared = wasCompared(match)
  const withdrawn = change !== undefined && isWithdrawn(change)
  const notNow = whyDecided(match)
  const isListed = isCompared ? 'The customer is the person on the list. ' : 'The customer is on a list. '
  const goOn = useGoOn({ queue: 'Match', itemId: accountNumber })
  return (
    <>
      <Act
        operation="decide-match"
        label="Clear…"
        {...(isFirst ? { shortcut: 'a' } : {})}
        title={isCompared ? 'Clear the match' : 'Clear the name'}
        submit="Clear"
        look={{ variant: 'filled' }}
        notNow={notNow}
        explains={[
          isCompared
            ? 'The customer is not the person on the list. The same pair is not reported again until the clearance expires.'
            : 'The customer is on no list. The name is not reported again until the clearance expires.',
          ...(changeId === ''
            ? []
            : withdrawn
              ? ['The change was withdrawn: the record stays as it is.']
              : ['When the last match is cleared, the change takes effect.']),
          ...(isCompared
            ? [
                `A score of ${limits.secondPersonMatchScoreMin} or more needs the approval of a second person.`,
              ]
            : []),
        ].join(' ')}
        fields={[
          reason,
          {
            name: 'expiresOn',
            label: 'Cleared until',
            kind: 'day',
            hint: 'Leave it empty for a year from now.',
          },
        ]}
        fixed={{ accountNumber, matchId, decision: 'Cleared' }}
        of={match.matchedName}
        onDone={goOn}
      />
      <Act
        operation="decide-match"
        label="Confirm…"
        {...(isFirst ? { shortcut: 'r' } : {})}
        title={isCompared ? 'Confirm the match' : 'Confirm that the person is on a list'}
        submit="Confirm"
        danger
        notNow={notNow}
        explains={
          changeId === ''
            ? `${isListed}An application is rejected; an open account is blocked.`
            : `${isListed}${withdrawn ? 'The account is blocked.' : 'The change is rejected, and the account is blocked.'}`
        }
        fields={[reason]}
        fixed={{ accountNumber, matchId, decision: 'Confirmed' }}
        of={match.matchedName}
        onDone={goOn}
      />
    </>
  )
}

/** Undefined if the match is open and no second person is needed. */
function whyDecided({ decision, decidedBy, decidedOn, clearanceChangeId }: Match): string | undefined {
  if (decision === 'Dropped') return 'No decision is needed: the change has ended, or the record has changed.'
  if (decision !== 'Open') return `${wordsOf(decision)} by ${decidedBy} at ${renderTime(decidedOn ?? '')}.`
  return clearanceChangeId === '' ? undefined : 'A second person is asked to clear it.'
}
