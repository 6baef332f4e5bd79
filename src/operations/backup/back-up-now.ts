import { AssetWriter } from '../../backup/asset-writer.ts'
import { writeBase } from '../../backup/base-writer.ts'
import { breather, promptShare } from '../../backup/breather.ts'
import { faultWords } from '../../backup/fault-words.ts'
import { compressHere } from '../../backup/format/sealing.ts'
import { assertOwner } from '../../backup/owner.ts'
import { holdTarget } from '../../backup/target-hold.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'
import type { ListedBackup } from './list-backups.ts'
import type { OpenedTarget, TargetPorts } from './target-ports.ts'

/** A base that was written, as `backup list` shows it. */
export interface SentBase extends ListedBackup {
  /** Published contents that it names and the box has lost. */
  missingAssets: number
}

interface Wanted extends OpenedTarget {
  recipients: readonly string[]
  /** The program's version. */
  program: string
  /** Whether a copy of this box that writes there is gone for good. */
  takesOver: boolean
}

/**
 * Puts a base to one target, also beside a running service, which goes on with its increments.
 *
 * @throws OperatorError when the target or the database fails, or another box writes there
 */
export async function backUpNow(
  box: Pick<Box, 'assets' | 'clock'>,
  ports: TargetPorts,
  { target, create, recipients, program, takesOver }: Wanted,
): Promise<SentBase> {
  const { clock } = box
  const { source, states, scratch } = ports
  try {
    const hold = await holdTarget({ target, create, source, states, run: null, takesOver })
    const at = Math.max(clock.now(), hold.latestAt + 1)
    states.change(target.url, ({ writtenAt }) => ({ writtenAt: Math.max(writtenAt, at) }))
    const base = await writeBase({
      ...{ target, source, recipients, compress: compressHere, program, scratch, at, history: hold.owner.history },
      assets: new AssetWriter(target, box.assets),
      sendsContents: true,
      assertOurs: () => assertOwner(target, hold.owner, states.read(target.url).runs),
      breathe: breather(clock, promptShare),
      signal: new AbortController().signal,
    })
    states.change(target.url, ({ safeAt }) => ({ baseAt: at, safeAt: Math.max(safeAt ?? 0, at), fault: null }))
    const { to, bytes, missingAssets } = base
    return { kind: 'base', at: new Date(at).toISOString(), from: 0, to, bytes, target: target.url, missingAssets }
  } catch (error) {
    const message = faultWords(error) ?? `has got no backup: ${(error as Error).message}`
    states.change(target.url, ({ fault }) => ({ fault: { message, since: fault?.since ?? clock.now() } }))
    throw new OperatorError(`${target.url} ${message}.`)
  }
}
