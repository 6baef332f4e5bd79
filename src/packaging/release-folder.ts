import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'

export const sumsFile = 'SHA256SUMS'

/**
 * Makes a folder with exactly one complete release. The earlier content is deleted only after `make` succeeds.
 *
 * @throws OperatorError when the folder contains anything but a release
 */
export async function makeReleaseFolder(out: string, make: (folder: string) => Promise<void>): Promise<void> {
  const place = resolve(out)
  assertReplaceable(place)
  const making = mkdtempSync(join(dirname(place), `.${basename(place)}-`))
  try {
    await make(making)
    assertReplaceable(place)
    chmodSync(making, 0o755)
    rmSync(place, { recursive: true, force: true })
    renameSync(making, place)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function assertReplaceable(place: string): void {
  if (!existsSync(place)) return
  const names = readdirSync(place)
  if (names.length === 0 || names.includes(sumsFile)) return
  throw new OperatorError(
    `${place} contains other files than a release, which would be lost. Name another folder with --out.`,
  )
}
