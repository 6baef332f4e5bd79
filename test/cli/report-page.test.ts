import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'

describe('report --html', () => {
  let box: Box
  beforeAll(async () => {
    const forms = [aForm({ name: 'Contact us' })]
    box = await Box.start([aSite({ timezone: 'Europe/Berlin', brand: { colour: '#b3261e' }, forms })])
    await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const path = (name: string): string => join(box.dir, name)

  test('writes a page with the account’s name, colour and figures, in place of an earlier one', async () => {
    writeFileSync(path('report.html'), 'an earlier one')
    const { status, stdout, stderr } = await box.run(['report', 'acme', '--html', 'report.html'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toContain(`Wrote the report of acme, `)
    expect(stderr).toContain(path('report.html'))
    const page = readFileSync(path('report.html'), 'utf8')
    expect(page).toContain('<bdi>The acme studio</bdi>')
    expect(page).toContain('--accent:#b3261e')
    expect(page).toContain('Contact us')
    expect(page).toContain('<dt>Leads</dt><dd class="value">1</dd>')
    expect(statSync(path('report.html')).mode & 0o077).toBe(0)
  })

  test('writes the same to standard output, and says where it is as JSON', async () => {
    const { stdout } = await box.run(['report', 'acme', '--html', '-'])
    expect(stdout).toStartWith('<!doctype html>')
    const { stdout: json } = await box.run(['report', 'acme', '--month', '2020-01', '--html', 'old.html', '--json'])
    expect(JSON.parse(json)).toEqual({ account: 'acme', title: 'January 2020', out: path('old.html') })
  })

  test('writes nothing over the files of the box', async () => {
    const { status, stderr } = await box.run(['report', 'acme', '--html', 'data/capture.db'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('is inside the data folder') })
    expect(readFileSync(path('data/capture.db')).subarray(0, 6).toString()).toBe('SQLite')
  })

  test('refuses what it cannot do before it opens the box', async () => {
    const both = await box.run(['report', 'acme', '--html', '-', '--json'])
    expect(both).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('exclude each other') })
    const toCome = await box.run(['report', 'acme', '--html', 'x.html', '--month', '2999-01'])
    expect(toCome).toMatchObject({ status: 2, stderr: '--month is in the future.\n' })
  })
})
