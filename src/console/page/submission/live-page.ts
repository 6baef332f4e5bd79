import { arrivedSubmissions } from '../../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { isStaff, permissionOn } from '../../access/permission.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type EventSource, eventStream, type LiveEvent } from '../../live/event-stream.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { signedInUser } from '../requests.ts'
import { type InboxQuery, inboxQuery, seesStates } from './inbox-filters.ts'
import { type InboxRow, inboxRowsOf } from './inbox-rows.ts'

/** The browser reopens a stream that ends after this time, just as it does when the console rests after 15 minutes. */
const streamMsMax = 10 * 60_000
/** How often the stream checks that the user still has access, besides before each submission. */
const askMs = 10_000

/** `/a/ACCOUNT/live?…&after`: sends the submissions that the inbox with these filters would show, as they arrive. */
export const livePage: AccountPage = {
  of: 'account',
  path: '/a/:account/live',
  scope: 'read',
  clients: 'masked',
  asksByItself: true,
  async show(call, box) {
    const query = inboxQuery(call)
    const isShown = query.state === undefined || query.state === 'new'
    const onEnd = isShown ? box.live.begin(call.caller.userId) : null
    // 204 tells the browser not to reconnect (HTML, section 9.2.3).
    if (onEnd === null) return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
    return eventStream({ look: newcomers(call, query, box), onEnd })
  },
}

function newcomers(call: AccountPageCall, query: InboxQuery, box: ConsoleBox): EventSource['look'] {
  const { account, view } = call
  const begunMs = box.clock.monotonicMs()
  const shown = view === 'masked' ? { shown: maskedSubmission } : {}
  let askedMs = begunMs
  let after = placeIn(call)
  return async () => {
    const nowMs = box.clock.monotonicMs()
    if (nowMs - begunMs >= streamMsMax) return null
    const { records, cursor } = await arrivedSubmissions(box, account, { ...query, ...shown, after })
    if (records.length > 0 || nowMs - askedMs >= askMs) {
      if (!(await maySeeStill(call, box))) return null
      askedMs = nowMs
    }
    after = cursor
    const rows = await rowsNow(call, records, { query, box })
    return rows.map((data): LiveEvent => ({ name: 'lead', id: cursor, data }))
  }
}

/** Reads states anew: colleagues may have worked on a submission while nobody listened. */
async function rowsNow(
  call: AccountPageCall,
  records: readonly SubmissionRecord[],
  { query, box }: { query: InboxQuery; box: ConsoleBox },
): Promise<InboxRow[]> {
  const rows = await inboxRowsOf(call, records, box)
  return rows.filter(({ state }) => query.state === undefined || state === query.state)
}

/** Where the page or the previous stream stopped; `null`: now. */
function placeIn({ request, url }: AccountPageCall): string | null {
  const place = request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? ''
  return /^\d{1,16}$/.test(place) ? place : null
}

async function maySeeStill(call: AccountPageCall, box: ConsoleBox): Promise<boolean> {
  const user = await signedInUser(call, box, { isUse: false })
  const account = await box.accounts.find(call.account.handle)
  if (user === null || account?.id !== call.account.id) return false
  return permissionOn(account.id, user, livePage) === call.view && isStaff(account.id, user) === seesStates(call)
}
