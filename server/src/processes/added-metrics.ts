/**
 * Adds up the metrics of several processes. The counts of ended processes remain in the sum, so that it never
 * falls when a process is replaced.
 */
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { RenderedMetrics } from '../observe/metrics.ts'
import type { MetricsJson } from './messages.ts'

export class AddedMetrics {
  readonly #latest = new Map<number, MetricsJson>()
  #ended: MetricsJson = []

  /** Takes the metrics of a running process, which replace its earlier ones. */
  take(processId: number, metrics: MetricsJson): void {
    this.#latest.set(processId, metrics)
  }

  async end(processId: number): Promise<void> {
    const last = this.#latest.get(processId)
    this.#latest.delete(processId)
    if (last === undefined) return
    const both = add([this.#ended, last.filter(isCount)])
    this.#ended = await both.getMetricsAsJSON()
  }

  /** Of the processes that have not answered, only the counts remain: they may hang. */
  async render(silent: ReadonlySet<number> = new Set()): Promise<RenderedMetrics> {
    const running = [...this.#latest].map(([processId, metrics]) =>
      silent.has(processId) ? metrics.filter(isCount) : metrics,
    )
    const sum = add([...running, this.#ended])
    return { contentType: sum.contentType, text: await sum.metrics() }
  }
}

function add(metrics: readonly MetricsJson[]): Registry {
  return AggregatorRegistry.aggregate(metrics.map((ofProcess) => ofProcess.map(showWorst)))
}

/** The library averages the delays of event loops, so that one blocked process among several would not be seen. */
function showWorst(metric: MetricsJson[number]): MetricsJson[number] {
  return metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric
}

function isCount({ type }: MetricsJson[number]): boolean {
  // The declarations of the library name the types as numbers; at run time they are texts.
  return ['counter', 'histogram'].includes(type as unknown as string)
}
