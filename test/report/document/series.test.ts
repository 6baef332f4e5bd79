import { expect, test } from 'bun:test'
import { Locale } from '../../../src/language/locale.ts'
import { seriesOf } from '../../../src/report/document/series.ts'

const locale = new Locale('en')
/** A Monday. */
const monday = Date.parse('2026-10-05') / 86_400_000

test('a chart of 8 to 62 days has two to seven labels, whatever day it begins on', () => {
  for (let days = 8; days <= 62; days++)
    for (let fromDay = monday; fromDay < monday + 7; fromDay++) {
      const { points } = seriesOf({ fromDay, untilDay: fromDay + days }, [], { locale })
      const labels = points.filter(({ tick }) => tick !== null).length
      expect({ days, isReadable: labels >= 2 && labels <= 7 }).toEqual({ days, isReadable: true })
    }
})
