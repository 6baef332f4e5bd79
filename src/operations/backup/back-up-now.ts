import { AssetWriter, breather, promptShare, writeBase } from '../../backup/base-writer.ts'
import { compressHere } from '../../backup/format/sealing.ts'
import { assertOwner, holdTarget } from '../../backup/owner.ts'
import type { BackupSource } from '../../backup/source.ts'
import { faultWords, type OpenedTarget } from '../../backup/target/backup-target.ts'
import type { TargetStates } from '../../backup/target-state.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'
import type { ListedBackup } from './list-backups.ts'

export interface TargetPorts {
  source: BackupSource
  states: TargetStates
  /** A file for a copy of the database, which goes with `remove`. */
  scratch: () => { file: string; remove(): void }
  close(): void
}

/** A base that was written, as `backup list` shows it. */
export interface SentBase extends ListedBackup {
  /** Published contents that it names and the box has lost. */
  missingAssets: number
}

/** What targets got, and why others got nothing. */
export interface SentBases {
  written: SentBase[]
  faults: string[]
}

interface Wanted {
  chosen: readonly OpenedTarget[]
  recipients: readonly string[]
  /** The program's version. */
  program: string
  /** Whether a copy of this box that writes there is gone for good. */
  takesOver: boolean
}

/**
 * Puts a base to each target, one after the other. One that fails does not keep the others from getting theirs.
 *
 * @throws OperatorError when none got one
 */
export async function backUpChosen(
  box: Pick<Box, 'assets' | 'clock'>,
  ports: TargetPorts,
  { chosen, ...wanted }: Wanted,
): Promise<SentBases> {
  const sent: SentBases = { written: [], faults: [] }
  for (const target of chosen) {
    try {
      sent.written.push(await backUpNow(box, ports, { ...target, ...wanted }))
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      sent.faults.push(error.message)
    }
  }
  if (sent.written.length === 0) throw new OperatorError(sent.faults.join('\n'))
  return sent
}

/** Also beside a running service, which goes on with its increments. @throws OperatorError when the target or the database fails, or another box writes there */
async function backUpNow(
  box: Pick<Box, 'assets' | 'clock'>,
  ports: TargetPorts,
  { target, create, recipients, program, takesOver }: OpenedTarget & Omit<Wanted, 'chosen'>,
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
