import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ASite, writeSite } from './a-site.ts'
import type { Box } from './box.ts'
import type { Ran } from './capture-command.ts'
import { eventually } from './eventually.ts'
import type { Sent } from './http.ts'

/** What a command changes is live within a second (docs/running.md). */
export const liveMsMax = 1000

export interface Change {
  action: string
  kind: string
  name: string
}

/** Writes the folder anew, with nothing left in it of an earlier one, and applies it, whatever harm that does. */
export async function applyAnew(box: Box, site: ASite, ...flags: string[]): Promise<Ran> {
  const folder = join(box.dir, 'sites', site.account)
  rmSync(folder, { recursive: true, force: true })
  writeSite(folder, site)
  return box.run(['apply', folder, '--accept', 'all', ...flags])
}

/** Applies the folder anew; answers what it changed, in the order of its names. @throws when it was not applied */
export async function changesOf(box: Box, site: ASite, ...flags: string[]): Promise<Change[]> {
  const { status, stdout, stderr } = await applyAnew(box, site, '--json', ...flags)
  if (status !== 0) throw new Error(`capture apply failed: ${stderr}`)
  const { changes }: { changes: Change[] } = JSON.parse(stdout)
  return changes
    .map(({ action, kind, name }) => ({ action, kind, name }))
    .toSorted((one, other) => (`${one.kind} ${one.name}` < `${other.kind} ${other.name}` ? -1 : 1))
}

/** Waits until a request is answered so; fails when that takes longer than is promised. */
export async function becomesLive(box: Box, request: Sent, expected: { status: number; text?: string }): Promise<void> {
  const { status, text } = expected
  await eventually(`${request.path} is answered ${status}`, async () => {
    const answer = await box.send(request)
    return answer.status === status && (text === undefined || answer.text === text)
  })
}
