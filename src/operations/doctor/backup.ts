import type { TargetState } from '../../backup/target-state.ts'
import type { BackupConfig } from '../../config/backup.ts'
import type { Config } from '../../config/config.ts'
import { timestamp } from '../../lib/quantities.ts'
import { type CheckResult, ok, warning } from '../check-result.ts'

const check = 'backup'

interface BackupExamination {
  config: BackupConfig
  stateOf: (url: string) => TargetState
  now: number
  isServed: boolean
}

/** Whether what this box holds is at its targets, and how old that is (docs/backup-and-restore.md). */
export const examineBackups = (examination: BackupExamination): CheckResult[] =>
  examination.config.to.map((url) => resultOf(examination.stateOf(url), examination))

/**
 * Whether the box has no target at all. `doctor --strict` leaves that to the operator; the console and alerts do not. A
 * cluster's store holds what its nodes hold.
 */
export const missingBackup = ({ backup, cluster }: Pick<Config, 'backup' | 'cluster'>): CheckResult[] =>
  backup.to.length > 0 || cluster !== null
    ? []
    : [
        warning(
          check,
          'No backup leaves this box. If the machine is lost, everything is lost.',
          'Name a folder or an S3 bucket as `to` under `[backup]` in `capture.toml`: from then on the box backs itself up.',
          { settings: { table: 'backup', lines: 'to = ["file:///mnt/backup/capture"]   # or "s3://BUCKET/PREFIX"' } },
        ),
      ]

function resultOf(state: TargetState, { config, now, isServed }: BackupExamination): CheckResult {
  const { url, safeAt, baseAt, fault } = state
  if (fault !== null)
    return warning(
      check,
      `Backups fail since ${timestamp(fault.since)}: ${url} ${fault.message}. ${safeWords(safeAt)}`,
      'The server tries again by itself; `capture backup now` tries at once.',
      {
        about: url,
        page: {
          name: 'backups',
          todo: 'The server tries again by itself; “Back up now” under {page} tries at once.',
        },
      },
    )
  if (safeAt === null || baseAt === null)
    return warning(
      check,
      `The first base of this box, as it is now, is not at ${url} yet. Until it is, what has been captured since the start would be lost with this machine.`,
      isServed ? 'It is being made; if this stays, the log of the server says why.' : drillAdvice,
      { about: url },
    )
  const ageMsMax = 2 * (config.incrementEvery || config.baseEvery)
  const isOld = now - safeAt > ageMsMax || now - baseAt > 2 * config.baseEvery
  if (!isOld)
    return { ...ok(check, `Everything up to ${timestamp(safeAt)} is at ${url}${clearWords(config)}.`), about: url }
  return warning(
    check,
    `The backup at ${url} is old: its latest base is of ${timestamp(baseAt)}. ${safeWords(safeAt)}`,
    isServed ? 'The log of the server says why.' : 'Start `capture serve`, which keeps it up to date.',
    { about: url },
  )
}

/** Only folders take backups in the clear. */
const clearWords = ({ recipients }: BackupConfig): string =>
  recipients.length > 0 ? '' : ', in the clear: `[backup] recipients` names nobody to encrypt it for'

const safeWords = (safeAt: number | null): string =>
  safeAt === null ? 'Nothing is there yet.' : `What came after ${timestamp(safeAt)} would be lost with this machine.`

/** Nothing tells a folder that was restored to practise from one that takes the lost box's place. */
const drillAdvice =
  'If this folder is the box from now on, start `capture serve`, or run `capture backup now`. If you only restored it for a drill, do neither: that would take the target away from the box. Nothing is wrong then.'
