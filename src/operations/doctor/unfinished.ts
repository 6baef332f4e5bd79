import { timestamp } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { FolderInspector } from './inspection.ts'

/** Warns about leftovers of killed commands outside the data folder that the box knows about. */
export function examineUnfinished(
  folder: Pick<FolderInspector, 'unfinishedFiles' | 'unfinishedRestores'>,
): CheckResult[] {
  const written = folder
    .unfinishedFiles()
    .map(({ dir, file, begunAt }) =>
      unfinished(
        dir,
        `of ${file}, begun on ${timestamp(begunAt)}`,
        'The next `capture backup`, export into a file, or use of the console removes it',
      ),
    )
  const restored = folder
    .unfinishedRestores()
    .map((dir) => unfinished(dir, 'of a restore', 'The next `capture restore` removes it'))
  return [...written, ...restored]
}

const unfinished = (dir: string, what: string, removal: string): CheckResult =>
  warning(
    'unfinished',
    `${dir} is the leftover ${what} that was killed. It may contain personal data.`,
    `${removal}; or remove it yourself: rm -r ${dir}`,
  )
