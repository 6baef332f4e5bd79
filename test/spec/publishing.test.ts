// Spec, "States and transitions", and docs/running.md: what a command changes is live within a second, without a restart
// and all at once.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ASite, aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { applyAnew, becomesLive, changesOf } from '../harness/publishing.ts'
import { headersOf, visit } from '../harness/visits.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ account: 'other', files: { 'pages/stays.html': 'stays' } })])
}, boxStartMsMax)

afterAll(() => box.stop())

/** An account of a test's own: what one test publishes, no other sees. */
let made = 0
function ownSite(overrides: Partial<ASite> = {}): ASite {
  made += 1
  return aSite({ account: `site-${made}`, files: { 'pages/one.html': 'first', 'pages/two.html': 'two' }, ...overrides })
}

const page = ({ account }: ASite, slug = 'one') => visit(`/${slug}`, { account })

/** The same site otherwise, published before and after. */
async function republished(before: ASite, after: Partial<ASite>, ...flags: string[]): Promise<ASite> {
  const site = { ...before, ...after }
  await changesOf(box, before)
  await changesOf(box, site, ...flags)
  return site
}

describe('within one second of `apply`, without a restart,', () => {
  test('a new account is there', async () => {
    const site = ownSite()
    await changesOf(box, site)
    await becomesLive(box, page(site), { status: 200, text: 'first' })
    await becomesLive(box, formRequest({ account: site.account }), { status: 200 })
    await becomesLive(box, eventRequest({ account: site.account }), { status: 202 })
  })

  test('a changed page is there', async () => {
    const site = await republished(ownSite(), { files: { 'pages/one.html': 'second' } })
    await becomesLive(box, page(site), { status: 200, text: 'second' })
  })

  test('a new page, image and file are there', async () => {
    const files = { 'pages/new.html': 'new', 'img/new.png': 'image', 'files/new.pdf': 'file' }
    const site = await republished(ownSite(), { files })
    const { account } = site
    await becomesLive(box, page(site, 'new'), { status: 200, text: 'new' })
    await becomesLive(box, visit('/_svc/img/new.png', { account }), { status: 200, text: 'image' })
    await becomesLive(box, visit('/_svc/file/new.pdf', { account }), { status: 200, text: 'file' })
  })

  test('a page that went into preview is gone, and is there again when it is live again', async () => {
    const live = ownSite()
    const draft = await republished(live, { previews: ['pages/one.html'] })
    await becomesLive(box, page(draft), { status: 404 })
    await changesOf(box, live)
    await becomesLive(box, page(live), { status: 200, text: 'first' })
  })

  test('an image and a file that went into preview are gone', async () => {
    const files = { 'img/a.png': 'image', 'files/a.pdf': 'file' }
    const { account } = await republished(ownSite({ files }), { previews: Object.keys(files) })
    await becomesLive(box, visit('/_svc/img/a.png', { account }), { status: 404 })
    await becomesLive(box, visit('/_svc/file/a.pdf', { account }), { status: 404 })
  })

  test('a form that is no longer registered is unknown, and reported so', async () => {
    const { account } = await republished(ownSite(), { forms: [aForm({ registered: false })] })
    await becomesLive(box, formRequest({ account }), { status: 404 })
    const configuration = await box.send(visit('/_svc/rc?f=contact1', { account }))
    expect(JSON.parse(configuration.text).forms).toEqual({ contact1: { registered: false } })
  })

  test('an origin that was taken off the allowlist is refused', async () => {
    const { account } = await republished(ownSite(), { origins: [] })
    await becomesLive(box, formRequest({ account }), { status: 403 })
  })

  test('tracking that was switched off refuses events', async () => {
    const before = ownSite()
    const { account } = await republished(before, { tracking: { ...before.tracking, enabled: false } })
    await becomesLive(box, eventRequest({ account }), { status: 403 })
  })

  test('another tracking key is the one that matches', async () => {
    const { account } = await republished(ownSite(), { tracking: { key: trackingKeyOf('another') } })
    await becomesLive(box, eventRequest({ account }), { status: 403 })
    const withNew = eventRequest({ account, headers: { 'x-svc-site-key': trackingKeyOf('another') } })
    expect((await box.send(withNew)).status).toBe(202)
  })

  test('the robots posture and the home follow', async () => {
    const site = await republished(ownSite(), { robots: 'none', home: 'two' })
    await becomesLive(box, page(site, ''), { status: 200, text: 'two' })
    expect(headersOf(await box.send(page(site)), 'x-robots-tag')).toEqual({ 'x-robots-tag': 'none' })
  })

  test('a domain that was given up is nobody’s, and may become another account’s', async () => {
    const before = ownSite({ domains: ['one.moving.test', 'two.moving.test'] })
    await republished(before, { domains: ['two.moving.test'] })
    const asked = visit('/one', { host: 'one.moving.test' })
    await becomesLive(box, asked, { status: 404, text: '' })
    await changesOf(box, ownSite({ domains: ['one.moving.test'], files: { 'pages/one.html': 'the other’s' } }))
    await becomesLive(box, asked, { status: 200, text: 'the other’s' })
  })

  test('what belongs to other accounts is as it was', async () => {
    await changesOf(box, ownSite(), '--prune')
    expect((await box.send(visit('/stays', { account: 'other' }))).text).toBe('stays')
  })
})

