import { resolve } from 'node:path'
import { byteSize, plural } from '../../lib/quantities.ts'
import type { MovedIn, MovedOut } from '../../operations/move/move-account.ts'
import { type CommandResult, type CommandSession, defineCommand, usageError } from '../command.ts'
import { takenOverLine } from '../domain/domain-text.ts'
import { typedInstant } from '../input/typed-values.ts'
import { startProgress } from '../output/streams.ts'
import { programVersion } from '../version.ts'

export const accountMove = defineCommand({
  name: 'account move',
  summary: 'Moves one account to another box: --to a file on this box, --from that file on the other',
  details: `--to FILE writes the account into a file: records, persons and figures, pages with their versions, forms, keys,
deliveries with their secrets, and certificates. This box goes on serving it. --from FILE adds it to the other box, all at once: links,
cookies and previews that were signed before work there. Nothing is sent for records that arrive.
Until DNS leads to the other box, this one goes on capturing; --to FILE --since T writes what it captured since T, and --from adds what
is new of it: run it as often as you like. At the end, run \`capture account remove\` here. docs/moving.md has it step by step.
The file holds personal data, and the keys that sign this box's links and cookies.
--json prints { "account", "file", "since": T|null, "nextSince", "bytes", "createdAt", "assets", "missingAssets", "damagedAssets" }
with --to, and { "account", "arrived": "account"|"records", "createdAt", "records", "assets", "erasedAgain": { "erasures", "records",
"verified", "notDerived" } } with --from.
  capture account move acme --to acme.capture
  capture account move acme --from acme.capture`,
  args: { account: { summary: "the account's handle" } },
  options: {
    to: { value: 'FILE', summary: 'write the account into this file' },
    since: { value: 'T', summary: 'with --to: only records received since' },
    from: { value: 'FILE', summary: 'add the account that is in this file' },
  },
  async run({ args: { account }, options: { to, since, from } }, session) {
    if ((to === undefined) === (from === undefined)) throw usageError('Give either --to FILE or --from FILE.')
    if (to !== undefined) return runMoveOut({ account, file: to, since }, session)
    if (since !== undefined) throw usageError('--since goes with --to: the file tells what is in it.')
    return runMoveIn({ account, file: from ?? '' }, session)
  },
})

interface MoveRequest {
  account: string
  file: string
}

async function runMoveOut(
  { since: typed, ...request }: MoveRequest & { since: string | undefined },
  session: CommandSession,
): Promise<CommandResult> {
  const { moveOut } = await import('../../operations/move/move-account.ts')
  const { clock, err, cwd } = session
  const since = typedInstant('--since', typed, clock.now())
  const progress = startProgress({ stream: err, clock, label: 'Writing', unit: 'bytes', total: null })
  const file = resolve(cwd, request.file)
  const wanted = { ...request, file, since, program: programVersion, onBytes: progress.advance }
  const { answer } = await session.act(moveOut, wanted).finally(progress.end)
  return { json: answer, text: movedOutText(answer) }
}

function movedOutText({ account, file, bytes, since, nextSince }: MovedOut): string[] {
  const what = since === null ? `${account} is` : `What ${account} received since ${since} is`
  return [
    `${what} in ${file}: ${byteSize(bytes)}, read back and verified. This box goes on serving the account.`,
    'The file holds keys and personal data in the clear: delete it on both machines once the account has moved.',
    `On the other box: capture account move ${account} --from FILE`,
    `Once DNS leads to the other box, move the records that this box captured in the meantime: capture account move ${account} --to FILE --since ${nextSince}`,
  ]
}

async function runMoveIn(request: MoveRequest, session: CommandSession): Promise<CommandResult> {
  const { moveIn } = await import('../../operations/move/move-account.ts')
  const { clock, err, cwd } = session
  const progress = startProgress({ stream: err, clock, label: 'Taking in', unit: 'contents', total: null })
  const wanted = { ...request, file: resolve(cwd, request.file), onContent: () => progress.advance(1) }
  const { answer, takenOver } = await session.act(moveIn, wanted).finally(progress.end)
  const { config } = await session.loadConfig()
  return {
    json: answer,
    notes: takenOver.map((domain) => takenOverLine(domain, answer.account)),
    text: movedInText(answer, config.backup.to.length > 0),
  }
}

function movedInText({ account, arrived, records, assets, erasedAgain }: MovedIn, isBackedUp: boolean): string[] {
  const { erasures, records: erased } = erasedAgain
  const erasedText =
    erasures + erased === 0 ? [] : [`${plural(erasures, 'erasure')} repeated: ${plural(erased, 'record')} erased.`]
  if (arrived === 'records') {
    return [
      `${plural(records, 'record')} of ${account} added that this box did not have. Nothing is sent for them.`,
      ...erasedText,
    ]
  }
  return [
    `${account} is on this box, with ${plural(records, 'entry', 'entries')} of its ledger and ${plural(assets, 'published content')}.`,
    ...erasedText,
    ...(isBackedUp ? ['Make a backup that has all of it: capture backup now'] : []),
    'From now on, publish it here. Point its domains to this box: capture domain check HOST says what DNS answers.',
  ]
}
