import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'

let box: Box
beforeAll(async () => {
  const sites = ['acme', 'umbra', 'quill', 'reed'].map((account) =>
    aSite({ account, files: { 'pages/launch.html': 'Launch' } }),
  )
  box = await Box.start(sites)
}, boxStartMsMax)
afterAll(() => box.stop())

const statusWith = async (account: string, key?: string): Promise<number> => {
  const headers = key === undefined ? {} : { 'x-svc-site-key': key }
  return (await box.send(eventRequest({ account, headers }))).status
}

const printedKey = async (argv: string[]): Promise<string> => (await box.run(argv)).stdout.trim()

describe('key rotate', () => {
  test('prints a key that works at once, and the one before it no longer does', async () => {
    expect(await statusWith('acme')).toBe(202)
    const key = await printedKey(['key', 'rotate', 'acme'])
    expect(key).toMatch(/^svc_tk_[A-Za-z0-9]{32}$/)
    await eventually('the new key works', async () => (await statusWith('acme', key)) === 202)
    expect(await statusWith('acme')).toBe(403)
  })

  test('--overlap lets the key before it work on', async () => {
    const key = await printedKey(['key', 'rotate', 'umbra', '--overlap', '7d'])
    await eventually('the new key works', async () => (await statusWith('umbra', key)) === 202)
    expect(await statusWith('umbra')).toBe(202)
  })

  test('--overlap does not bring back a key that has ended before', async () => {
    await printedKey(['key', 'rotate', 'reed', '--overlap', '1s'])
    await eventually('the first key has ended', async () => (await statusWith('reed')) === 403)
    const newest = await printedKey(['key', 'rotate', 'reed', '--overlap', '7d'])
    await eventually('the newest key works', async () => (await statusWith('reed', newest)) === 202)
    expect(await statusWith('reed')).toBe(403)
  })

  test('says the line that keeps the next apply from undoing it', async () => {
    using folder = await ADataFolder.with()
    const { stdout, stderr } = await folder.done(['key', 'rotate', 'acme'])
    expect(stderr).toContain(`[tracking]\nkey = "${stdout.trim()}"\n`)
  })

  test('prints as JSON what it did', async () => {
    using folder = await ADataFolder.with()
    const printed = await folder.json(['key', 'rotate', 'acme', '--overlap', '12h'])
    expect(printed).toEqual({
      account: 'acme',
      trackingKey: expect.stringMatching(/^svc_tk_/),
      oldKeysValidUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      siteToml: `[tracking]\nkey = "${printed.trackingKey}"\n`,
    })
  })

  test.each(['soon', '0d', '5000d'])('refuses --overlap %s as wrong usage', async (overlap) => {
    using folder = new ADataFolder()
    expect((await folder.run(['key', 'rotate', 'acme', '--overlap', overlap])).status).toBe(2)
  })
})

describe('key revoke', () => {
  test('refuses every event request, and says how that ends', async () => {
    expect(await statusWith('quill')).toBe(202)
    const { stdout, stderr } = await box.run(['key', 'revoke', 'quill'])
    expect(stdout).toBe('Revoked 1 tracking key of quill.\n')
    expect(stderr).toContain('capture key rotate quill')
    await eventually('the key is refused', async () => (await statusWith('quill')) === 403)
  })
})

const get = (path: string, headers = {}, host = 'go.umbra.test') =>
  box.send({ method: 'GET', host, path, headers, body: null })
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '').trim()

describe('secret rotate', () => {
  test('click: links that were signed before work on', async () => {
    const url = await printedKey(['link', 'sign', 'umbra', '--to', 'http://go.umbra.test/launch'])
    await box.run(['secret', 'rotate', 'click'])
    expect((await get(pathOf(url))).status).toBe(302)
  })

  test('cookie: a device from before stays known', async () => {
    const cookie = (await get('/launch')).headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toContain('svc_id=')
    await box.run(['secret', 'rotate', 'cookie'])
    await eventually('new devices get cookies of the new key', async () => {
      const fresh = (await get('/launch')).headers.get('set-cookie')?.split(';')[0] ?? ''
      return fresh !== '' && fresh !== cookie
    })
    expect((await get('/launch', { cookie })).headers.get('set-cookie')).toBeNull()
  })

  test('preview: addresses from before stop working', async () => {
    const url = await printedKey(['preview', 'umbra', 'page', 'launch'])
    const status = async (address: string) => (await get(pathOf(address), {}, 'preview.localhost')).status
    expect(await status(url)).toBe(200)
    await box.run(['secret', 'rotate', 'preview'])
    await eventually('the old address is refused', async () => (await status(url)) === 403)
    expect(await status(await printedKey(['preview', 'umbra', 'page', 'launch']))).toBe(200)
  })

  test('prints as JSON until when the keys before it verify', async () => {
    using folder = await ADataFolder.with()
    const day = 86_400_000
    const click = await folder.json(['secret', 'rotate', 'click'])
    const until = Date.parse(String(click.oldKeysVerifyUntil))
    expect(Math.round((until - Date.now()) / day)).toBe(400)
    expect(await folder.json(['secret', 'rotate', 'preview'])).toEqual({
      purpose: 'preview',
      keyId: expect.stringMatching(/^[a-z0-9]{4,8}$/),
      oldKeysVerifyUntil: null,
    })
  })

  test('refuses a purpose that there is not', async () => {
    using folder = new ADataFolder()
    expect((await folder.run(['secret', 'rotate', 'session'])).status).toBe(2)
  })
})
