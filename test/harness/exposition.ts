/** A family of metrics as the text names it. */
export interface ExposedFamily {
  name: string
  type: string
  unit: string | null
  help: string
  samples: Sample[]
}

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const suffixesOf: Record<string, string[]> = {
  counter: ['_total'],
  gauge: [''],
  info: ['_info'],
  histogram: ['_bucket', '_count', '_sum'],
}
const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const labelPair = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const number = '(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|[+-]Inf|NaN)'
const metadataLine = new RegExp(`^# (TYPE|UNIT|HELP) (${metricName}) (.*)$`)
const sampleLine = new RegExp(`^(${metricName})(?:\\{(${labelPair}(?:,${labelPair})*)?\\})? (${number})$`)

/** Reads the text exposition of OpenMetrics 1.0. @throws at the first line that breaks its rules */
export function parseExposition(text: string): Map<string, ExposedFamily> {
  if (!text.endsWith('\n# EOF\n')) throw new Error('it does not end with "# EOF" and a line feed')
  const families = new Map<string, ExposedFamily>()
  let family: ExposedFamily | null = null
  for (const line of text.slice(0, -'# EOF\n'.length - 1).split('\n')) {
    const [, keyword, name = '', rest = ''] = metadataLine.exec(line) ?? []
    if (keyword === undefined) takeSample(line, family)
    else if (keyword === 'TYPE') family = begun(families, name, rest)
    else describe(line, family, { keyword, name, rest })
  }
  for (const known of families.values()) checkFamily(known)
  return families
}

function begun(families: Map<string, ExposedFamily>, name: string, type: string): ExposedFamily {
  if (families.has(name)) throw new Error(`${name} is begun twice`)
  if (!(type in suffixesOf)) throw new Error(`${name} has the unknown type ${type}`)
  const family = { name, type, unit: null, help: '', samples: [] }
  families.set(name, family)
  return family
}

function describe(
  line: string,
  family: ExposedFamily | null,
  { keyword, name, rest }: { keyword: string; name: string; rest: string },
): void {
  if (family?.name !== name || family.samples.length > 0) throw new Error(`out of place: ${line}`)
  const isUnit = keyword === 'UNIT'
  if (rest === '' || (isUnit ? family.unit !== null : family.help !== '')) throw new Error(`empty or twice: ${line}`)
  if (isUnit) family.unit = rest
  else family.help = rest
}

function takeSample(line: string, family: ExposedFamily | null): void {
  const [, name = '', pairs = '', value = ''] = sampleLine.exec(line) ?? []
  if (name === '') throw new Error(`no sample: ${line}`)
  const suffixes = suffixesOf[family?.type ?? ''] ?? []
  if (family === null || !suffixes.some((suffix) => name === family.name + suffix)) {
    throw new Error(`of no family that has begun: ${line}`)
  }
  const found = [...pairs.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)]
  const labels = Object.fromEntries(found.map(([, label = '', text = '']) => [label, unescaped(text)]))
  if (Object.keys(labels).length !== found.length) throw new Error(`a label twice: ${line}`)
  const id = JSON.stringify([name, Object.entries(labels).sort()])
  if (family.samples.some((known) => JSON.stringify([known.name, Object.entries(known.labels).sort()]) === id)) {
    throw new Error(`a sample twice: ${line}`)
  }
  family.samples.push({ name, labels, value: value.endsWith('Inf') ? Number.POSITIVE_INFINITY : Number(value) })
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))

function checkFamily({ name, type, unit, help, samples }: ExposedFamily): void {
  if (help === '') throw new Error(`${name} has no HELP`)
  if (unit !== null && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end in its unit ${unit}`)
  const negative = samples.find(({ value }) => type !== 'gauge' && !(value >= 0))
  if (negative !== undefined) throw new Error(`${name} has the value ${negative.value}`)
  if (type === 'histogram') checkHistogram(name, samples)
}

/** Buckets ascend and are cumulative, the last is +Inf, and the count is the last bucket's. */
function checkHistogram(name: string, samples: Sample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, of] of series) {
    const buckets = of.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)))
    const ascends = (values: number[]) => values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0))
    const counts = of.filter((sample) => sample.name === `${name}_count`)
    const isWhole = counts.length === 1 && of.filter((sample) => sample.name === `${name}_sum`).length === 1
    const isSound =
      ascends(bounds) && new Set(bounds).size === bounds.length && ascends(buckets.map(({ value }) => value))
    if (
      !isWhole ||
      !isSound ||
      bounds.at(-1) !== Number.POSITIVE_INFINITY ||
      counts[0]?.value !== buckets.at(-1)?.value
    ) {
      throw new Error(`the histogram ${name} ${labels} is unsound`)
    }
  }
}
