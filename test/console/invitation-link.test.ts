import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const byLink = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
const invite = (name: string) => ConsoleVisitor.invite(box, [`${name}@agency.example`, '--owner'])

test('a browser that follows an invitation has no secret in its address, and the link is not spent', async () => {
  const visitor = new ConsoleVisitor(box)
  const { pathname } = new URL(await invite('ada'))
  for (let opened = 0; opened < 2; opened++) {
    const { status, headers, text } = await visitor.get(pathname, byLink)
    expect({ status, to: headers.get('location'), text }).toEqual({ status: 303, to: '/invitation', text: '' })
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
  expect((await visitor.get('/invitation', byLink)).text).toContain('You were invited as <strong>ada@agency.example')
})

test('the form without the secret in its address makes a user who is signed in', async () => {
  const visitor = new ConsoleVisitor(box)
  const link = new URL(await invite('bob'))
  await visitor.get(link.pathname, byLink)
  expect((await visitor.accept(new URL('/invitation', link).href)).status).toBe(200)
  expect((await visitor.get('/')).text).toContain('bob@agency.example')
  expect((await visitor.get('/invitation')).status).toBe(410)
})

test('the cookie comes along from a mail, is hidden from scripts, and goes after an hour', async () => {
  const { pathname } = new URL(await invite('cleo'))
  const { headers } = await new ConsoleVisitor(box).get(pathname, byLink)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^invitation=\w{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
})

test('a link that is good for nothing says so at once', async () => {
  expect((await new ConsoleVisitor(box).get(`/invitation/${'x'.repeat(43)}`, byLink)).status).toBe(410)
})
