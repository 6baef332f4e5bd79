import { type CommandAct, notedCommand } from './audit/noted-command.ts'
import { type CommandBox, openBox } from './open.ts'
import { printable } from './output/printable.ts'
import type { Session } from './session.ts'

/** As `CommandSession` has it. */
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
