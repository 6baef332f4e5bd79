import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'

const site = aSite({
  files: { 'pages/launch.html': '<h1>Launch</h1>', 'img/logo.svg': '<svg/>', 'files/a.txt': 'a' },
  bot_check: { provider: 'turnstile', sitekey: 'site', secret: 'very-secret-value' },
})

/** Names of the files below the asset store, its temporary folder left out. */
const storedNames = (folder: ADataFolder): string[] =>
  readdirSync(join(folder.dataDir, 'assets'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}/.test(name),
  )

describe('account list', () => {
  test('says how to get an account where there is none', async () => {
    using folder = new ADataFolder()
    const { status, stdout } = await folder.run(['account', 'list'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('capture apply DIR') })
  })

  test('lists every account with its domains', async () => {
    using folder = await ADataFolder.with(aSite())
    await folder.apply(aSite({ account: 'umbra', forms: [] }))
    expect(await folder.json(['account', 'list'])).toEqual({
      accounts: [
        { account: 'acme', name: 'The acme studio', domains: ['go.acme.test'], forms: 1, tracking: true },
        { account: 'umbra', name: 'The umbra studio', domains: ['go.umbra.test'], forms: 0, tracking: true },
      ],
    })
  })
})

describe('account show', () => {
  test('shows settings, forms and how much it holds', async () => {
    using folder = await ADataFolder.with(site)
    expect(await folder.json(['account', 'show', 'acme'])).toMatchObject({
      account: 'acme',
      settings: {
        domains: ['go.acme.test'],
        payloadBytesMax: 8192,
        botCheck: { provider: 'turnstile', hasSecret: true },
      },
      trackingKeys: [{ validUntil: null }],
      forms: [{ id: 'contact1', name: 'Form contact1', version: 1, registered: true }],
      holds: { pages: 1, images: 1, files: 1, assets: 0, forms: 1, records: 0 },
    })
  })

  test('says how long records are kept', async () => {
    using folder = await ADataFolder.with(aSite({ retention: { events: '13mo' } }))
    const { stdout } = await folder.done(['account', 'show', 'acme'])
    expect(stdout).toMatch(/^retention +submissions until erased, events 39[56] days, refused submissions 30 days$/m)
  })

  test.each([['--json'], []])('never prints the bot-check secret %j', async (...words) => {
    using folder = await ADataFolder.with(site)
    const { stdout, stderr } = await folder.done([
      'account',
      'show',
      'acme',
      ...words.filter((word) => word !== undefined),
    ])
    expect(stdout + stderr).not.toContain('very-secret-value')
  })

  test('says which account was probably meant', async () => {
    using folder = await ADataFolder.with()
    const { status, stderr } = await folder.run(['account', 'show', 'acne'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Did you mean "acme"?') })
  })
})

describe('account remove', () => {
  test('without --yes says what would go, removes nothing, and ends with 2', async () => {
    using folder = await ADataFolder.with(site)
    const { status, stdout, stderr } = await folder.run(['account', 'remove', 'acme'])
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout:
        'This would remove acme, and with it 1 page, 1 image, 1 file, 0 assets, 1 form, 0 records and the domains go.acme.test.\n',
      stderr: 'Nothing was removed: add --yes to remove it.\n',
    })
    expect((await folder.json(['account', 'list'])).accounts).toHaveLength(1)
  })

  test('takes everything with it, its published bytes included, and leaves those of others', async () => {
    using folder = await ADataFolder.with(site)
    const shared = aSite({ account: 'umbra', files: { 'pages/launch.html': '<h1>Launch</h1>' } })
    await folder.apply(shared)
    const before = storedNames(folder).length
    expect(await folder.json(['account', 'remove', 'acme', '--yes'])).toMatchObject({
      removed: true,
      pages: 1,
      files: 1,
    })
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'umbra' }])
    const kept = new Bun.CryptoHasher('sha256').update('<h1>Launch</h1>').digest('hex')
    const left = storedNames(folder)
    expect(left.length).toBeLessThan(before)
    expect(left.every((name) => name.includes(kept))).toBe(true)
    expect(left.length).toBeGreaterThan(0)
  })

  /** As a removal that was killed leaves it: the account is hidden, and all that it held is there. */
  function interruptRemoval(folder: ADataFolder): void {
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    raw.run(`INSERT INTO refusal_count SELECT row, 1, 'form', 'origin', 'https://old.acme.test', 1 FROM account`)
    raw.run('UPDATE account SET removed_at = 1, handle = id')
    raw.run('DELETE FROM domain')
    raw.close()
  }

  test('that was interrupted is finished by running it again', async () => {
    using folder = await ADataFolder.with(site)
    interruptRemoval(folder)
    const { stdout } = await folder.done(['account', 'remove', 'acme', '--yes'])
    expect(stdout).toContain('the leftovers of an interrupted removal have been deleted')
    expect(storedNames(folder)).toEqual([])
    expect((await folder.run(['account', 'remove', 'acme', '--yes'])).status).toBe(1)
  })

  test('that was interrupted is finished before its handle goes to a new account: run again, it would remove that', async () => {
    using folder = await ADataFolder.with(site)
    interruptRemoval(folder)
    await folder.apply(site)
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    const left = ['refusal_count', 'tracking_key', 'form', 'asset', 'asset_version'].map((table) =>
      raw.query(`SELECT 1 FROM ${table} JOIN account ON account.row = account_row WHERE removed_at IS NOT NULL`).all(),
    )
    raw.close()
    expect(left.flat()).toEqual([])
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'acme' }])
  })

  test('frees its handle and domains', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['account', 'remove', 'acme', '--yes'])
    expect((await folder.apply(site)).status).toBe(0)
  })

  test('is live on a running server', async () => {
    const box = await Box.start([aSite({ forms: [aForm()] })])
    try {
      expect((await box.send(formRequest())).status).toBe(200)
      await box.run(['account', 'remove', 'acme', '--yes'])
      await eventually('the domain is unknown', async () => (await box.send(formRequest())).status === 404)
    } finally {
      await box.stop()
    }
  })
})
