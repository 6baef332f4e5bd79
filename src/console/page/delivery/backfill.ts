import { html, type Markup } from '../../../lib/html.ts'
import { dateOfDay, localDay } from '../../../lib/local-day.ts'
import { plural } from '../../../lib/quantities.ts'
import { backfillDestination, countBackfill } from '../../../operations/delivery/backfill.ts'
import { listDestinations } from '../../../operations/delivery/destinations.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { notice } from '../../look/notice.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, FormRefusal } from '../act-form.ts'
import { type AccountPageCall, may, type PageAct } from '../page.ts'
import { localDayTime } from '../values.ts'
import { backToAll } from './delivery-page.ts'

/** `?backfill=NAME&from=DAY`: from when on earlier leads are sent to a destination, how many, and the button that sends them. */
export async function backfillContent(call: AccountPageCall, box: ConsoleBox): Promise<PageContent | null> {
  const { account, url } = call
  const name = url.searchParams.get('backfill')
  const isFilled = account.destinations.some((destination) => destination.name === name && 'forms' in destination)
  if (name === null || !isFilled || !may(call, 'admin')) return null
  const { timezone } = account.settings
  const asked = url.searchParams.get('from')
  const from = asked ?? dateOfDay(localDay(box.clock.now(), timezone) - offeredDays)
  return {
    title: `Send earlier leads to ${name}`,
    back: backToAll(account),
    body: html`<p class="said">For leads from before ${name} was added. You see them before any is sent.</p>
<form class="inline" method="get"><input type="hidden" name="backfill" value="${name}">
<label for="from">Received since</label><input id="from" name="from" type="date" required value="${from}"><button>Find leads</button></form>
${await countedPart(call, { name, from }, box)}`,
  }
}

/** From when on it counts before somebody says. */
const offeredDays = 30

interface Asked {
  name: string
  from: string
}

async function countedPart(
  { account }: AccountPageCall,
  { name, from }: Asked,
  box: ConsoleBox,
): Promise<Markup | null> {
  const since = beginOf(from, account.settings.timezone)
  if (since === null) return null
  const submissions = await countBackfill(box, { account: account.handle, destination: name, since })
  if (submissions === 0)
    return notice(
      'plain',
      html`<p>Nothing to send: each lead for ${name} since ${localDayTime(since, account.settings.timezone)} was already sent, is waiting or has failed.${await openPart(account.handle, name, box)}</p>`,
    )
  return html`<form method="post"><input type="hidden" name="destination" value="${name}"><input type="hidden" name="from" value="${from}">
<p class="do"><button name="act" value="backfill">Send ${plural(submissions, 'lead')}</button></p><p class="hint">Each is sent once, marked as sent later.</p></form>`
}

/** How many deliveries wait, and how many failed: the log has them. */
async function openPart(handle: string, name: string, box: ConsoleBox): Promise<Markup[]> {
  const counts = (await listDestinations(box, handle)).find((listed) => listed.name === name)
  const link = (state: 'waiting' | 'failed', text: string) =>
    html` <a href="/a/${handle}/deliveries?state=${state}&q=${encodeURIComponent(name)}">${text} for ${name}</a>.`
  const { waiting = 0, failed = 0 } = counts ?? {}
  return [
    ...(waiting === 0 ? [] : [link('waiting', `${waiting} ${waiting === 1 ? 'waits' : 'wait'}`)]),
    ...(failed === 0 ? [] : [link('failed', `${failed} failed`)]),
  ]
}

/** The start of the day in the account's time zone; `null`: it is no day. */
function beginOf(date: string, timeZone: string): string | null {
  try {
    return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString()
  } catch {
    return null
  }
}

export const backfillAct: PageAct<AccountPageCall> = actForm(backfillDestination, {
  input({ account, fields }: AccountPageCall) {
    const since = beginOf(fields.get('from') ?? '', account.settings.timezone)
    if (since === null) throw new FormRefusal('Choose the day from which on leads are to be sent.')
    return { destination: fields.get('destination') ?? '', since }
  },
  shown: ({ answer: { submissions, destination } }) => ({
    notice: `Sending ${plural(submissions, 'earlier lead')} to ${destination}.`,
  }),
})
