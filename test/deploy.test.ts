/**
 * The files of deploy/ are valid, agree with the settings and metrics of the code, and meet the requirements of a
 * security review. promtool and systemd-analyze check their files where they are installed.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { examineConfig } from '../server/src/config/config.ts'
import { findMisspelt, settingNames } from '../server/src/config/setting-names.ts'
import { migrationLimits } from '../server/src/database/migrate.ts'
import { createTestDatabase } from '../server/src/database/test-database.ts'
import { createMetrics } from '../server/src/observe/metrics.ts'
import { compile } from './compile.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const require = createRequire(import.meta.url)
const yaml = require('js-yaml') as { load(text: string): unknown; loadAll(text: string): unknown[] }

function read(path: string): string {
  return readFileSync(resolve(root, path), 'utf8')
}
function readYaml<T>(path: string): T {
  return yaml.load(read(path)) as T
}

interface ComposeService {
  readonly image?: string
  readonly build?: string
  readonly environment: Record<string, string>
  readonly read_only?: boolean
  readonly cap_drop?: string[]
  readonly security_opt?: string[]
  readonly mem_limit?: string
  readonly pids_limit?: number
  readonly secrets?: string[]
}
interface Compose {
  readonly services: Record<string, ComposeService>
  readonly secrets: Record<string, { file: string }>
}

/** Settings that are given as a file. */
const notPassed = 'DATABASE_URL'

