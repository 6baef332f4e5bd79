import { expect, test } from 'bun:test'
import { Histogram, type MetricFamily, openMetricsText, prometheusMetrics } from '../../../src/lib/metrics.ts'
import { parseExposition } from '../../harness/exposition.ts'

test('a value belongs to the first bucket whose bound it does not exceed', () => {
  const histogram = new Histogram([1, 2.5, 10])
  for (const value of [0, 1, 1.5, 2.5, 10, 11, 12]) histogram.observe(value)
  expect(histogram.read()).toEqual({ bounds: [1, 2.5, 10], cumulative: [2, 4, 5, 7], sum: 38 })
})

test('two histograms over the same memory are one', () => {
  const memory = new SharedArrayBuffer(64)
  new Histogram([1, 2], memory, 8).observe(2)
  expect(new Histogram([1, 2], memory, 8).read()).toEqual({ bounds: [1, 2], cumulative: [0, 1, 1], sum: 2 })
})

function oneOfEachType(): MetricFamily[] {
  const histogram = new Histogram([0.5, 1])
  histogram.observe(0.75)
  return [
    { name: 'requests', type: 'counter', help: 'All.', samples: [{ labels: { code: '200' }, value: 3 }] },
    { name: 'free_bytes', type: 'gauge', unit: 'bytes', help: 'Free.', samples: [{ value: 1.5 }] },
    { name: 'build', type: 'info', help: 'What runs.', samples: [{ labels: { version: '1' }, value: 1 }] },
    { name: 'took_seconds', type: 'histogram', unit: 'seconds', help: 'Time.', samples: [{ value: histogram.read() }] },
  ]
}

test('every type of family is written as OpenMetrics wants it', () => {
  const text = openMetricsText(oneOfEachType())
  expect(text).toBe(`# TYPE requests counter
# HELP requests All.
requests_total{code="200"} 3
# TYPE free_bytes gauge
# UNIT free_bytes bytes
# HELP free_bytes Free.
free_bytes 1.5
# TYPE build info
# HELP build What runs.
build_info{version="1"} 1
# TYPE took_seconds histogram
# UNIT took_seconds seconds
# HELP took_seconds Time.
took_seconds_bucket{le="0.5"} 0
took_seconds_bucket{le="1.0"} 1
took_seconds_bucket{le="+Inf"} 1
took_seconds_count 1
took_seconds_sum 0.75
# EOF
`)
})

test('every type of family is written as Prometheus wants it, to whom reads that alone', () => {
  expect(prometheusMetrics.text(oneOfEachType())).toBe(`# HELP requests_total All.
# TYPE requests_total counter
requests_total{code="200"} 3
# HELP free_bytes Free.
# TYPE free_bytes gauge
free_bytes 1.5
# HELP build_info What runs.
# TYPE build_info gauge
build_info{version="1"} 1
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 0
took_seconds_bucket{le="1.0"} 1
took_seconds_bucket{le="+Inf"} 1
took_seconds_count 1
took_seconds_sum 0.75
`)
})

test('quotes, backslashes and line feeds of a label come back as they were', () => {
  const value = 'a "quoted" \\ back\nslash'
  const text = openMetricsText([
    { name: 'one', type: 'gauge', help: 'One.', samples: [{ labels: { value }, value: 1 }] },
  ])
  expect(parseExposition(text).get('one')?.samples).toEqual([{ name: 'one', labels: { value }, value: 1 }])
})
