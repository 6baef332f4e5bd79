import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpointGroups } from '../../src/console/api/endpoints.ts'
import { openPages, pages } from '../../src/console/page/pages.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import type { Answer, Sent } from '../harness/http.ts'
import { visit } from '../harness/visits.ts'

// Whatever a visitor, a stranger or a user sends, in whichever part of a request, reaches no line of the log and no error.

const mark = 'tellmark'
/** A mark in the shape of a secret of ours: 43 characters of base64url. */
const secret = mark.padEnd(43, 'x')

let box: Box
let owner: ConsoleVisitor
let token: { token: string }
beforeAll(async () => {
  const site = aSite({ forms: [aForm()], files: { 'pages/page1.html': '<!doctype html><title>Page</title>' } })
  box = await Box.start([site], { console: { listen: '127.0.0.1:0' }, log: { level: 'debug' } })
  owner = await ConsoleVisitor.owner(box)
  token = await newToken(box, '--box', '--scope', 'read', '--scope', 'publish', '--scope', 'release')
}, boxStartMsMax)
afterAll(() => box.stop())

const markedHeaders = {
  'user-agent': `${mark}/1.0`,
  referer: `https://${mark}.example/${mark}?email=${mark}@example.test`,
  cookie: `__Host-svc_id=${secret}; ${mark}=${mark}`,
  'x-forwarded-for': mark,
  'x-svc-site-key': secret,
  authorization: `Bearer cap_${secret}`,
}

/** Every endpoint of visitors, with marks where it reads something. */
const fromVisitors: Sent[] = [
  formRequest({ fields: { email: `${mark}@example.test`, name: mark, [mark]: mark }, headers: markedHeaders }),
  formRequest({ fields: { _hp: mark, email: mark }, headers: markedHeaders }),
  formRequest({ form: mark, headers: markedHeaders }),
  formRequest({ body: `{"email": ${mark}`, headers: markedHeaders }),
  formRequest({ headers: { ...markedHeaders, origin: `https://${mark}.example` } }),
  formRequest({ headers: { ...markedHeaders, 'content-type': `text/${mark}` } }),
  formRequest({ fields: { text: mark.repeat(4000) } }),
  eventRequest({
    events: [{ event: mark, properties: { url: `https://x.test/?email=${mark}@example.test`, [mark]: mark } }],
  }),
  eventRequest({ events: [{ event: '$identify', traits: { email: `${mark}@example.test`, [mark]: mark } }] }),
  eventRequest({ body: `[${mark}` }),
  eventRequest({ headers: markedHeaders }),
  ...[
    `/${mark}`,
    `/page1?utm_source=${mark}&email=${mark}@example.test`,
    `/_svc/c/${secret}`,
    `/_svc/c/${secret}?u=https://${mark}.example/`,
    `/_svc/u/${secret}`,
    `/_svc/${mark}?${mark}`,
    `/preview/${mark}?sig=${secret}`,
    `/%${mark}`,
    `/page1?${mark}=%00`,
  ].map((path) => visit(path, { headers: markedHeaders })),
  visit('/page1', { host: `${mark}.example`, headers: markedHeaders }),
  visit(`/preview/acme/page1?expires=1&sig=${secret}`, { host: 'preview.localhost' }),
  visit(`/_svc/u/${secret}`, { method: 'POST', body: `address=${mark}` }),
]

const paramsMarked = (path: string): string => path.replace(':account', 'acme').replaceAll(/:\w+/g, mark)

const marked = { [mark]: mark, email: `${mark}@example.test`, name: mark, password: mark, code: mark, secret: mark }

test('what visitors send is in no error', async () => {
  const errors: Answer[] = []
  for (const sent of fromVisitors) {
    const answer = await box.send(sent)
    if (answer.status >= 400) errors.push(answer)
  }
  expect(errors.length).toBeGreaterThan(10)
  expect(errors.filter(({ text }) => text.includes(mark)).map(({ text }) => text)).toEqual([])
})

test('what is sent to the API is in no error', async () => {
  const texts: string[] = []
  for (const caller of [owner, token, { token: `cap_${secret}` }]) {
    for (const { method, path } of endpointGroups.flatMap((group) => group.endpoints)) {
      const call = apiOf(box, caller)
      const sent = method === 'GET' || method === 'DELETE' ? {} : { json: marked }
      const answer = await call(method, `${paramsMarked(path)}?q=${mark}&cursor=${mark}`, sent)
      if (answer.status >= 400) texts.push(answer.text)
    }
  }
  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter((text) => text.includes(mark))).toEqual([])
})

test('nothing of it is in the log, nor what pages of the console are sent', async () => {
  const sender = new ConsoleVisitor(box)
  for (const { path } of openPages) {
    for (const method of ['GET', 'POST']) {
      await sender.send(method, `${path.replaceAll(/:\w+/g, secret)}?to=/${mark}`, method === 'POST' ? marked : null)
    }
    await sender.sendJson('POST', path.replaceAll(/:\w+/g, secret), { credential: { id: mark, response: marked } })
  }
  for (const page of pages.filter(({ asksByItself }) => asksByItself !== true)) {
    await owner.get(`${paramsMarked(page.path)}?q=${mark}&cursor=${mark}`)
    if (page.forms !== undefined) await owner.send('POST', paramsMarked(page.path), { ...marked, act: mark })
  }
  expect(box.logged.length).toBeGreaterThan(2)
  expect(box.logged.filter((line) => line.includes(mark))).toEqual([])
})