test('compose passes every setting on, and .env.example has every setting that compose requires', () => {
  const { services } = readYaml<Compose>('deploy/compose.yaml')
  const environment = services.service?.environment ?? {}
  const passed = Object.keys(environment)
  assert.deepEqual(
    settingNames.filter((name) => !passed.includes(name) && name !== notPassed),
    [],
  )
  assert.deepEqual(
    passed.filter((name) => !settingNames.includes(name)),
    [],
  )
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name)
  const offered = [...read('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(asked)].sort(), offered.sort())
})

test('every setting has a row in Operating, and every row is a setting', () => {
  const rows = [...read('docs/operating.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  const isFile = (name: string) => name.endsWith('_FILE') && name !== 'MASTER_KEY_FILE'
  assert.deepEqual(rows.sort(), settingNames.filter((name) => !isFile(name)).sort())
})

test('containers of compose are read-only, without capabilities, limited, and pinned', () => {
  const { services, secrets } = readYaml<Compose>('deploy/compose.yaml')
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    assert.ok(service.mem_limit && service.pids_limit, name)
    if (service.image) assert.match(service.image, /@sha256:[0-9a-f]{64}$/, name)
    for (const secret of service.secrets ?? []) assert.ok(secrets[secret], secret)
  }
  for (const [, image] of read('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm))
    assert.match(image ?? '', /@sha256:[0-9a-f]{64}$/)
  assert.match(read('deploy/compose.yaml'), /sslmode=verify-full&sslrootcert=/)
  assert.match(read('deploy/compose.yaml'), /hostssl all all all scram-sha-256\n(?! *host)/)
})

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly data?: Record<string, string>
  readonly spec?: {
    readonly progressDeadlineSeconds?: number
    readonly template?: { readonly spec: PodSpec }
  }
}
interface PodSpec {
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: { readonly runAsNonRoot: boolean }
  readonly initContainers: readonly Container[]
  readonly containers: readonly (Container & {
    readonly envFrom: readonly object[]
    readonly env: readonly { name: string; value: string }[]
  })[]
  readonly volumes: readonly { readonly name: string }[]
}
interface Container {
  readonly securityContext: object
  readonly startupProbe: { readonly periodSeconds: number; readonly failureThreshold: number }
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly volumeMounts: readonly { readonly name: string }[]
}

const manifests = yaml.loadAll(read('deploy/kubernetes/clearing.yaml')) as Manifest[]

test('each manifest is valid for Kubernetes', async () => {
  for (const manifest of manifests) {
    const [group = '', version] = manifest.apiVersion.includes('/')
      ? manifest.apiVersion.split('/')
      : ['', manifest.apiVersion]
    const path = ['kubernetes-models', group, version, manifest.kind].filter(Boolean).join('/')
    const models = (await import(path)) as Record<string, new (manifest: Manifest) => { validate(): void }>
    const Model = models[manifest.kind]
    assert.ok(Model, path)
    assert.doesNotThrow(() => new Model(manifest).validate(), manifest.kind)
    const broken = { ...manifest, metadata: { name: 5 } }
    assert.throws(() => new Model(broken as never).validate(), manifest.kind)
  }
})

/** The models ignore an unknown member. The compiler rejects it in a literal of their types. */
test('no manifest has a member that Kubernetes does not know', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'))
  try {
    await symlink(resolve(root, 'node_modules'), join(folder, 'node_modules'))
    const check = async (given: readonly Manifest[]) => {
      const typed = given.map(
        (manifest) =>
          `({${JSON.stringify(manifest).slice(1, -1)}}) satisfies import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`,
      )
      await writeFile(join(folder, 'manifests.mts'), `${typed.join('\n')}\nexport {}\n`)
      const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'manifests.mts']
      return (await compile(words, folder)).output
    }
    assert.equal(await check(manifests), '')
    const misspelt = manifests.map((manifest) => ({ ...manifest, specification: {} }))
    assert.equal((await check(misspelt)).match(/"specification"' does not exist/g)?.length, manifests.length)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the startup probe allows the wait for older transactions, and the rollout allows the startup probe', () => {
  const spec = manifests.find(({ kind }) => kind === 'Deployment')?.spec
  const probe = spec?.template?.spec.containers[0]?.startupProbe
  assert.ok(spec && probe)
  const allowedMs = probe.periodSeconds * probe.failureThreshold * 1_000
  assert.ok(allowedMs > migrationLimits.olderTransactionsTimeoutMs)
  assert.ok((spec.progressDeadlineSeconds ?? 0) * 1_000 > allowedMs)
})

test('the manifests contain only settings that the service accepts, and give it no rights', () => {
  const pod = manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
  assert.ok(pod)
  const [container] = pod.containers
  assert.ok(container)
  const environment = {
    ...config,
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  }
  assert.deepEqual(
    Object.keys(environment).filter((name) => !settingNames.includes(name)),
    [],
  )
  const { config: parsed, mistakes } = examineConfig(environment, [])
  // The files exist only in the pod.
  assert.deepEqual(
    mistakes.filter((mistake) => !/_FILE: there is no file|^DATABASE_URL must name/.test(mistake)),
    [],
  )
  assert.ok(pod.terminationGracePeriodSeconds >= parsed.drainSeconds + 35)
  // Every setting of the ConfigMap reaches the container.
  assert.deepEqual(container.envFrom, [{ configMapRef: { name: 'clearing' } }])
  assert.equal(pod.enableServiceLinks, false)
  assert.equal(pod.securityContext.runAsNonRoot, true)
  const volumes = pod.volumes.map(({ name }) => name)
  for (const each of [...pod.initContainers, ...pod.containers]) {
    assert.deepEqual(each.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(each.resources.limits.memory)
    for (const { name } of each.volumeMounts) assert.ok(volumes.includes(name), name)
  }
})

test('the unit of systemd starts the service with its settings', (context) => {
  const unit = read('deploy/systemd/clearing.service')
  const given = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  )
  // The file accepts every setting.
  assert.match(unit, /^EnvironmentFile=\/etc\/clearing\/clearing\.env$/m)
  assert.deepEqual(findMisspelt(given), [])
  for (const name of ['CLEARING_MODE', 'DATABASE_URL_FILE', 'MASTER_KEY_FILE'])
    assert.ok(given.includes(name))
  const file = /^ExecStart=\/usr\/bin\/node (?:--\S+ )*(\S+)$/m.exec(unit)?.[1] ?? ''
  assert.ok(existsSync(resolve(root, file)), file)
  if (spawnSync('systemd-analyze', ['--version']).status !== 0)
    return context.diagnostic('no systemd-analyze')
  const { stderr } = spawnSync(
    'systemd-analyze',
    ['verify', resolve(root, 'deploy/systemd/clearing.service')],
    {
      encoding: 'utf8',
    },
  )
  assert.doesNotMatch(stderr, /clearing\.service:\d+: (Unknown|Failed to parse)/)
})

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

function rulesOf(): Rule[] {
  return readYaml<{ groups: { rules: Rule[] }[] }>('deploy/prometheus/rules.yaml').groups.flatMap(
    ({ rules }) => rules,
  )
}

function metricsIn(expression: string): string[] {
  const withoutLabels = expression
    .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|on) \([^)]*\)/g, '')
  return withoutLabels.match(/\b[a-z][a-z0-9]*_[a-z0-9_]+\b(?!\s*\()/g) ?? []
}

test('the rules and the dashboard use only metrics that the service has', async () => {
  await using database = await createTestDatabase()
  const { operations, owner } = database
  const metrics = createMetrics(
    { operations, owner },
    [{ name: 'data', path: root }],
    { signedAtMs: undefined, verified: undefined },
    { auditHeadsMinutes: 10 },
  )
  const { text } = await metrics.render()
  const found = new Set<string>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    found.add(name)
    if (type === 'histogram') for (const end of ['_bucket', '_count', '_sum']) found.add(name + end)
  }
  const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = [
    ...rulesOf().map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]
  const used = new Set<string>()
  for (const [place, expression] of expressions)
    for (const name of metricsIn(expression)) {
      assert.ok(found.has(name), `${place}: there is no metric ${name}`)
      used.add(name.replace(/_(bucket|count|sum)$/, ''))
    }
  // The metrics that Operating promises to an operator.
  for (const name of [
    'clearing_queue_jobs',
    'clearing_business_date_timestamp_seconds',
    'clearing_limits_hit_total',
  ])
    assert.ok(used.has(name), name)
  assert.deepEqual(
    [...found].filter(
      (name) => name.startsWith('clearing_') && !/_(bucket|count|sum)$/.test(name) && !used.has(name),
    ),
    [],
  )
  for (const name of [...found].filter(
    (each) => each.startsWith('clearing_') && !/_(bucket|count|sum)$/.test(each),
  ))
    assert.ok(read('docs/operating.md').includes(`\`${name}\``), `Operating does not name ${name}`)
  assert.match(text, /^clearing_figures_up 1$/m)
  assert.match(text, /^clearing_queue_jobs\{state="waiting"\} 0$/m)
  assert.match(text, /^clearing_schema_version\{migration="\d{3}-[a-z0-9-]+"\} \d+$/m)
  assert.doesNotMatch(text, /^clearing_(audit_verified|close_running_seconds|proof_held) /m)
  // The age of the last proof grows from the beginning, so that its alert fires if there never is one.
  const [, proved = ''] = /^clearing_proof_timestamp_seconds (.+)$/m.exec(text) ?? []
  const made = await owner.pg.query('select min(applied_at) as at from clearing.migration')
  assert.equal(new Date(Number(proved) * 1_000).toISOString(), made.rows[0].at.toISOString())
})

test('each alert has a runbook, and each runbook has an alert', () => {
  const rules = rulesOf()
  const pages = readdirSync(resolve(root, 'docs/runbooks'))
  assert.deepEqual(
    rules.map(({ annotations }) => `${annotations.runbook_url.split('/').at(-1)}.md`).sort(),
    pages.sort(),
  )
  for (const { alert, annotations } of rules) {
    const page = read(`docs/runbooks/${annotations.runbook_url.split('/').at(-1)}.md`)
    assert.ok(page.startsWith(`# ${annotations.summary.replace(/\.$/, '')}\n`), alert)
    assert.ok(page.includes(`\`${alert}\``), alert)
    for (const part of ['**Look at**', '**Do**']) assert.ok(page.includes(part), `${alert} ${part}`)
  }
})

test('promtool accepts the rules', (context) => {
  if (spawnSync('promtool', ['--version']).status !== 0) return context.skip('promtool is not installed')
  execFileSync('promtool', ['check', 'rules', resolve(root, 'deploy/prometheus/rules.yaml')])
})

test('the router of cells passes on no header in which a caller claims a certificate', () => {
  assert.match(read('deploy/haproxy/cells.cfg'), /^ {2}http-request del-header Client-Cert$/m)
})
