import { readdirSync } from 'node:fs'

/** The names in a folder, in order; none if it is missing or unreadable. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
