import { readFileSync } from 'node:fs'

/** The name of a local user; `null`: `/etc/passwd` (passwd(5)) has no such id or cannot be read. */
export function userName(uid: number): string | null {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid))
    return line?.split(':')[0] ?? null
  } catch {
    return null
  }
}
