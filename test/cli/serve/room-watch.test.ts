import { expect, test } from 'bun:test'
import { RoomWatch } from '../../../src/cli/serve/housekeeping.ts'
import { openLog } from '../../../src/lib/log.ts'

/** What is logged, level and first words, while the free megabytes go this way with `min_free_mb = 100`. */
function logged(freeMb: number[], minFreeMb = 100): string[] {
  const lines: string[] = []
  const write = (line: string) => {
    const { level, message } = JSON.parse(line)
    lines.push(`${level} ${message.split(':')[0]}`)
  }
  const [first = 0, ...later] = freeMb
  const watch = new RoomWatch(first, minFreeMb, openLog({ level: 'info', format: 'json', write, now: () => 0 }))
  for (const free of later) watch.update(free)
  return lines
}

const viewsGone = 'warn Page views are no longer stored'
const viewsBack = 'info Page views are stored again'
const eventsGone = 'warn Events are no longer stored'
const eventsBack = 'info Events are stored again'

test('crossing each floor is said once each way, in order', () => {
  const wayDownAndUp = [200, 120, 99, 90, 60, 49, 40, 20, 40, 56, 100, 111, 200]
  expect(logged(wayDownAndUp)).toEqual([viewsGone, eventsGone, eventsBack, viewsBack])
})

test('a disk on the edge does not flap', () => {
  const onTheEdge = [101, ...Array.from({ length: 100 }, (_, look) => (look % 2 === 0 ? 99 : 109))]
  expect(logged(onTheEdge)).toEqual([viewsGone])
})

test('a start with too little room says so', () => {
  expect(logged([60])).toEqual([viewsGone])
  expect(logged([40])).toEqual([viewsGone, eventsGone])
})

test('with no floor nothing is ever said', () => {
  expect(logged([10, 0, 10], 0)).toEqual([])
})

test('a first look between the floor and room again stores everything', () => {
  expect(logged([105, 105])).toEqual([])
})
