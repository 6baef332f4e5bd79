import { describe, expect, test } from 'bun:test'
import { planText } from '../../src/cli/apply/plan-text.ts'
import { plain, type Tone } from '../../src/cli/output/style.ts'
import type { AppliedFolder } from '../../src/operations/apply/apply-folder.ts'
import type { Change, FieldChange } from '../../src/site/change.ts'

const aPlan = (changes: Change[]) => ({ account: 'acme', changes, warnings: [], harm: [] }) as unknown as AppliedFolder

const aChange = (...fields: FieldChange[]): Change => ({
  action: 'update',
  kind: 'settings',
  name: 'acme',
  note: null,
  fields,
})

const long = 'noindex, nofollow, and a text that will not fit into sixty columns of a terminal'
const address = `https://go.acme.example/${'a'.repeat(100)}`
const text = {
  field: 'reply.text',
  before: 'Hello\n',
  after: 'Hi\n',
  diff: `@@ -1,1 +1,1 @@\n-Hello\n+${'Hi '.repeat(40)}`,
}

describe('a plan in a terminal of 60 columns', () => {
  const change = aChange(
    { field: 'domains', before: 'go.acme.example', after: 'start.acme.example' },
    { field: 'robots', before: null, after: long },
    { field: 'contact', before: address, after: null },
    text,
  )
  const lines = planText(aPlan([change]), 'published', { style: plain, columns: 60 }).split('\n')

  test('has no longer line', () => {
    expect(lines.filter((line) => Bun.stringWidth(line) > 60)).toEqual([])
  })

  test('keeps a short value on its line, wraps a long one, and cuts a word that is too long', () => {
    expect(lines.slice(0, 8)).toEqual([
      'acme: 1 change (1 changed); published.',
      '  ~ settings acme',
      '      domains: go.acme.example → start.acme.example',
      '      robots:',
      '        + noindex, nofollow, and a text that will not fit',
      '          into sixty columns of a terminal',
      '      contact:',
      expect.stringMatching(/^ {8}- https:\/\/go\.acme\.example\/a+…$/),
    ])
  })
})

describe('a plan', () => {
  test('has colours only as the style gives them', () => {
    const marked = (tone: Tone, text: string) => `<${tone}>${text}</${tone}>`
    const shown = planText(aPlan([aChange(text)]), null, { style: marked })
    expect(shown).toContain('<doubtful>~</doubtful> settings acme')
    expect(shown).toContain('<bad>        -Hello</bad>\n')
  })

  test('writes control characters out, wherever they stand', () => {
    const sly = '\u001b[31mred'
    const change = aChange(
      { field: sly, before: sly, after: null },
      { field: 'text', before: 'a\n', after: `${sly}\n`, diff: `-a\n+${sly}` },
    )
    expect(planText(aPlan([{ ...change, name: sly }]), null, { style: plain })).not.toContain('\u001b')
  })

  test('shows 20 fields of a change and 12 lines of a diff, and counts the others', () => {
    const fields = Array.from({ length: 25 }, (_, index) => ({ field: `key${index}`, before: 'a', after: 'b' }))
    const diff = Array.from({ length: 30 }, (_, index) => `+line ${index}`).join('\n')
    const shown = planText(aPlan([aChange(...fields), aChange({ ...text, diff })]), null, { style: plain })
    expect([shown.match(/key\d+:/g)?.length, shown.match(/\+line/g)?.length]).toEqual([20, 12])
    expect(shown).toContain('      … and 5 more\n')
    expect(shown).toContain('        … 18 more lines\n')
  })
})