describe('without `--prune` what the folder no longer holds stays; with it', () => {
  const files = { 'pages/two.html': 'two', 'img/a.png': 'image', 'files/a.pdf': 'file' }
  const forms = [aForm(), aForm({ id: 'second00' })]

  test('it stays', async () => {
    const site = await republished(ownSite({ files, forms }), { files: { 'pages/new.html': 'new' }, forms: [aForm()] })
    await becomesLive(box, page(site, 'new'), { status: 200 })
    expect((await box.send(page(site, 'two'))).text).toBe('two')
    expect((await box.send(visit('/_svc/img/a.png', { account: site.account }))).status).toBe(200)
    expect((await box.send(formRequest({ account: site.account, form: 'second00' }))).status).toBe(200)
  })

  test('it goes, and what the folder holds stays', async () => {
    const before = ownSite({ files: { ...files, 'pages/one.html': 'one' }, forms })
    const site = await republished(before, { files: { 'pages/one.html': 'one' }, forms: [aForm()] }, '--prune')
    const { account } = site
    await becomesLive(box, page(site, 'two'), { status: 404 })
    expect((await box.send(visit('/_svc/img/a.png', { account }))).status).toBe(404)
    expect((await box.send(visit('/_svc/file/a.pdf', { account }))).status).toBe(404)
    expect((await box.send(formRequest({ account, form: 'second00' }))).status).toBe(404)
    expect((await box.send(page(site))).text).toBe('one')
    expect((await box.send(formRequest({ account }))).status).toBe(200)
  })

  test('each removal is printed', async () => {
    const before = ownSite({ files, forms })
    await changesOf(box, before)
    expect(await changesOf(box, { ...before, files: {}, forms: [aForm()] }, '--prune')).toEqual([
      { action: 'delete', kind: 'file', name: 'a.pdf' },
      { action: 'delete', kind: 'form', name: 'Form second00' },
      { action: 'delete', kind: 'image', name: 'a.png' },
      { action: 'delete', kind: 'page', name: 'two' },
    ])
  })

  test('a page that was pruned comes back with the folder', async () => {
    const before = ownSite()
    await republished(before, { files: {} }, '--prune')
    await becomesLive(box, page(before), { status: 404 })
    await changesOf(box, before)
    await becomesLive(box, page(before), { status: 200, text: 'first' })
  })
})

