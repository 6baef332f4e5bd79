import { html } from '../../lib/html.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { doneBy, type NotedAct, noted } from '../audit/noted-act.ts'
import type { ConsoleBox } from '../console-box.ts'
import { doneNote } from '../look/notice.ts'
import type { PageNotice } from '../session/next-page.ts'
import { isProved } from '../session/session.ts'
import { refusalStatus } from './form-refusal.ts'
import type { AccountPageCall, Acted, AnyPage, Forms, PageAct, PageCall, PageContent } from './page.ts'
import { messagePage, seeOther } from './page-answer.ts'
import { formFields } from './requests.ts'

/** Shows the page, and records the look in the audit log if the page asks for it. */
export async function look<C extends PageCall>(
  page: AnyPage<C>,
  asked: C,
  box: ConsoleBox,
): Promise<PageContent | Response> {
  if (page.asksAgain && !isProvedNow(asked, box)) return proveFirst(asked)
  const { caller, url } = asked
  const call: C = { ...asked, ...box.nextPages.take(caller.sessionId, url.pathname, box.clock.now()) }
  const act = await notedAct(page, call, box)
  const content = await noted(act, box, { work: () => page.show(call, box), resultOf: () => ({}) })
  if (content instanceof Response || call.notice === null || call.notice.place !== undefined) return content
  return { ...content, body: html`${doneNote(call.notice.text)}${content.body}` }
}

/**
 * Does what a form on the page asks for, and records the outcome in the audit log. Reads the form only after its sender's
 * permission has been checked.
 *
 * @throws ApiError `too_large`
 */
export async function actOn<C extends PageCall>(
  page: AnyPage<C>,
  unread: C,
  box: ConsoleBox,
): Promise<PageContent | Response> {
  const { forms, asksAgain } = page
  if (forms === undefined) return messagePage('nothingHere')
  if (asksAgain && !isProvedNow(unread, box)) return proveFirst(unread)
  const call: C = { ...unread, fields: await sentFields(forms, unread) }
  const act = forms.chosen(call)
  if (act === null) return messagePage('nothingHere')
  if (act.asksAgain && !isProvedNow(call, box)) {
    const form = { path: call.url.pathname, fields: call.fields }
    box.nextPages.keep(call.caller.sessionId, form, box.clock.now())
    return proveFirst(call)
  }
  try {
    const { notice, answer } = await done(act, call, box)
    if (notice !== undefined || answer === undefined) keepNotice(notice ?? 'Done.', answer ?? null, { call, box })
    return answer ?? seeOther(call.url.pathname)
  } catch (why) {
    if (!(why instanceof OperatorError) || why instanceof NotThere || forms.refused === undefined) throw why
    const content = await forms.refused(call, box, why)
    return content instanceof Response ? content : { ...content, status: refusalStatus(why) }
  }
}

/** Has the page to which the act leads say what it did. The console's script opens no page, and says it itself. */
function keepNotice(
  notice: PageNotice | string,
  answer: PageContent | Response | null,
  { call, box }: { call: PageCall; box: ConsoleBox },
): void {
  if (!['navigate', null].includes(call.request.headers.get('sec-fetch-mode'))) return
  const location = answer instanceof Response ? answer.headers.get('location') : null
  const { pathname } = new URL(location ?? call.url.pathname, call.url)
  const next = { path: pathname, notice: typeof notice === 'string' ? { text: notice } : notice }
  box.nextPages.keep(call.caller.sessionId, next, box.clock.now())
}

const done = async <C extends PageCall>(act: PageAct<C>, call: C, box: ConsoleBox): Promise<Acted> =>
  noted(await notedAct(act, call, box), box, {
    work: async () => (await act.run(call, box)) ?? {},
    resultOf: (acted) => acted,
  })

async function notedAct<C extends PageCall>(
  { noted }: Pick<PageAct<C>, 'noted'>,
  call: C,
  box: ConsoleBox,
): Promise<NotedAct | null> {
  if (noted === undefined) return null
  const { account } = call as Partial<AccountPageCall>
  const subject = (await noted.subject?.(call, box)) ?? ''
  return { action: noted.action, accountId: account?.id ?? null, subject, by: doneBy(call) }
}

const sentFields = async (
  { bytesMax, takesFiles }: Pick<Forms<PageCall>, 'bytesMax' | 'takesFiles'>,
  call: PageCall,
) => (takesFiles && isFormWithFiles(call.request) ? new Map<string, string>() : formFields(call.request, bytesMax))

export const isFormWithFiles = ({ headers }: Request): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')

const isProvedNow = ({ caller }: PageCall, { clock }: ConsoleBox): boolean => isProved(caller, clock.now())

const proveFirst = ({ url }: PageCall): Response => seeOther(`/prove?to=${encodeURIComponent(url.pathname)}`)
