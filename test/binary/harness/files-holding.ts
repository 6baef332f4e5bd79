import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder that hold the text. */
export function filesHolding(dir: string, text: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => holds(join(dir, name), text))
}

function holds(file: string, text: string): boolean {
  // Of a server that runs, some are gone by now.
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
  return isFile && readFileSync(file).includes(text)
}
