import { describe, expect, test } from 'bun:test'
import { ASiteFolder } from './a-site-folder.ts'

const forms = '[[forms]]\nid = "contact1"\nname = "Contact"\n'

async function settingsOf(toml: string) {
  using site = new ASiteFolder(`${forms}${toml}`)
  const { goals, funnels } = (await site.read()).settings
  return { goals, funnels }
}

async function faultsOf(toml: string): Promise<string[]> {
  using site = new ASiteFolder(`${forms}${toml}`)
  return await site.faults()
}

describe('goals in site.toml', () => {
  test('are forms, events and pages', async () => {
    expect(
      await settingsOf(`
[[goals]]
name = "Lead"
form = "contact1"
[[goals]]
name = "Signed up"
event = "signed up"
[[goals]]
name = "Thanks"
page = "/über/uns/"
[[funnels]]
name = "Quote"
steps = [{ page = "/" }, { event = "opened" }, { form = "contact1" }]
`),
    ).toEqual({
      goals: [
        { name: 'Lead', aim: { kind: 'form', form: 'contact1' } },
        { name: 'Signed up', aim: { kind: 'event', event: 'signed up' } },
        { name: 'Thanks', aim: { kind: 'page', page: '/%C3%BCber/uns' } },
      ],
      funnels: [
        {
          name: 'Quote',
          steps: [
            { kind: 'page', page: '/' },
            { kind: 'event', event: 'opened' },
            { kind: 'form', form: 'contact1' },
          ],
        },
      ],
    })
  })

  test.each([
    ['[[goals]]\nname = "A"', 'goals[0]: needs one of form, event and page, which says what counts'],
    ['[[goals]]\nname = "A"\nform = "contact1"\npage = "/a"', 'goals[0]: needs one of form, event and page'],
    ['[[goals]]\nname = "A"\npage = "offer"', 'goals[0].page: must be the path of a page, such as "/thank-you"'],
    ['[[goals]]\nname = "A"\npage = "/a?b=1"', 'goals[0].page: must be the path of a page'],
    ['[[goals]]\nname = "A"\npage = "//a.example"', 'goals[0].page: must be the path of a page'],
    ['[[goals]]\npage = "/a"', 'goals[0].name'],
    [
      '[[goals]]\nname = "A"\npage = "/a"\n[[goals]]\nname = "A"\npage = "/b"',
      'goals[1].name: "A" is also the name of goals[0]',
    ],
    [
      '[[goals]]\nname = "A"\npage = "/a"\n[[goals]]\nname = "B"\npage = "/a/"',
      'goals[1]: counts the same as goals[0]',
    ],
    ['[[funnels]]\nname = "A"\nsteps = [{ page = "/a" }]', 'funnels[0].steps'],
    [`[[funnels]]\nname = "A"\nsteps = [${Array(9).fill('{ page = "/a" }').join(', ')}]`, 'funnels[0].steps'],
    [
      '[[funnels]]\nname = "A"\nsteps = [{ page = "/a" }, { }]',
      'funnels[0].steps[1]: needs one of form, event and page',
    ],
    [
      '[[funnels]]\nname = "A"\nsteps = [{ page = "/a" }, { page = "/b" }]\n[[funnels]]\nname = "B"\nsteps = [{ page = "/a" }, { page = "/b" }]',
      'funnels[1]: counts the same as funnels[0]',
    ],
  ])('that make no sense are faults beside their line: %s', async (toml, fault) => {
    const faults = await faultsOf(toml)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^site\.toml:\d+ /)
    expect(faults[0]).toContain(fault)
  })
})
