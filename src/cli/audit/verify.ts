import { resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import {
  type ChainCheck,
  type ChainFault,
  type ChainPlace,
  chainFaultAdvice,
  chainFaultWords,
} from '../../operations/audit/chain-check.ts'
import { type CommandResult, defineCommand, usageError } from '../command.ts'
import type { HasNoted } from './verified-chain.ts'

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Checks that no line of the audit log was changed, removed or inserted',
  details: `Each line has a number and a hash over its content and the hash of the line before. It names the first line that
does not fit, and then ends with exit status 1. It prints the last line's number and hash (the head): kept elsewhere, they
show later with --head whether somebody has rewritten the whole log or cut off its end.
--json prints { "lines", "head": "SEQ:HASH"|null, "fault": { "fault": "changed"|"missing"|"inserted"|…, … }|null,
"found" }.
  capture audit verify --head 4711:9f86d0…
  capture audit verify --file audit.jsonl`,
  options: {
    file: { value: 'FILE', summary: 'check this copy, which `capture audit export` printed, instead of the box' },
    head: { value: 'SEQ:HASH', summary: 'a line noted earlier, which the log or the copy must still hold' },
  },
  async run({ options }, session) {
    const noted = typedHead(options.head)
    const { verifyBox, verifyCopy } = await import('./verified-chain.ts')
    const { check, hasNoted } =
      options.file === undefined
        ? await session.withBox(async (box) => verifyBox((await box.consoleStores()).audit, noted))
        : await verifyCopy(resolve(session.cwd, options.file), noted)
    return result(check, hasNoted)
  },
})

const headForm = /^(\d{1,15}):([0-9a-f]{64})$/

function typedHead(typed: string | undefined): ChainPlace | null {
  if (typed === undefined) return null
  const [, seq, hash] = headForm.exec(typed) ?? []
  if (seq === undefined || hash === undefined)
    throw usageError('--head takes SEQ:HASH, as `capture audit verify` prints it.')
  return { seq: Number(seq), hash }
}

function result({ lines, head, fault: broken }: ChainCheck, hasNoted: HasNoted): CommandResult {
  if (broken === null && hasNoted === null)
    throw new OperatorError('The line of --head is older than what the log still holds. Use a later one.')
  const fault = broken ?? (hasNoted ? null : ({ fault: 'other_head' } as const))
  const found =
    fault === null
      ? `${plural(lines, 'line')} of the audit log ${lines === 1 ? 'is' : 'are'} as written.`
      : faultWords(fault)
  const headText = head === null ? null : `${head.seq}:${head.hash}`
  return {
    json: { lines, head: headText, fault, found },
    text: headText === null ? [found] : [found, `Head: ${headText}`],
    notes: fault === null ? [] : [`${chainFaultAdvice}.`],
    exitStatus: fault === null ? 0 : 1,
  }
}

const faultWords = (fault: ChainFault | { fault: 'other_head' }): string =>
  fault.fault === 'other_head'
    ? 'The line that --head names is not there: the log was written anew, cut off, or restored from an earlier backup.'
    : chainFaultWords(fault)
