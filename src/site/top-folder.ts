import { readdir } from 'node:fs/promises'
import { nearest } from '../lib/suggestion.ts'
import type { Walk } from './folder-walk.ts'
import { siteToml } from './site-faults.ts'

/** The published folders of a site folder. */
const published = ['pages', 'img', 'files'] as const

/** The published folders that exist. Lists other names as skipped, and warns about other folders. */
export async function publishedTops({ dir, report }: Walk): Promise<Set<string>> {
  const tops = new Set<string>()
  const entries = await readdir(dir, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry
    if (published.some((top) => top === name)) tops.add(name)
    else if (name !== siteToml) report.skipped.push(name)
    if (!tops.has(name) && entry.isDirectory() && !name.startsWith('.'))
      report.warnings.push(`${name}/: ${unpublished(name)}`)
  }
  return tops
}

function unpublished(name: string): string {
  const meant = slips.get(name.toLowerCase()) ?? nearest(name, published)
  const hint = meant === null ? 'pages/, img/ and files/ are' : `did you mean ${meant}/?`
  return `is not published; ${hint}`
}

/** Names of these folders in other tools. */
const slips: ReadonlyMap<string, string> = new Map([
  ['image', 'img'],
  ['images', 'img'],
  ['assets', 'img'],
  ['downloads', 'files'],
  ['html', 'pages'],
])
