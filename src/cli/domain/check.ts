import type { DomainChecked } from '../../operations/domain/list-domains.ts'
import { defineCommand } from '../command.ts'

export const domainCheck = defineCommand({
  name: 'domain check',
  summary: 'Checks DNS, CAA records and port 80 of a domain now, and says what to do',
  details: `It waits for the DNS and for port 80 for 15 seconds at most. --now has a running service try again at once; the
authority is asked once every obstacle is gone.
--json prints one object as \`capture domain list\` has it. A name that is not connected to this box ends with 1.`,
  args: { host: { summary: 'a connected domain, or the preview host' } },
  options: { now: { summary: 'make the next attempt due now' } },
  async run({ args: { host }, options: { now } }, session) {
    const { checkNameOfBox } = await import('../../operations/domain/list-domains.ts')
    const { domainText, persistText } = await import('./domain-text.ts')
    const { answer, checked, isServed } = await session.withBox(async (box) => ({
      ...(await checkNameOfBox.run(box, { host, now }, null)),
      isServed: box.isServed(),
    }))
    const { status, persistRecord } = checked
    return {
      json: answer,
      text: (layout) => domainText(status, layout) + persistText(persistRecord === null ? [] : [persistRecord]),
      notes: notesOn(checked, { now, isServed }).map((note) => `Note: ${note}`),
    }
  },
})

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
