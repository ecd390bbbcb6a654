/** The status page: the state of the components, the open incidents, and the incidents of the last 90 days. */
import { codeRow, limits, type ServiceStatus } from '@clearing/protocol'
import { escapeHtml } from './html.ts'

type Incident = NonNullable<ServiceStatus['incidents']>[number]

const headline: Readonly<Record<string, string>> = {
  Operational: 'All components work',
  Degraded: 'Some components work with delay or in part',
  Unavailable: 'Some components do not work',
}

export function renderStatusPage({ status, checkedOn, components, incidents }: ServiceStatus): string {
  const open = incidents?.filter(({ resolvedOn }) => resolvedOn === null) ?? []
  const past = incidents?.filter(({ resolvedOn }) => resolvedOn !== null) ?? []
  const rows = components
    .map(
      (one) =>
        `<li><span>${escapeHtml(one.label)}${one.reason === '' ? '' : `<br><small class="faint">${escapeHtml(one.reason)}</small>`}</span>` +
        `<strong class="is-${one.status.toLowerCase()}">${one.status}</strong></li>`,
    )
    .join('')
  return `<div class="status-page">
<h1>Status</h1>
<p class="headline is-${status.toLowerCase()}">${headline[status] ?? status}</p>
<p class="faint">Probed on ${timeOf(checkedOn)}. The page loads again every minute. For programs: <a href="/status.json">/status.json</a>, and the
<a href="/docs/guides/events">events</a> <code>incident.*</code>.</p>
${open.map(renderIncident).join('\n')}
<h2 id="components">Components</h2>
<ul class="components">${rows}</ul>
<h2 id="history">Incidents of the last ${limits.incidentShownDays} days</h2>
${
  incidents === null
    ? '<p>The incidents cannot be read now.</p>'
    : past.length === 0
      ? '<p>No incident was reported.</p>'
      : past.map(renderIncident).join('\n')
}
</div>`
}

function renderIncident({ title, state, impact, components, openedOn, updates }: Incident): string {
  const reports = updates
    .map(
      ({ state, text, at }) =>
        `<li><p><strong>${escapeHtml(state)}</strong> <span class="faint">${timeOf(at)}</span></p><p>${escapeHtml(text)}</p></li>`,
    )
    .join('')
  const about = components.map((one) => codeRow('serviceComponent', one)?.label ?? one).join(', ')
  const mark = state === 'Resolved' ? 'over' : impact === 'None' ? 'operational' : impact.toLowerCase()
  return `<section class="incident is-${mark}"><h3>${escapeHtml(title)}</h3>
<p class="faint">${escapeHtml(about)} · since ${timeOf(openedOn)}</p><ol>${reports}</ol></section>`
}

function timeOf(at: string): string {
  const shown = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
  return `<time datetime="${escapeHtml(at)}">${shown}</time>`
}
