import { expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { getRequest, svgImage, trackedLink } from './harness/requests.ts'

const pageText = '<!doctype html><title>Launch</title><p>We launch today.'
const site = aSite({ files: { 'pages/launch.html': pageText, 'img/dot.svg': svgImage, 'files/terms.txt': 'Fair.' } })

test('what is applied beside a running server is live within a second', async () => {
  await using box = await BinaryBox.make()
  await using server = await box.serve()
  await box.apply(site)
  const isLive = async () => (await server.send(getRequest('/launch'))).status === 200
  await eventually('the page is live', isLive)
  expect((await server.send(getRequest('/launch'))).text).toBe(pageText)
  expect((await server.send(getRequest('/_svc/img/dot.svg'))).text).toBe(svgImage)
  expect((await server.send(getRequest('/_svc/file/terms.txt'))).text).toBe('Fair.')
  expect((await server.send(getRequest('/_svc/v1.js'))).headers.get('content-type')).toContain('javascript')
})

test('a submission, a batch, a click and a page view are captured and exported', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  await using server = await box.serve()

  const submitted = await server.send(formRequest({ fields: { email: 'Ada@Example.test', message: 'Hello' } }))
  const batch = await server.send(eventRequest({ events: [{ event: 'plan_chosen' }, { event: 'plan_paid' }] }))
  const clicked = await server.send(await trackedLink(box))
  const viewed = await server.send(getRequest('/launch'))
  expect([batch.status, clicked.status, viewed.status]).toEqual([202, 302, 200])
  expect(clicked.headers.get('location')).toBe('http://go.acme.test/launch')

  const [submission, ...others] = await box.submissions()
  expect(others).toEqual([])
  expect(submission).toMatchObject({
    submissionId: submissionIdOf(submitted),
    identity: { email: 'ada@example.test' },
    fields: { email: 'Ada@Example.test', message: 'Hello' },
  })
  const names = ['plan_chosen', 'plan_paid', '$click', '$pageview']
  // A page is sent before its view is stored.
  await eventually('the page view is stored', async () => (await box.events()).length >= names.length)
  expect((await box.events()).map(({ event }) => event)).toEqual(names)
})

test('a record says from which address it came', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  await using server = await box.serve()
  await server.send(formRequest())
  await server.send(eventRequest())
  expect((await box.submissions()).map(({ source }) => source.ip)).toEqual(['127.0.0.1'])
  expect((await box.events()).map(({ source }) => source.ip)).toEqual(['127.0.0.1'])
})

test('what was captured is there after a stop and a start', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  const first = await box.serve()
  const before = submissionIdOf(await first.send(formRequest()))
  await first.stop()
  const second = await box.serve()
  const after = submissionIdOf(await second.send(formRequest()))
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([before, after])
})

test('an export to CSV has a head and a line for every submission', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  await using server = await box.serve()
  await server.send(formRequest())
  const csv = await box.done(['export', 'acme', 'submissions', '--format', 'csv'])
  expect(csv.trimEnd().split('\r\n')).toHaveLength(2)
})
