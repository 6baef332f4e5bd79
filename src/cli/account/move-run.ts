import { resolve } from 'node:path'
import { domainsConnected } from '../../console/audit/changes.ts'
import { byteSize, plural } from '../../lib/quantities.ts'
import { type MovedIn, moveIn } from '../../operations/move/move-in.ts'
import { type MovedOut, moveOut } from '../../operations/move/move-out.ts'
import type { CommandResult, CommandSession } from '../command.ts'
import { takenOverLine } from '../domain/domain-text.ts'
import { typedInstant } from '../input/typed-time.ts'
import { startProgress } from '../output/progress.ts'
import { noticesTo } from '../record/record-notices.ts'
import { programVersion } from '../version.ts'

interface MoveRequest {
  account: string
  file: string
}

export async function runMoveOut(
  request: MoveRequest & { since: string | undefined },
  session: CommandSession,
): Promise<CommandResult> {
  const { clock, err, cwd } = session
  const since = typedInstant('--since', request.since, clock.now())
  const wanted = { account: request.account, file: resolve(cwd, request.file), since, program: programVersion }
  const act = { action: 'account.move-out' as const, account: request.account, subject: request.account }
  const moved = await session.withBox((box) => {
    const progress = startProgress({ stream: err, clock, label: 'Writing', unit: 'bytes', total: null })
    const watch = { onBytes: progress.advance, onDamaged: () => {}, onNotice: noticesTo(err) }
    return moveOut(box, wanted, watch).finally(progress.end)
  }, act)
  return { json: moved, text: movedOutText(moved) }
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

export async function runMoveIn(request: MoveRequest, session: CommandSession): Promise<CommandResult> {
  const { clock, err, cwd } = session
  const wanted = { account: request.account, file: resolve(cwd, request.file) }
  const act = {
    action: 'account.move-in' as const,
    account: request.account,
    subject: request.account,
    change: domainsConnected,
  }
  const moved = await session.withBox((box) => {
    const progress = startProgress({ stream: err, clock, label: 'Taking in', unit: 'contents', total: null })
    return moveIn(box, wanted, () => progress.advance(1)).finally(progress.end)
  }, act)
  const { config } = await session.loadConfig()
  const { connected: _, takenOver, ...json } = moved
  return {
    json,
    notes: takenOver.map((domain) => takenOverLine(domain, moved.account)),
    text: movedInText(moved, config.backup.to.length > 0),
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
