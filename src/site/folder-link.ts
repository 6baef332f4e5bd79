import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { siteToml } from './site-faults.ts'

/** Resolves a symbolic link, which may lead only to publishable files and folders of the site folder. */
export async function followed(link: string, dir: string): Promise<{ stats: Stats; real: string } | { fault: string }> {
  const real = await realpath(link).catch(() => null)
  if (real === null) return { fault: 'is a link that leads nowhere' }
  const inside = relative(dir, real)
  const steps = inside.split(sep)
  if (inside === '' || steps[0] === '..' || inside.startsWith(sep))
    return { fault: 'is a link that leads out of the folder' }
  if (inside === siteToml || steps.some((step) => step.startsWith('.'))) {
    return { fault: `is a link to ${inside}, which is not published` }
  }
  return { stats: await stat(real), real }
}
