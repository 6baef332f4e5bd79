import { resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import {
  type ChainCheck,
  type ChainPlace,
  chainFaultAdvice,
  chainFaultWords,
} from '../../operations/audit/chain-check.ts'
import { type CommandResult, defineCommand, usageError } from '../command.ts'
import type { HasNoted } from './verified-chain.ts'

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Checks that no line of the audit log was changed, removed or inserted',
  details: `Each line has a number and a hash over its content and the hash of the line before. The first line that does not fit is
named, and the exit status is then 1. The last line's number and hash (the head) are printed: kept elsewhere, they show later with
--head whether somebody has written the whole log anew or cut its end off.
--json prints { "lines", "unnumbered", "head": "SEQ:HASH"|null, "fault": { "fault": "changed"|"missing"|"inserted"|…, … }|null,
"found" }.
  capture audit verify --head 4711:9f86d0…
  capture audit verify --file audit.jsonl`,
  options: {
    file: { value: 'FILE', summary: 'check this copy, which `capture audit export` printed, instead of the box' },
    head: { value: 'SEQ:HASH', summary: 'the log, or the copy, must hold this line, which was noted before' },
  },
  async run({ options }, session) {
    const noted = typedHead(options.head)
    const { verifyBox, verifyCopy } = await import('./verified-chain.ts')
    const { check, hasNoted } =
      options.file === undefined
        ? await session.withBox(async (box) => verifyBox((await box.consoleStores()).audit, noted))
        : await verifyCopy(resolve(session.cwd, options.file), noted)
    return result(check, noted, hasNoted)
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

function result(check: ChainCheck, noted: ChainPlace | null, hasNoted: HasNoted): CommandResult {
  const { lines, unnumbered, head, fault } = check
  if (noted !== null && hasNoted === null)
    throw new OperatorError('The line of --head is older than what the log still holds. Use a later one.')
  const isOther = noted !== null && hasNoted === false
  const found =
    fault === null
      ? isOther
        ? `Line ${noted?.seq} is not the one that --head names: the log was written anew, cut off, or restored from an earlier backup.`
        : `${plural(lines, 'line')} of the audit log ${lines === 1 ? 'is' : 'are'} as written.`
      : chainFaultWords(fault)
  const headText = head === null ? null : `${head.seq}:${head.hash}`
  const notes = [
    ...(unnumbered === 0 ? [] : [`${plural(unnumbered, 'line')} from before the log was chained cannot be checked.`]),
    ...(fault === null && !isOther ? [] : [`${chainFaultAdvice}.`]),
  ]
  return {
    json: { lines, unnumbered, head: headText, fault: fault ?? (isOther ? { fault: 'other_head' } : null), found },
    text: headText === null ? [found] : [found, `Head: ${headText}`],
    notes,
    exitStatus: fault === null && !isOther ? 0 : 1,
  }
}