describe('`apply`', () => {
  test('run twice changes nothing the second time', async () => {
    const site = ownSite({ files: { 'pages/one.html': 'one', 'img/a.svg': '<svg/>', 'files/a.pdf': 'file' } })
    await changesOf(box, site)
    expect(await changesOf(box, site)).toEqual([])
    expect(await changesOf(box, site, '--prune')).toEqual([])
  })

  test('with `--dry-run` prints what it would change, and changes nothing', async () => {
    const site = ownSite()
    const planned = await changesOf(box, site, '--dry-run')
    expect(planned).toEqual(await changesOf(box, site, '--dry-run'))
    expect((await box.send(page(site))).status).toBe(404)
    expect(await changesOf(box, site)).toEqual(planned)
  })

  test('of a faulty folder changes nothing', async () => {
    const before = ownSite()
    await changesOf(box, before)
    const faulty = { ...before, files: { 'pages/one.html': 'second', 'img/a.exe': 'no image' } }
    const { status, stderr } = await applyAnew(box, faulty)
    expect([status, stderr]).toEqual([1, expect.stringContaining('img/a.exe')])
    expect(await changesOf(box, before)).toEqual([])
    expect((await box.send(page(before))).text).toBe('first')
  })

  test.each([
    ['another account', 'go.other.test', '"other"'],
    ['the preview host', 'preview.localhost', 'preview'],
  ])('with a domain of %s changes nothing and names the holder', async (_whose, domain, holder) => {
    const site = ownSite({ domains: ['go.free.test', domain] })
    const { status, stderr } = await applyAnew(box, site)
    expect([status, stderr]).toEqual([1, expect.stringContaining(domain)])
    expect(stderr).toContain(holder)
    expect((await box.send(visit('/one', { host: 'go.free.test' }))).status).toBe(404)
  })
})

describe('a page moved by hand', () => {
  const run = async (...argv: string[]): Promise<string> => {
    const { status, stdout, stderr } = await box.run(argv)
    if (status !== 0) throw new Error(`capture ${argv.join(' ')} failed: ${stderr}`)
    return stdout
  }

  test('is gone within a second of `page unpublish`, and back within a second of `page publish`', async () => {
    const site = ownSite()
    await changesOf(box, site)
    await becomesLive(box, page(site), { status: 200 })
    await run('page', 'unpublish', site.account, 'one')
    await becomesLive(box, page(site), { status: 404 })
    await run('page', 'publish', site.account, 'one')
    await becomesLive(box, page(site), { status: 200, text: 'first' })
  })

  test('is the earlier version within a second of `page rollback`', async () => {
    const site = await republished(ownSite(), { files: { 'pages/one.html': 'second' } })
    await becomesLive(box, page(site), { status: 200, text: 'second' })
    await run('page', 'rollback', site.account, 'one')
    await becomesLive(box, page(site), { status: 200, text: 'first' })
  })

  test('is what the folder says after the next `apply`, which says so', async () => {
    const site = await republished(ownSite(), { files: { 'pages/one.html': 'second' } })
    await run('page', 'rollback', site.account, 'one')
    const { stdout } = await applyAnew(box, site)
    expect(stdout).toMatch(/page one .*rolled back by hand on .*, now as in the folder/)
    await becomesLive(box, page(site), { status: 200, text: 'second' })
  })

  test('keeps its short id', async () => {
    const site = await republished(ownSite(), { files: { 'pages/one.html': 'second' } })
    const idOf = async () => {
      const { pages } = JSON.parse((await applyAnew(box, site, '--json', '--dry-run')).stdout)
      return pages.find(({ slug }: { slug: string }) => slug === 'one').id
    }
    const before = await idOf()
    await run('page', 'rollback', site.account, 'one')
    expect(await idOf()).toBe(before)
  })
})

test('an account that is removed is gone within a second', async () => {
  const site = ownSite()
  await changesOf(box, site)
  await becomesLive(box, page(site), { status: 200 })
  expect((await box.run(['account', 'remove', site.account, '--yes'])).status).toBe(0)
  await becomesLive(box, page(site), { status: 404, text: '' })
})
