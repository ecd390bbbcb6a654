/** A record block by block, whatever blocks it has. */
import { Stack } from '@mantine/core'
import { Facts } from '../design/facts.tsx'
import { Panel } from '../design/panel.tsx'
import { pathInWords, wordsOf } from '../design/words.ts'
import { type Block, partsOf } from './record.ts'

export function RecordView({ record }: { readonly record: Block }) {
  const { values, blocks } = partsOf(record)
  return (
    <Stack gap="md">
      <Panel title="Account">
        <BlockFacts values={values} />
      </Panel>
      <div className="columns">
        {blocks.map(([name, block]) => (
          <BlockPanel key={name} name={name} block={block} />
        ))}
      </div>
    </Stack>
  )
}

/** A block with the blocks inside it under headings of their own. */
function BlockPanel({ name, block }: { readonly name: string; readonly block: Block }) {
  const inside = flattenBlocks(block)
  return (
    <Panel title={pathInWords(name)}>
      <Stack gap="sm">
        {inside.map(({ path, values }) => (
          <div key={path}>
            {path !== '' && <h3 className="sub">{pathInWords(path)}</h3>}
            <BlockFacts values={values} />
          </div>
        ))}
      </Stack>
    </Panel>
  )
}

function BlockFacts({ values }: { readonly values: readonly (readonly [string, string])[] }) {
  return <Facts facts={values.map(([name, value]) => [wordsOf(name), value] as const)} />
}

function flattenBlocks(block: Block, path = ''): { path: string; values: [string, string][] }[] {
  const { values, blocks } = partsOf(block)
  const rest = blocks.flatMap(([name, each]) => flattenBlocks(each, path === '' ? name : `${path}.${name}`))
  return values.length === 0 ? rest : [{ path, values }, ...rest]
}
