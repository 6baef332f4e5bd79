import { personJson } from '../../operations/person/person-json.ts'
import { showPerson } from '../../operations/person/show-person.ts'
import { inChunks } from '../../report/chunks.ts'
import type { ExitStatus } from '../command.ts'
import type { CommandBox } from '../open.ts'
import { styleFor } from '../output/style.ts'
import { RecordNotices } from '../record/record-notices.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { personText, timelineMax } from './person-text.ts'

interface PersonRequest {
  account: string
  /** As `identityEmail` writes it. */
  email: string
  json: boolean
}

export async function runPersonShow({ json, ...person }: PersonRequest, session: Session): Promise<ExitStatus> {
  const notices = new RecordNotices(session.err)
  const show = async (box: CommandBox): Promise<string> => {
    const shown = await showPerson(box, person, notices.onNotice)
    const { id } = shown.person
    if (json) {
      for await (const chunk of inChunks(personJson(shown))) await session.out.write(chunk)
      return id
    }
    const latest = await shown.latest(timelineMax)
    const style = styleFor(session.out, session.env)
    await session.out.write(personText({ person: shown.person, latest }, { style, columns: session.out.columns }))
    return id
  }
  await withBox(session, show, { action: 'person.read', account: person.account, subject: (id) => id })
  return notices.exitStatus()
}
