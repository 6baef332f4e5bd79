import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { chosenTargets } from '../../operations/backup/chosen-targets.ts'
import { type VerifiedTarget, verifyTarget } from '../../operations/backup/verify-target.ts'
import { makeScratchFolder } from '../../storage/filesystem/scratch-folder.ts'
import type { ExitStatus } from '../command.ts'
import { restorePorts } from '../open.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { startProgress } from '../output/progress.ts'
import type { Session } from '../session.ts'
import { identitiesIn } from './identities.ts'
import { openTarget } from './targets/open-target.ts'

interface VerifyRequest {
  to: string | undefined
  identity: string | undefined
  json: boolean
}

/** A target that cannot be read does not hide the others. */
export async function runBackupVerify({ to, identity, json }: VerifyRequest, session: Session): Promise<ExitStatus> {
  const { clock, err, cwd } = session
  const { config } = await session.loadConfig()
  const opened = config.backup.to.map((url) => openTarget(url, config.backup))
  const identities = identity === undefined ? [] : await identitiesIn(resolve(cwd, identity))
  const ports = await restorePorts(clock)
  const verified: VerifiedTarget[] = []
  const faults: string[] = []
  for (const { target } of chosenTargets(opened, to)) {
    const scratch = scratchBeside(config.dataDir)
    const progress = startProgress({ stream: err, clock, label: 'Checking', unit: 'objects', total: null })
    try {
      const wanted = { target, identities, folder: scratch.dir, now: clock.now() }
      verified.push(await verifyTarget(ports, wanted, () => progress.advance(1)))
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      faults.push(error.message)
    } finally {
      progress.end()
      scratch.remove()
    }
  }
  faults.push(...verified.flatMap(faultLines))
  await session.out.write(json ? toJson(verified) : verified.flatMap(textOf).join(''))
  for (const fault of faults) err.write(`${printable(fault)}\n`)
  return faults.length === 0 ? 0 : 1
}

/** In the data folder, whose volume has room for its database, or where that would be. */
const scratchBeside = (dataDir: string) =>
  makeScratchFolder(existsSync(dataDir) ? join(dataDir, 'capture.db') : dataDir, dataDir)

const faultLines = ({ target, faults }: VerifiedTarget): string[] =>
  faults.map(({ object, message }) => `${target}: the object ${object} ${message}.`)

function textOf({ target, at, bases, increments, contents, restored, faults }: VerifiedTarget): string[] {
  if (faults.length > 0) return []
  const parts = `${plural(bases, 'base')}, ${plural(increments, 'increment')} and ${plural(contents, 'content')}`
  const proof = restored
    ? 'The latest moment was restored and checked.'
    : 'They are encrypted, so nothing was restored: --identity FILE does that too.'
  return [`${printable(`${target} is sound up to ${timestamp(Date.parse(at))}: ${parts}. ${proof}`)}\n`]
}
