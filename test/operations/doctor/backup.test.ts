import { describe, expect, test } from 'bun:test'
import { type TargetState, unknownTarget } from '../../../src/backup/target-state.ts'
import type { BackupConfig } from '../../../src/config/backup.ts'
import { examineBackups } from '../../../src/operations/doctor/backup.ts'

const now = Date.UTC(2026, 10, 22, 12)
const hourMs = 3_600_000
const url = 'file:///mnt/backup'
const usual: BackupConfig = {
  to: [url],
  baseEvery: 24 * hourMs,
  incrementEvery: 10_000,
  keep: 720 * hourMs,
  recipients: [],
  s3Endpoint: null,
  s3Region: null,
  s3AccessKey: null,
  s3SecretKey: null,
}
const fresh: TargetState = { ...unknownTarget(url), safeAt: now - 1000, baseAt: now - hourMs }

const examined = (state: TargetState, config: Partial<BackupConfig> = {}) =>
  examineBackups({ config: { ...usual, ...config }, stateOf: () => state, now, isServed: true })

describe('the check of backups', () => {
  test('says nothing of a box without targets', () => {
    expect(examined(fresh, { to: [] })).toEqual([])
  })

  test.each<[string, TargetState, Partial<BackupConfig>, string]>([
    ['is content with a fresh one', fresh, {}, 'ok'],
    ['warns where nothing is there yet', unknownTarget(url), {}, 'warning'],
    ['is content at twice the interval', { ...fresh, safeAt: now - 20_000 }, {}, 'ok'],
    ['warns beyond twice the interval', { ...fresh, safeAt: now - 20_001 }, {}, 'warning'],
    ['measures by bases without increments', { ...fresh, safeAt: now - 40 * hourMs }, { incrementEvery: 0 }, 'ok'],
    [
      'warns of old bases without increments',
      { ...fresh, safeAt: now - 49 * hourMs },
      { incrementEvery: 0 },
      'warning',
    ],
    ['warns of an old base beside fresh increments', { ...fresh, baseAt: now - 49 * hourMs }, {}, 'warning'],
    ['warns while the target is away', { ...fresh, fault: { message: 'is away', since: now } }, {}, 'warning'],
  ])('%s', (_, state, config, status) => {
    expect(examined(state, config)).toMatchObject([{ check: 'backup', status }])
  })

  test('says of a folder without recipients that everything lies there in the clear', () => {
    const found = (recipients: string[]) => examined(fresh, { recipients })[0]?.found
    expect(found([])).toContain('in the clear: `[backup] recipients` names nobody')
    expect(found(['age1x'])).toBe('Everything up to 2026-11-22 11:59:59 UTC is at file:///mnt/backup.')
  })

  test('says what would be lost, and since when backups fail', () => {
    const [result] = examined({ ...fresh, fault: { message: 'has no room (ENOSPC)', since: now - hourMs } })
    expect(result?.found).toBe(
      'Backups fail since 2026-11-22 11:00:00 UTC: file:///mnt/backup has no room (ENOSPC). What came after 2026-11-22 11:59:59 UTC would be lost with this machine.',
    )
  })
})
