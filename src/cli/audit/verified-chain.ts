import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { ChainWalk, readExportedLine } from '../../console/audit/audit-chain.ts'
import type { AuditLog } from '../../console/audit/audit-log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { ChainCheck, ChainPlace } from '../../operations/audit/chain-check.ts'

/** Whether the noted line is there; `null`: it is older than what is kept. */
export type HasNoted = boolean | null

interface Verified {
  check: ChainCheck
  hasNoted: HasNoted
}

/** Checks the log of a box. */
export async function verifyBox(audit: AuditLog, noted: ChainPlace | null): Promise<Verified> {
  const check = await audit.check()
  if (noted === null) return { check, hasNoted: true }
  const anchor = await audit.anchor()
  if (noted.seq < anchor.seq) return { check, hasNoted: null }
  const [line] = noted.seq === anchor.seq ? [anchor] : await audit.linesAfter(noted.seq - 1, 1)
  return { check, hasNoted: line !== undefined && isPlace(line, noted) }
}

/** Checks a copy that was exported, which may begin anywhere. */
export async function verifyCopy(file: string, noted: ChainPlace | null): Promise<Verified> {
  let walk: ChainWalk | null = null
  let fault: ChainCheck['fault'] = null
  let hasNoted: HasNoted = noted === null ? true : null
  for await (const text of linesOf(file)) {
    if (text === '') continue
    const line = readExportedLine(text)
    if (line === null) throw new OperatorError(`${file} is not what \`capture audit export\` printed.`)
    walk ??= new ChainWalk({ seq: line.seq - 1, hash: line.previous })
    fault = walk.next(line)
    if (fault !== null) break
    if (noted !== null && line.seq <= noted.seq) hasNoted = line.seq === noted.seq ? isPlace(line, noted) : false
  }
  const head = walk?.place ?? null
  return { check: { lines: walk?.lines ?? 0, head, fault }, hasNoted }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8')
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new OperatorError(`${file} cannot be read (${code}).`)
  } finally {
    input.destroy()
  }
}

const isPlace = ({ seq, hash }: ChainPlace, noted: ChainPlace): boolean => seq === noted.seq && hash === noted.hash
