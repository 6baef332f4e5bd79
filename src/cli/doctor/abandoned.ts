import type { Config } from '../../config/config.ts'
import { timestamp } from '../../lib/quantities.ts'
import { abandonedRestores } from '../../storage/filesystem/abandoned-restores.ts'
import { abandonedFolders } from '../../storage/filesystem/scratch-folder.ts'
import { type Finding, warning } from './finding.ts'

/** What killed commands of this box have left outside the data folder, as far as the box knows. */
export function examineAbandoned({ dataDir }: Config): Finding[] {
  const written = abandonedFolders(dataDir).map(({ dir, file, begunAt }) =>
    abandoned(
      dir,
      `of ${file}, begun on ${timestamp(begunAt)}`,
      'The next `capture backup`, or export into a file, removes it',
    ),
  )
  const restored = abandonedRestores(dataDir).map((dir) =>
    abandoned(dir, 'of a restore', 'The next `capture restore` removes it'),
  )
  return [...written, ...restored]
}

const abandoned = (dir: string, what: string, removal: string): Finding =>
  warning(
    'unfinished',
    `${dir} is what is left ${what}, which was killed. It may hold personal data.`,
    `${removal}; or remove it yourself: rm -r ${dir}`,
  )
