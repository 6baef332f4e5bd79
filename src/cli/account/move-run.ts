import { resolve } from 'node:path'
import { byteSize, plural } from '../../lib/quantities.ts'
import { type MovedIn, moveIn } from '../../operations/move/move-in.ts'
import { type MovedOut, moveOut } from '../../operations/move/move-out.ts'
import type { ExitStatus } from '../command.ts'
import { typedInstant } from '../input/typed-time.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { startProgress } from '../output/progress.ts'
import { RecordNotices } from '../record/record-notices.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'
import { withBox } from '../with-box.ts'

interface MoveOutRequest {
  account: string
  file: string
  since: string | undefined
  json: boolean
}

export async function runMoveOut(request: MoveOutRequest, session: Session): Promise<ExitStatus> {
  const { clock, err, out, cwd } = session
  const since = typedInstant('--since', request.since, clock.now())
  const wanted = { account: request.account, file: resolve(cwd, request.file), since, program: programVersion }
  const act = { action: 'account.move-out' as const, account: request.account, subject: request.account }
  const moved = await withBox(
    session,
    (box) => {
      const progress = startProgress({ stream: err, clock, label: 'Writing', unit: 'bytes', total: null })
      const watch = { onBytes: progress.advance, onDamaged: () => {}, onNotice: new RecordNotices(err).onNotice }
      return moveOut(box, wanted, watch).finally(progress.end)
    },
    act,
  )
  await out.write(request.json ? toJson(moved) : lines(movedOutText(moved)))
  return 0
}

function movedOutText({ account, file, bytes, since, nextSince }: MovedOut): string[] {
  const what = since === null ? `${account} is` : `What ${account} received since ${since} is`
  return [
    `${what} in ${file}: ${byteSize(bytes)}, read back and verified. This box goes on serving the account.`,
    `On the other box: capture account move ${account} --from FILE`,
    `Once DNS leads to the other box, move the records that this box captured in the meantime: capture account move ${account} --to FILE --since ${nextSince}`,
  ]
}

export async function runMoveIn(
  request: { account: string; file: string; json: boolean },
  session: Session,
): Promise<ExitStatus> {
  const { clock, err, out, cwd } = session
  const wanted = { account: request.account, file: resolve(cwd, request.file) }
  const act = { action: 'account.move-in' as const, account: request.account, subject: request.account }
  const moved = await withBox(
    session,
    (box) => {
      const progress = startProgress({ stream: err, clock, label: 'Taking in', unit: 'contents', total: null })
      return moveIn(box, wanted, () => progress.advance(1)).finally(progress.end)
    },
    act,
  )
  const { config } = await session.loadConfig()
  await out.write(request.json ? toJson(moved) : lines(movedInText(moved, config.backup.to.length > 0)))
  return 0
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
    `Publish it from here on. Lead its domains to this box: capture domain check HOST says what DNS answers.`,
  ]
}

const lines = (texts: string[]): string => texts.map((text) => `${printable(text)}\n`).join('')
