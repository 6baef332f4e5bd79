import { consoleBase } from '../config/own-hosts.ts'
import { noChange } from '../console/audit/audit-log.ts'
import { type Doable, type Done, subjectOf } from '../operations/act.ts'
import { type CommandAct, notedCommand } from './audit/noted-command.ts'
import type { ActingBox, ActingCommand } from './command.ts'
import { commandPublisher } from './input/typing-user.ts'
import { type CommandBox, openBox } from './open.ts'
import { printable } from './output/text.ts'
import { noticesTo } from './record/record-notices.ts'
import type { Session } from './session.ts'

export async function doAct<In, D extends Done<unknown>>(
  session: Session,
  act: Doable<In, ActingBox, ActingCommand, D>,
  input: NoInfer<In>,
): Promise<D> {
  const by = { ...commandPublisher(session), caller: null, onNotice: noticesTo(session.err) }
  const { account } = input as { account?: string }
  return withBox(session, async (opened) => {
    const box = { ...opened, ...(await opened.consoleStores()), address: () => consoleBase(opened.config) }
    const named = await subjectOf(act, input, box)
    const noted = {
      action: act.name,
      ...(account !== undefined && { account }),
      subject: (done: D | null) => done?.subject ?? named,
      change: ({ change = noChange }: D) => change,
    }
    return notedCommand({ box: opened, session, act: noted }, () => act.run(box, input, by))
  })
}

export async function withBox<T>(
  session: Session,
  work: (box: CommandBox) => Promise<T>,
  act?: CommandAct<T>,
): Promise<T> {
  const { config } = await session.loadConfig()
  const onSnapshot = (file: string): void =>
    session.err.write(
      printable(`The database was brought up to this version; as it was before, it is in ${file}.`) + '\n',
    )
  const box = await openBox(config, session, { onSnapshot, mustExist: true })
  try {
    return await (act === undefined ? work(box) : notedCommand({ box, session, act }, () => work(box)))
  } finally {
    await box.close()
  }
}
