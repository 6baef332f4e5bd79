// docs/publishing.md, "Warnings": what `capture apply` says of pages, on the executable.
import { expect, test } from 'bun:test'
import type { SiteWarning } from '../../src/site/site-faults.ts'
import { aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const broken = aSite({
  files: { 'pages/launch.html': '<!doctype html>\n<form data-svc-form="contact2"></form>\n<a href="thanks.html">' },
})

test('a page that loses leads is published, and warned of in text and JSON with file and line', async () => {
  using folder = new ADataFolder()
  const { status, stderr } = await folder.apply(broken)
  expect(status).toBe(0)
  expect(stderr).toContain('warning: pages/launch.html:2: there is no form "contact2"')
  const { warnings } = await folder.json(['apply', folder.path('sites/acme'), '--dry-run'])
  expect((warnings as SiteWarning[]).map((one) => ({ ...one, message: '' }))).toEqual([
    { kind: 'unknown_form', file: 'pages/launch.html', line: 2, key: null, message: '' },
    { kind: 'no_script', file: 'pages/launch.html', line: 2, key: null, message: '' },
    { kind: 'dead_link', file: 'pages/launch.html', line: 3, key: null, message: '' },
  ])
})

test('with --strict, it is not published, and the status is 1', async () => {
  using folder = await ADataFolder.with(aSite())
  await expect(folder.apply(broken, '--strict')).rejects.toThrow('ended with 1')
  expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({ pages: [] })
})

test('a form and a page that stay on the box are there; once pruned, they are not', async () => {
  using folder = await ADataFolder.with(aSite({ files: { 'pages/old.html': '<p>old' } }))
  const later = aSite({
    forms: [],
    files: {
      'pages/new.html': '<form data-svc-form="contact1"></form><script src="/_svc/v1.js"></script><a href="/old">',
    },
  })
  expect((await folder.apply(later, '--dry-run')).stderr).not.toContain('warning')
  const pruned = (await folder.apply(later, '--dry-run', '--prune')).stderr
  expect(pruned.match(/warning: .*/g)).toEqual([
    expect.stringContaining('warning: pages/new.html:1: /old: there is nothing at /old'),
    expect.stringContaining('warning: pages/new.html:1: there is no form "contact1"'),
  ])
})

test('of many warnings, twenty are printed and all are in JSON', async () => {
  using folder = new ADataFolder()
  const { stderr } = await folder.apply(aSite({ files: { 'pages/a.html': '<a href="/no/thing">\n'.repeat(30) } }))
  expect(stderr.match(/^warning: pages/gm)).toHaveLength(20)
  expect(stderr).toContain('warning: … and 10 more; `--json` has them all\n')
  const { warnings } = await folder.json(['apply', folder.path('sites/acme'), '--dry-run'])
  expect(warnings).toHaveLength(30)
})
