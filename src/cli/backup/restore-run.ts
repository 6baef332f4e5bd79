import { resolve } from 'node:path'
import { restore } from '../../operations/backup/restore.ts'
import type { ExitStatus } from '../command.ts'
import { actingOwner } from '../data-folder/acting-owner.ts'
import { typedCommandLine } from '../data-folder/data-owner.ts'
import { restorePorts } from '../open.ts'
import { toJson } from '../output/json.ts'
import { startProgress } from '../output/progress.ts'
import type { Session } from '../session.ts'
import { restoredText } from './restored-text.ts'

export async function runRestore(request: { file: string; json: boolean }, session: Session): Promise<ExitStatus> {
  const { clock, err } = session
  const { config } = await session.loadConfig()
  const { dataDir } = config
  const wanted = { file: resolve(session.cwd, request.file), dataDir, now: clock.now() }
  const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
  const ports = await restorePorts(clock, { asOwner: owner.begin, asCaller: owner.end })
  const progress = startProgress({ stream: err, clock, label: 'Restoring', unit: 'entries', total: null })
  const restored = await restore(ports, wanted, () => progress.advance(1)).finally(progress.end)
  await session.out.write(request.json ? toJson(restored) : restoredText(restored, wanted.now))
  return 0
}
