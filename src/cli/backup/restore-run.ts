import { resolve } from 'node:path'
import type { RestorePorts } from '../../operations/backup/backup-ports.ts'
import { type RestoredBox, restore } from '../../operations/backup/restore.ts'
import { type CommandResult, usageError } from '../command.ts'
import { actingOwner, typedCommandLine } from '../data-folder/data-owner.ts'
import { typedInstant } from '../input/typed-values.ts'
import { restorePorts } from '../open.ts'
import { startProgress } from '../output/streams.ts'
import type { Session } from '../session.ts'
import { restoredText } from './restored-text.ts'
import { identitiesIn } from './targets.ts'

interface RestoreRequest {
  /** A file, or the URL of a target. */
  from: string
  until: string | undefined
  identity: string | undefined
}

export async function runRestore(request: RestoreRequest, session: Session): Promise<CommandResult> {
  const { clock, err } = session
  const { config } = await session.loadConfig()
  const { dataDir } = config
  const now = clock.now()
  const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
  const ports = await restorePorts(clock, { asOwner: owner.begin, asCaller: owner.end })
  const progress = startProgress({ stream: err, clock, label: 'Restoring', unit: 'entries', total: null })
  const restoring = { session, ports, place: { dataDir, now }, onEntry: () => progress.advance(1) }
  const restored = await restoreFrom(request, restoring).finally(progress.end)
  return { json: restored, text: restoredText(restored, now) }
}

interface Restoring {
  session: Session
  ports: RestorePorts
  place: { dataDir: string; now: number }
  onEntry: () => void
}

async function restoreFrom(
  { from, until, identity }: RestoreRequest,
  { session, ports, place, onEntry }: Restoring,
): Promise<RestoredBox> {
  const identities = identity === undefined ? [] : await identitiesIn(resolve(session.cwd, identity))
  if (!isTarget(from)) {
    if (until !== undefined)
      throw usageError('--until is for a target, such as file:///mnt/backup or s3://bucket/prefix.')
    return restore(ports, { file: resolve(session.cwd, from), identities, ...place }, onEntry)
  }
  const { restoreTarget } = await import('../../operations/backup/restore-target.ts')
  const { openTarget } = await import('../data-folder/open-target.ts')
  const { config } = await session.loadConfig()
  const { target } = openTarget(from, config.backup)
  const wanted = { target, identities, until: typedInstant('--until', until, place.now) }
  return restoreTarget(ports, { ...wanted, ...place }, onEntry)
}

const isTarget = (typed: string): boolean => /^(?:file|s3):\/\//.test(typed)
