import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://127.0.0.1:1025/hook' }]
  box = await Box.start([aSite({ deliveries })], {
    console: { listen: '127.0.0.1:0', host: 'console.agency.example' },
    delivery: { allow_private: ['127.0.0.0/8'] },
    // Enough room, and too little to go unsaid.
    limits: { min_free_mb: Math.floor((0.7 * bavail * bsize) / 1_000_000) },
  })
  owner = await ConsoleVisitor.owner(box)
  await owner.send('POST', '/a/acme/deliveries', { act: 'pause', destination: 'crm' })
}, boxStartMsMax)
afterAll(() => box.stop())

describe('the health of the box', () => {
  test('is for owners alone', async () => {
    const admin = new ConsoleVisitor(box)
    await admin.accept(await ConsoleVisitor.invite(box, ['a@agency.example', '--account', 'acme', '--role', 'admin']))
    expect((await admin.get('/box')).status).toBe(404)
    expect((await admin.send('POST', '/box', { act: 'rotate', purpose: 'click', sure: '1' })).status).toBe(404)
  })

  test('is examined when somebody looks, and comes by itself once it is known', async () => {
    const first = await owner.get('/box')
    expect([first.text.includes('is being checked'), first.headers.get('refresh')]).toEqual([true, '3'])
    await eventually('the findings are there', async () => (await owner.get('/box')).text.includes('Checked <time'))
    const { text, headers } = await owner.get('/box')
    expect(headers.get('refresh')).toBeNull()
    expect(text).toMatch(/Deliveries<\/h2>.*crm&quot; of The acme studio has been paused/s)
    // Once, although both the last check and the page know of it.
    expect(text.match(/has been paused/g)).toHaveLength(1)
    expect(text).toMatch(/Free space<\/h2>.*MB page views are no longer stored/s)
    expect(text).toMatch(
      />Put this under \[backup\] in \/\S+\/capture\.toml with your own values, then restart the box<\/label>/,
    )
    for (const target of ['file:///mnt/backup/capture', 's3://BUCKET/PREFIX']) expect(text).toContain(target)
    expect(text).toMatch(/checks? passed/)
    expect(text).toMatch(/>Database intact<\/th><td class="value">.*capture\.db is intact/)
  })

  test('shows the names of the box itself', async () => {
    const { text } = await owner.get('/box')
    expect(text).toContain('<h2>console.agency.example')
    expect(text).not.toContain('<h2>go.acme.test')
    expect((await owner.send('POST', '/box', { act: 'check', host: 'console.agency.example' })).status).toBe(303)
    expect((await owner.send('POST', '/box', { act: 'check', host: 'nobody.example' })).status).toBe(404)
  })

  test('opens the replacement of one key at a time, each with what follows', async () => {
    const { text } = await owner.get('/box')
    expect(text.match(/<summary><span>Replace</g)).toHaveLength(4)
    expect(text).toContain('<h3>Click links</h3><p class="hint">Signs links in emails, to count their clicks.')
    expect(text.match(/Once replaced, links already sent work for 400 more days\./g)).toHaveLength(1)
  })

  test('replaces a signing key only for who is sure', async () => {
    const rotations = async (): Promise<string[]> => {
      const { items } = JSON.parse((await owner.get('/api/v1/audit?q=secret.rotate')).text)
      return items.map(({ outcome }: { outcome: string }) => outcome)
    }
    await owner.send('POST', '/box', { act: 'rotate', purpose: 'click' })
    expect(await rotations()).not.toContain('done')
    expect((await owner.send('POST', '/box', { act: 'rotate', purpose: 'click', sure: '1' })).status).toBe(303)
    expect(await rotations()).toContain('done')
  })
})
