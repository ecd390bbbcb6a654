/** The sandbox's scenarios: an application of a fictitious person, followed to the scenario's end. */
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import { plainChoices } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Table } from '../design/table.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'

export function Scenarios() {
  const firms = useRead('list-firms', {})
  const entities = (firms.data?.firms ?? []).flatMap(({ name, entityNumbers }) =>
    entityNumbers.map((value) => ({ value, label: `${value} · ${name}` })),
  )
  return (
    <Panel title="Scenarios" flush>
      <Shown read={useRead('list-scenarios', {})}>
        {({ scenarios }) => (
          <Table
            label="Scenarios"
            isPart
            rows={scenarios}
            keyOf={({ name }) => name}
            empty="There are no scenarios."
            heightMax="50vh"
            columns={[
              { key: 'name', header: 'Scenario', by: ({ name }) => name, cell: ({ name }) => wordsOf(name) },
              { key: 'effect', header: 'What happens', cell: ({ effect }) => effect },
              {
                key: 'owner',
                header: 'Values of the primary owner',
                cell: ({ owner }) => (
                  <span className="mono">
                    {Object.entries(owner)
                      .map(([member, value]) => `${member} ${value}`)
                      .join(', ')}
                  </span>
                ),
              },
              {
                key: 'act',
                header: <span className="unseen">Act</span>,
                cell: ({ name }) => (
                  <Act
                    operation="run-scenario"
                    label="Play…"
                    title={`Play ${wordsOf(name).toLowerCase()}`}
                    submit="Play"
                    fields={[
                      {
                        name: 'entityNumber',
                        label: 'For the firm',
                        kind: 'choice',
                        required: true,
                        choices: entities.length === 0 ? plainChoices([]) : entities,
                      },
                    ]}
                    fixed={{ name }}
                    result={({ data }) => (
                      <>
                        Account{' '}
                        <Link to={`/accounts/${data.accountNumber}/application`}>{data.accountNumber}</Link>{' '}
                        is now {wordsOf(data.currentState).toLowerCase()}.
                      </>
                    )}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
