/** Findings of the account policy, each with its rule and source. */
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { pathInWords } from '../design/record-words.ts'
import { Table } from '../design/table.tsx'
import { Duplicates } from './duplicates.tsx'

type Result = Answered<'onboarding-result'>
type Finding = Result['findings'][number]

/** The rule of a finding: its statement, which is a requirement and no finding, and the law, rule or reading. */
function Rule({ rule, source }: Pick<Finding, 'rule' | 'source'>) {
  return (
    <div className="quiet" title={rule}>
      Rule: {labelOf('accountRule', rule)}. <Source of={source} />
    </div>
  )
}

/** A rule that is neither a law nor a rule of an exchange is one of the service, which its documentation states. */
function Source({ of: source }: { readonly of: string }) {
  const [before = '', section, after = ''] = source.split(/Reading (\d+\.\d+)/)
  if (section === undefined) return source
  return (
    <>
      {before}
      <a href="/docs/readings" target="_blank" rel="noreferrer">
        Rule {section} of the service
      </a>
      {after}
    </>
  )
}

function isDuplicate({ rule }: Finding): boolean {
  return rule === 'PossibleDuplicate'
}

/** The reasons of a follow-up with their rules. Reasons from a person or a watch list have no rule. */
export function Reasons(props: {
  readonly accountNumber: string
  readonly followUp: Result['followUps'][number]
  readonly findings: Result['findings']
}) {
  const { id, reasons } = props.followUp
  const found = props.findings.filter(({ followUpId }) => followUpId === id)
  const known = new Set(found.map(({ reason }) => reason))
  const others = reasons.filter((text) => !found.some(({ reason }) => text.includes(reason)))
  return (
    <>
      {others.map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      {[...known].map((text) => (
        <div key={text}>
          {text}
          {found.some((one) => one.reason === text && isDuplicate(one)) && (
            <Duplicates of={props.accountNumber} />
          )}
          {found.filter(({ reason }) => reason === text).every(({ ended }) => ended) && (
            <div className="quiet">The record does not have it any more.</div>
          )}
          {found
            .filter(({ reason }) => reason === text)
            .map(({ rule, field, source }) => (
              <Rule key={`${rule} ${field}`} rule={rule} source={source} />
            ))}
        </div>
      ))}
    </>
  )
}

/** Findings for which nothing waits. */
export function Noted({ accountNumber, findings }: Pick<Result, 'accountNumber' | 'findings'>) {
  const noted = findings.filter(({ effect }) => effect === 'note')
  if (noted.length === 0) return null
  return (
    <Panel title="Noted" note="remarks; nothing waits for them" flush>
      <Table
        label="Noted"
        isPart
        rows={noted}
        keyOf={({ rule, field }) => `${rule} ${field}`}
        empty="There are no remarks."
        columns={[
          {
            key: 'what',
            header: 'Finding',
            cell: (finding) => (
              <>
                {finding.reason}
                {finding.field !== '' && <div className="quiet">{pathInWords(finding.field)}</div>}
                {isDuplicate(finding) && <Duplicates of={accountNumber} />}
              </>
            ),
          },
          {
            key: 'rule',
            header: 'Rule',
            cell: ({ rule, source }) => <Rule rule={rule} source={source} />,
          },
        ]}
      />
    </Panel>
  )
}
