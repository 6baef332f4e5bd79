import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'
import { backUpNow, type SentBase } from './back-up-now.ts'
import type { OpenedTarget, TargetPorts } from './target-ports.ts'

/** What targets got, and why others got nothing. */
export interface SentBases {
  written: SentBase[]
  faults: string[]
}

interface Wanted extends Omit<Parameters<typeof backUpNow>[2], keyof OpenedTarget> {
  chosen: readonly OpenedTarget[]
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
