import { readdirSync } from 'node:fs'

/** The names in a folder, in order. One that is not there, or cannot be looked into, has none. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
