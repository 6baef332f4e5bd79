import { describe, expect, test } from 'bun:test'
import { reportMail } from '../../../src/delivery/report-letter.ts'
import { reportLetter } from '../../../src/report/document/letter.ts'
import { reportView } from '../../../src/report/document/report-view.ts'
import { aReport, channelsOf } from './a-report.ts'

const letterOf = (document: ReturnType<typeof aReport>) => reportLetter(reportView(document))
const destination = {
  kind: 'report',
  name: 'monthly',
  to: ['owner@acme.example', 'desk@acme.example'],
  every: 'month',
} as const
const envelope = { sender: { name: null, address: 'leads@agency.example' }, id: 'report.2026-10.a1' }

const full = {
  of: () => ({ visits: 10, leads: 1 }),
  channels: channelsOf({ sources: [{ name: 'google', visits: 310, leads: 31, conversion: 10 }] }),
  forms: [{ id: 'contact1', name: 'Contact', leads: 31, likelyDuplicates: 2 }],
  pages: [{ slug: 'spring', views: 7 }],
  messages: [{ message: 'news', human: 3, suspected: 1, machine: 9 }],
  quarantined: 2,
}

describe('the letter of a report', () => {
  test('says the same in plain text, in columns', () => {
    const { text, subject } = letterOf(aReport({ now: full, earlier: full }))
    expect(subject).toBe('Acme Studio: October 2026, 31 leads')
    expect(text).toStartWith('Acme Studio\nOctober 2026\n1–31 October 2026 · time zone Europe/Berlin\n\n310 visits')
    expect(text).toContain(
      'What works, by source             Visits  Leads\n  google (10.0%)                     310     31\n  In brackets: leads per hundred visits.\n',
    )
    expect(text).toContain('Visits:      310, 3% more (300 in September)\n')
    expect(text).toContain('2 messages are held back. What seems to come from a bot')
  })

  test('says below its figures what they cannot tell, in both of its parts', () => {
    const { text, html } = letterOf(aReport({ now: full, earlier: full, waiting: 1 }))
    for (const part of [text, html]) {
      const places = ['310 visits', 'Most viewed pages', 'still being processed'].map((words) => part.indexOf(words))
      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(places).not.toContain(-1)
    }
  })

  test('shows each of its pictures once, none from elsewhere, and says what they show', () => {
    const { html, pictures } = letterOf(aReport({ now: full, earlier: full }))
    expect([...html.matchAll(/<img src="([^"]*)"/g)].map(([, source]) => source)).toEqual([
      'cid:chart-1',
      'cid:chart-2',
    ])
    expect(pictures.map(({ cid }) => cid)).toEqual(['chart-1', 'chart-2'])
    expect(html).toMatch(/alt="Visits by day: 310 in all/)
    expect(html).not.toMatch(/https?:/)
  })

  test('makes no markup, header or line of what strangers typed', () => {
    const hostile = 'x\r\nBcc: everybody@example.test\r\n\r\n<img src=x onerror=alert(1)>'
    const now = {
      ...full,
      channels: channelsOf({ sources: [{ name: hostile }], campaigns: [{ name: hostile }] }),
      messages: [{ message: hostile, human: 1, suspected: 0, machine: 0 }],
    }
    const letter = letterOf(aReport({ now, account: { name: hostile, timezone: 'UTC', language: null, colour: null } }))
    expect(letter.html).not.toContain('<img src=x')
    expect(letter.text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
    const mail = reportMail(letter, destination, envelope)
    expect([mail.subject, mail.from.name].join()).not.toMatch(/[\r\n]/)
  })

  test('stays under the size at which mail programs cut', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `${index}`.padEnd(100, 'x'))
    const clicks = { human: 1, suspected: 1, machine: 1 }
    const now = {
      ...full,
      channels: channelsOf({ sources: many.map((name) => ({ name })), entryPages: many.map((name) => ({ name })) }),
      pages: many.map((slug) => ({ slug, views: 1 })),
      forms: many.map((id) => ({ id, name: id, leads: 1, likelyDuplicates: 0 })),
      messages: many.map((message) => ({ message, ...clicks })),
    }
    const { html, pictures } = letterOf(aReport({ now, earlier: now }))
    expect(html.length).toBeLessThan(102_000)
    for (const { content } of pictures) expect(content.length).toBeLessThan(10_000)
  })

  test('is marked as an example, in its subject too', () => {
    const { subject, html, text } = letterOf(aReport({ isExample: true }))
    expect(subject).toStartWith('[Example] ')
    for (const part of [html, text]) expect(part).toContain('This is an example')
  })

  test('is addressed to all recipients under the account’s name, with an id that repeats share', () => {
    const mail = reportMail(letterOf(aReport()), destination, envelope)
    expect(mail).toMatchObject({
      from: { name: 'Acme Studio', address: 'leads@agency.example' },
      to: [{ address: 'owner@acme.example' }, { address: 'desk@acme.example' }],
      replyTo: null,
      messageId: '<report.2026-10.a1.monthly@agency.example>',
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [{ cid: 'chart-1', filename: 'chart-1.png', contentType: 'image/png' }],
    })
    expect(
      Buffer.from(mail.attachments[0]?.content ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })
})
