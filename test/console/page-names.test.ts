import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pages } from '../../src/console/page/pages.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

// A page is called the same in the navigation and in its own heading.

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  // An only form is shown at once, under its own name.
  const site = aSite({ forms: [aForm(), aForm({ id: 'callback' })] })
  box = await Box.start([site], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const linked = pages.flatMap(({ path, link }) => (link === undefined ? [] : [[link.text, path] as const]))

test.each(linked)('the name of the page %s begins as its link', async (name, path) => {
  const { text } = await owner.get(path.replace(':account', 'acme'))
  expect(/<h1>([^<]*)<\/h1>/.exec(text)?.[1]).toStartWith(name)
})
