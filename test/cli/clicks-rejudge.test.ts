import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { clicksOf } from '../harness/page-views.ts'
import { visit } from '../harness/visits.ts'
import { ADataFolder } from './a-data-folder.ts'

describe('clicks rejudge', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([
      aSite({ files: { 'pages/launch.html': '<title>Launch</title>' } }),
      aSite({ account: 'umbra' }),
    ])
    const path = (await BoxKeys.of(box)).clickPath('http://go.acme.test/launch', { message: 'november' })
    await box.send(visit(path, { method: 'HEAD' }))
    await box.send(visit(path))
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const rejudge = async (account = 'acme') =>
    JSON.parse((await box.run(['clicks', 'rejudge', account, '--json'])).stdout)
  const verdicts = async () => (await clicksOf(box, 'november')).map(({ properties }) => properties.verdict)

  /** Clicks as an earlier version left them, whose rules found nothing wrong with any. */
  function judgedByEarlierRules(): void {
    const { raw } = openConnection(join(box.dir, 'data', 'capture.db'))
    raw.run(`UPDATE click_fact SET verdict = 'human', reasons = '[]'`)
    raw.close()
  }

  test('changes nothing where the rules are those that the clicks were judged by', async () => {
    expect(await rejudge()).toEqual({ account: 'acme', clicks: 2, changed: [] })
    const { stdout } = await box.run(['clicks', 'rejudge', 'acme'])
    expect(stdout).toBe("Judged 2 clicks of acme by today's rules.\nNo verdict changed.\n")
  })

  test('beside a running service applies today’s rules, and tells what changed', async () => {
    await rejudge()
    judgedByEarlierRules()
    expect(await verdicts()).toEqual(['human', 'human'])
    const { clicks, changed } = await rejudge()
    expect(clicks).toBe(2)
    expect(changed).toHaveLength(2)
    expect(changed).toContainEqual({ from: 'human', to: 'machine', clicks: 1 })
    expect(changed).toContainEqual({ from: 'human', to: 'suspected', clicks: 1 })
    expect(await verdicts()).toEqual(['machine', 'suspected'])
    expect((await rejudge()).changed).toEqual([])
  })

  test('on a node of a cluster says that no link carries what changed, and only then', async () => {
    const { raw } = openConnection(join(box.dir, 'data', 'capture.db'))
    const noted = async () => {
      await rejudge()
      return raw.query('SELECT unlinkable FROM cluster_position').get()
    }
    raw.run(`INSERT INTO cluster_position (id, cluster, linked_to) VALUES (1, 'box', 0)`)
    expect(await noted()).toEqual({ unlinkable: null })
    judgedByEarlierRules()
    expect(await noted()).toEqual({ unlinkable: 'changed' })
    raw.run('DELETE FROM cluster_position')
    raw.close()
  })

  test('prints the changes as a table', async () => {
    judgedByEarlierRules()
    const { stdout } = await box.run(['clicks', 'rejudge', 'acme'])
    expect(stdout).toMatch(/^Verdict +Today +Clicks$/m)
    expect(stdout).toMatch(/^human +machine +1$/m)
  })

  test('judges the clicks of one account alone', async () => {
    expect(await rejudge('umbra')).toEqual({ account: 'umbra', clicks: 0, changed: [] })
  })

  test('of an account that is not there says which ones are', async () => {
    using folder = await ADataFolder.with()
    const { status, stderr } = await folder.run(['clicks', 'rejudge', 'acne'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Did you mean "acme"?') })
  })
})
