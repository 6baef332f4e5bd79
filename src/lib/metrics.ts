/** What a histogram has counted since its creation. */
export interface HistogramReading {
  /** Upper bounds, inclusive and ascending; a last bucket without a bound takes the rest. */
  bounds: readonly number[]
  /** Observations at most as large as each bound, and last of all: cumulative, as they are exposed. */
  cumulative: number[]
  sum: number
}

/**
 * Counts values by size. Observing allocates nothing.
 *
 * Two threads may share the cells: one observes, the other reads. Each cell is one aligned 64-bit number, which
 * supported processors write at once; a reading may miss an observation in progress.
 */
export class Histogram {
  private readonly cells: Float64Array

  constructor(
    private readonly bounds: readonly number[],
    buffer: ArrayBufferLike = new ArrayBuffer(histogramBytes(bounds)),
    byteOffset = 0,
  ) {
    this.cells = new Float64Array(buffer, byteOffset, cellCount(bounds))
  }

  observe(value: number): void {
    const { bounds, cells } = this
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
    cells[bucket] = (cells[bucket] as number) + 1
    const sum = cells.length - 1
    cells[sum] = (cells[sum] as number) + value
  }

  read(): HistogramReading {
    const counts = [...this.cells]
    const sum = counts.pop() ?? 0
    let below = 0
    const cumulative = counts.map((count) => {
      below += count
      return below
    })
    return { bounds: this.bounds, cumulative, sum }
  }
}

/** A cell for each bound, one for what is larger, and the sum. */
const cellCount = (bounds: readonly number[]): number => bounds.length + 2

/** Bytes of memory for a histogram with these bounds. */
export const histogramBytes = (bounds: readonly number[]): number => cellCount(bounds) * Float64Array.BYTES_PER_ELEMENT

type Labels = Readonly<Record<string, string>>

/** A family of metrics: what shares a name, a type and a meaning. */
export type MetricFamily = {
  /** Without the suffix of its samples (`_total`, `_bucket`, `_info`); a unit comes last. */
  name: string
  unit?: 'seconds' | 'bytes'
  /** One sentence. */
  help: string
} & (
  | { type: 'counter' | 'gauge' | 'info'; samples: { labels?: Labels; value: number }[] }
  | { type: 'histogram'; samples: { labels?: Labels; value: HistogramReading }[] }
)

/** The text exposition of OpenMetrics 1.0. */
export const openMetricsText = (families: readonly MetricFamily[]): string =>
  `${families.flatMap(familyLines).join('\n')}\n# EOF\n`

/** The text exposition of Prometheus, 0.0.4: a family is named as its samples are, and knows neither units nor `info`. */
const prometheusText = (families: readonly MetricFamily[]): string =>
  `${families.flatMap(prometheusLines).join('\n')}\n`

export interface MetricsFormat {
  contentType: string
  text(families: readonly MetricFamily[]): string
}

export const openMetrics: MetricsFormat = {
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: openMetricsText,
}

export const prometheusMetrics: MetricsFormat = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  text: prometheusText,
}

function familyLines(family: MetricFamily): string[] {
  const { name, type, unit, help } = family
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...sampleLines(family),
  ]
}

function prometheusLines(family: MetricFamily): string[] {
  const type = family.type === 'info' ? 'gauge' : family.type
  const name = family.name + (family.type === 'histogram' ? '' : suffixes[family.type])
  const help = family.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...sampleLines(family)]
}

const suffixes = { counter: '_total', gauge: '', info: '_info' }

function sampleLines(family: MetricFamily): string[] {
  const { name } = family
  if (family.type === 'histogram')
    return family.samples.flatMap(({ labels, value }) => bucketLines(name, labels, value))
  const suffix = suffixes[family.type]
  return family.samples.map(({ labels, value }) => sampleLine(name + suffix, labels, value))
}

function bucketLines(name: string, labels: Labels = {}, { bounds, cumulative, sum }: HistogramReading): string[] {
  const buckets = cumulative.map((count, bucket) => {
    const bound = bounds[bucket]
    return sampleLine(`${name}_bucket`, { ...labels, le: bound === undefined ? '+Inf' : floatText(bound) }, count)
  })
  const all = cumulative.at(-1) ?? 0
  return [...buckets, sampleLine(`${name}_count`, labels, all), sampleLine(`${name}_sum`, labels, sum)]
}

function sampleLine(name: string, labels: Labels = {}, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

/** A bucket's bound is written as a float, whole or not (OpenMetrics 1.0, "Numbers"). */
const floatText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound))

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
