import { expect, test } from 'bun:test'
import { appendFortnight } from '../../../src/cli/serve/demo-fortnight.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { derivedId } from '../../../src/lib/id.ts'

const site = {
  account: { id: derivedId(Date.UTC(2026, 0, 15), 'the demo account') },
  form: { id: 'neapform', version: 1, consentTextId: null, honeypot: null },
  origin: 'http://127.0.0.1:8080',
  home: 'open-press',
  contents: new Map([['open-press', 'a'.repeat(64)]]),
}

/** A ledger whose user may press Ctrl-C once something is stored. */
function aLedger({ isInterrupted = false } = {}) {
  const stored: Entry[] = []
  const ledger = {
    readAfter: async () => stored.slice(0, 1),
    append: async (entries: Entry[]) => {
      stored.push(...entries)
      if (isInterrupted) throw new Error('interrupted')
    },
  }
  return { stored, fill: () => appendFortnight(ledger as never, site as never) }
}

test('the start after an interrupted one leaves a whole fortnight', async () => {
  const whole = aLedger()
  await whole.fill()
  const interrupted = aLedger({ isInterrupted: true })
  await interrupted.fill().catch(() => {})
  await interrupted.fill()
  expect(whole.stored.length).toBeGreaterThan(200)
  expect(interrupted.stored).toEqual(whole.stored)
})

test('made-up visitors see pages that are published, whose content the box has', async () => {
  const { stored, fill } = aLedger()
  await fill()
  const seen = stored.flatMap((entry) => (entry.kind === 'page_view' ? [entry.sha256] : []))
  expect(new Set(seen)).toEqual(new Set(site.contents.values()))
})
