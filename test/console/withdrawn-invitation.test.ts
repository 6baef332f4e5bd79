import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  const sites = ['going', 'staying'].map((account) => aSite({ account }))
  box = await Box.start(sites, { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

test('an invitation goes with its account, and makes nobody', async () => {
  const owner = await ConsoleVisitor.owner(box)
  const invite = (account: string) =>
    ConsoleVisitor.invite(box, [`lea@${account}.example`, '--account', account, '--role', 'admin'])
  const links = { going: await invite('going'), staying: await invite('staying') }
  expect((await box.run(['account', 'remove', 'going', '--yes'])).status).toBe(0)

  const late = new ConsoleVisitor(box)
  expect((await late.get(new URL(links.going).pathname)).status).toBe(410)
  expect((await late.accept(links.going)).status).toBe(410)
  expect((await owner.get('/api/v1/users?q=lea@going.example')).text).not.toContain('lea@')
  expect((await new ConsoleVisitor(box).accept(links.staying)).status).toBe(200)
})
