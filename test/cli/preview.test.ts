import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'

const site = aSite({
  files: { 'pages/launch.html': 'Launch', 'img/brand/logo.svg': '<svg/>', 'files/a b.txt': 'text' },
})

describe('preview', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([site, aSite({ account: 'umbra' })])
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const status = async (url: string) => {
    const { pathname, search, hostname } = new URL(url)
    const path = pathname + search
    return (await box.send({ method: 'GET', host: hostname, path, headers: {}, body: null })).status
  }

  test.each([
    ['page', 'launch', '/_preview/'],
    ['img', 'brand/logo.svg', '/_preview/img/'],
    ['file', 'a b.txt', '/_preview/file/'],
  ])('prints an address of a %s that works', async (what, name, prefix) => {
    const { stdout } = await box.run(['preview', 'acme', what, name])
    expect(new URL(stdout).pathname).toStartWith(prefix)
    expect(await status(stdout)).toBe(200)
  })

  test('takes the short id too', async () => {
    const { id, url } = JSON.parse((await box.run(['preview', 'acme', 'page', 'launch', '--json'])).stdout)
    const byId = JSON.parse((await box.run(['preview', 'acme', 'page', id, '--json'])).stdout)
    expect(new URL(byId.url).pathname).toBe(new URL(url).pathname)
  })

  test('expires after an hour, or when --ttl says', async () => {
    const hoursLeft = async (...words: string[]) => {
      const { expiresAt } = JSON.parse(
        (await box.run(['preview', 'acme', 'page', 'launch', '--json', ...words])).stdout,
      )
      return Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)
    }
    expect([await hoursLeft(), await hoursLeft('--ttl', '2d')]).toEqual([1, 48])
  })

  test('says what is not there', async () => {
    const ran = await box.run(['preview', 'umbra', 'page', 'launch'])
    expect(ran).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('umbra has published no page "launch"'),
    })
  })

  test('refuses a time that is none as wrong usage', async () => {
    expect((await box.run(['preview', 'acme', 'page', 'launch', '--ttl', 'long'])).status).toBe(2)
  })
})
