import { checkDomain, type DomainChecked } from '../../operations/domain/check-domain.ts'
import { domainJson } from '../../operations/domain/domain-json.ts'
import type { ExitStatus } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { styleFor } from '../output/style.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { domainText } from './domain-text.ts'
import { persistText } from './persist-text.ts'

interface CheckRequest {
  /** As typed. */
  host: string
  now: boolean
  json: boolean
}

/** `capture domain check`: checks DNS, CAA and port 80 now. */
export async function runDomainCheck({ host, now, json }: CheckRequest, session: Session): Promise<ExitStatus> {
  const { checked, isServed } = await withBox(session, async (box) => ({
    checked: await checkDomain(box, { host, account: null, isNow: now }),
    isServed: box.isServed(),
  }))
  const { status, persistRecord } = checked
  const { out, err, env } = session
  await out.write(
    json
      ? toJson(domainJson(status, persistRecord))
      : domainText(status, styleFor(out, env), out.columns) +
          persistText(persistRecord === null ? [] : [persistRecord]),
  )
  for (const note of notesOn(checked, { now, isServed })) err.write(`Note: ${printable(note)}\n`)
  return 0
}

function notesOn(
  { status, renewalHindrance, isMoved }: DomainChecked,
  { now, isServed }: { now: boolean; isServed: boolean },
): string[] {
  const renewal = renewalHindrance === null ? [] : [`it could not be renewed at present. ${renewalHindrance}`]
  if (!now) return renewal
  if (isMoved) return isServed ? renewal : [...renewal, 'the next attempt is due as soon as a service runs.']
  return [...renewal, unmovedText[status.state]]
}

/** Why `--now` has moved nothing. */
const unmovedText: Record<DomainChecked['status']['state'], string> = {
  active: 'the name has its certificate, so no attempt is waiting.',
  off: 'nothing is ordered for the name.',
  waiting: 'no attempt is waiting that could be moved forward.',
  failing: 'no attempt is waiting that could be moved forward.',
}
