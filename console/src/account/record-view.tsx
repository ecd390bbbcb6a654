/** A record grouped by meaning: a panel for each part, labels left and values right, empty fields folded. */
import { Stack } from '@mantine/core'
import { countOf } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import type { Block } from './record.ts'
import { type Group, type Section, sectionsOf } from './record-sections.ts'

export function RecordView({ record }: { readonly record: Block }) {
  return (
    <div className="record">
      {sectionsOf(record).map((section) => (
        <SectionPanel key={section.path} section={section} />
      ))}
    </div>
  )
}

function SectionPanel({ section: { title, groups, empty } }: { readonly section: Section }) {
  return (
    <Panel title={title}>
      <Stack gap="sm">
        {groups.map((group) => (
          <GroupRows key={group.heading} group={group} />
        ))}
        {empty.length > 0 && (
          <details className="folded">
            <summary>{countOf(empty.length, 'empty field')}</summary>
            {empty.join(', ')}
          </details>
        )}
      </Stack>
    </Panel>
  )
}

function GroupRows({ group: { heading, rows } }: { readonly group: Group }) {
  return (
    <div>
      {heading !== '' && <h3 className="sub">{heading}</h3>}
      <dl className="rows">
        {rows.map(({ path, label, lines }) => (
          <div key={path}>
            <dt>{label}</dt>
            <dd>
              {lines.map((line) => (
                <div key={line}>{line}</div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
