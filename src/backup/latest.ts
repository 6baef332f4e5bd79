import { ObjectFault } from './format/bundle.ts'
import { latestName, pointNamed } from './format/object-names.ts'
import type { BackupTarget } from './target/backup-target.ts'

/**
 * The object `latest` names the newest base or increment. Nothing else tells when that one is gone: an older moment would be
 * restored, and whoever was erased in it would be back.
 */
export const noteLatest = (target: BackupTarget, name: string): Promise<void> =>
  target.put(latestName, new TextEncoder().encode(`${JSON.stringify({ name })}\n`))

/** The same for a base, beside which increments may have been written. */
export async function noteLatestBase(target: BackupTarget, base: { name: string; at: number }): Promise<void> {
  const noted = await readLatest(target)
  if (noted === null || noted.at < base.at) await noteLatest(target, base.name)
}

/** `null`: nothing was noted yet. @throws ObjectFault, TargetFault */
export async function readLatest(target: BackupTarget): Promise<NonNullable<ReturnType<typeof pointNamed>> | null> {
  const bytes = await target.get(latestName)
  if (bytes === null) return null
  const point = pointNamed(nameIn(new TextDecoder().decode(bytes)))
  if (point === null) throw new ObjectFault(latestName, 'is damaged')
  return point
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text).name)
  } catch {
    return ''
  }
}
