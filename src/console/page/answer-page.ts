import type { StoredAccount } from '../../account/account.ts'
import { html, type Markup } from '../../lib/html.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { sayable } from '../../operations/database/storage-fault.ts'
import { permissionOn } from '../access/permission.ts'
import { ApiError } from '../api/api-error.ts'
import type { Arrived } from '../arrived.ts'
import { actorOf, doneBy, type NotedAct, noted } from '../audit/noted-act.ts'
import type { RefusedTry } from '../audit/refused-tries.ts'
import type { ConsoleBox } from '../console-box.ts'
import { endedStream } from '../live/event-stream.ts'
import { doneNote, faultNote, inPages, noticeNote, operatorMessage } from '../look/notice.ts'
import type { PageContent } from '../page-content.ts'
import type { PageNotice } from '../session/next-page.ts'
import { isProved } from '../session/session.ts'
import { helpersIn } from '../user/user.ts'
import { refusalNote, refusalStatus } from './act-form.ts'
import type { AccountPage, AccountPageCall, Acted, AnyPage, BoxPage, Forms, Page, PageAct, PageCall } from './page.ts'
import {
  asksForNotice,
  formFields,
  isFormWithFiles,
  isFromElsewhere,
  isFromScript,
  messageContent,
  messagePage,
  placeOf,
  scriptAnswer,
  seeOther,
  signedInUser,
} from './page-http.ts'
import { isCustomer, localeOfPage, localeOfStranger } from './page-locale.ts'
import { linkedPath, navigationOf } from './pages.ts'
import { accountAround, withinShell } from './within-shell.ts'

export async function answerPage(page: Page, asked: Arrived, box: ConsoleBox): Promise<Response> {
  const { request, params, address, secure } = asked
  const url = new URL(request.url)
  const answerId = url.searchParams.get(answerParameter)
  url.searchParams.delete(answerParameter)
  const caller = await signedInUser(asked, box, { isUse: page.asksByItself !== true })
  if (caller === null) return toSignIn(request, url)
  const place = placeOf(request, secure)
  const account = 'scope' in page ? await box.accounts.find(params.account ?? '') : null
  const around = await accountAround(account, caller, box)
  const locale = await localeOfPage(caller, around, box)
  const call: PageCall = {
    request,
    caller,
    address,
    secure,
    place,
    url,
    params,
    locale,
    fields: new Map(),
    notice: null,
    refusal: null,
    answerId,
  }
  if (request.method === 'POST' && request.headers.get('sec-fetch-site') !== 'same-origin') {
    await noteRefused(page, call, box, { kind: 'cross_site' })
    return messagePage('crossSite', locale)
  }
  const content = await contentOf(page, { call, account, around }, box)
  if (content instanceof Response) return content
  const path = linkedPathIn(page, account)
  const title = content.title ?? page.link?.text ?? ''
  return withinShell({ ...content, title }, { caller, account: around, path, locale }, box)
}

function toSignIn(request: Request, { pathname, search }: URL): Response {
  const locale = localeOfStranger(request)
  if (isFromElsewhere(request)) return messagePage('onceMore', locale, { headers: { refresh: '0' } })
  if (request.headers.get('accept') === 'text/event-stream') return endedStream()
  // To a script, a redirect means that its act was done.
  if (isFromScript(request)) return messagePage('signedOut', locale)
  return seeOther(`/sign-in?to=${encodeURIComponent(pathname + search)}`)
}

/** In the address to which a form leads: the id of the answer that waits there. */
const answerParameter = 'answer'

interface Asked {
  call: PageCall
  /** `null`: a page of the box, or there is none of the name. */
  account: StoredAccount | null
  /** Whose pages are around it. */
  around: StoredAccount | null
}

async function contentOf(page: Page, asked: Asked, box: ConsoleBox): Promise<PageContent | Response> {
  const { call } = asked
  try {
    return 'scope' in page ? await ofAccount(page, asked, box) : await ofBox(page, asked, box)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too_large')
      return messageContent('tooLarge', call.locale, wayOn(page, asked))
    if (error instanceof NotThere || error instanceof ApiError)
      return messageContent('nothingHere', call.locale, wayOn(page, asked))
    const fault = sayable(error)
    if (fault !== null) return refusedContent(fault, call)
    throw error
  }
}

/** To the list of the navigation whose item is not there, or to where the navigation begins. */
function wayOn(page: Page, { call: { caller, locale }, account, around }: Asked) {
  const links = navigationOf(caller, around, locale).flatMap(({ links }) => links)
  return { list: links.find(({ href }) => href === linkedPathIn(page, account)) ?? links[0] }
}

const linkedPathIn = (page: Page, account: StoredAccount | null): string =>
  linkedPath(page).replace(':account', account?.handle ?? '')

/** Names who may. A customer knows the agency, not its roles. */
async function notAllowed(
  { caller, locale, account }: Pick<AccountPageCall, 'caller' | 'locale' | 'account'>,
  { isForOwners }: { isForOwners: boolean },
  { users }: ConsoleBox,
): Promise<PageContent> {
  const [start] = navigationOf(caller, account, locale).flatMap(({ links }) => links)
  const ask = isForOwners ? [] : helpersIn(await users.list(), account.id)
  return messageContent(isCustomer(caller) ? 'notForClients' : 'notAllowed', locale, { list: start, ask })
}

/** The message says what to do, even if this user is not the one who can do it; customers read that it failed. */
function refusedContent(why: OperatorError, { caller, locale }: PageCall): PageContent {
  const { title, text } = locale.texts.console.messages.failed
  const message = isCustomer(caller) ? text : operatorMessage(why.message, caller)
  return { status: refusalStatus(why), title, body: html`${faultNote(message)}` }
}

/** Checks the permission that the page declares before it reads anything that was sent. */
async function ofAccount(page: AccountPage, asked: Asked, box: ConsoleBox): Promise<PageContent | Response> {
  const { call, account } = asked
  const isAct = call.request.method === 'POST'
  const required = isAct ? (page.forms ?? page) : page
  const permission = account === null ? 'unknown' : permissionOn(account.id, call.caller, required)
  const isUnknown = account === null || permission === 'unknown'
  const isForOwners = page.ownersOnly === true && !call.caller.isOwner
  if (isUnknown || permission === 'lacking' || isForOwners) {
    await noteRefused(page, call, box, { kind: 'forbidden', accountId: account?.id ?? null })
    return isUnknown
      ? messageContent('nothingHere', call.locale, wayOn(page, asked))
      : notAllowed({ ...call, account }, { isForOwners }, box)
  }
  const inAccount: AccountPageCall = { ...call, account, view: permission }
  return isAct ? actOn(page, inAccount, box) : look(page, inAccount, box)
}

async function ofBox(page: BoxPage, asked: Asked, box: ConsoleBox): Promise<PageContent | Response> {
  const { call } = asked
  if (page.for === 'owner' && !call.caller.isOwner) {
    await noteRefused(page, call, box, { kind: 'forbidden' })
    return messageContent('nothingHere', call.locale, wayOn(page, asked))
  }
  return call.request.method === 'POST' ? actOn(page, call, box) : look(page, call, box)
}

const noteRefused = (
  { path }: Pick<Page, 'path'>,
  { request, caller, address }: PageCall,
  { refused }: ConsoleBox,
  what: Pick<RefusedTry, 'kind' | 'accountId'>,
): Promise<void> => refused.note({ ...what, endpoint: `${request.method} ${path}`, address, actor: actorOf(caller) })

/** Shows the page, and records the look in the audit log if the page asks for it. */
async function look<C extends PageCall>(page: AnyPage<C>, asked: C, box: ConsoleBox): Promise<PageContent | Response> {
  const { caller, url, answerId } = asked
  // The proof may end between a form and its answer, which waits.
  if (page.asksAgain && !isProvedNow(asked, box)) return proveFirst(asked, answerId)
  const now = box.clock.now()
  const waiting = { path: url.pathname, id: answerId ?? '' }
  const answer = box.nextPages.takeAnswer(caller.sessionId, waiting, now)
  if (answer !== null) return answer
  const call: C = { ...asked, ...box.nextPages.take(caller.sessionId, url.pathname, now) }
  return withNote(noteOn(call, box), await shown(page, call, box))
}

const noteOn = (call: PageCall, box: ConsoleBox): Markup | null => {
  const { fields, notice, locale } = call
  // Whoever cancelled has what they typed again, and has confirmed nothing.
  if (fields.size > 0) return isProvedNow(call, box) ? doneNote(locale.texts.console.me.sendAgain, 'doubtful') : null
  return notice === null || notice.place !== undefined ? null : noticeNote(notice)
}

const withNote = (note: Markup | null, content: PageContent | Response): PageContent | Response =>
  content instanceof Response ? content : { ...content, body: html`${note}${content.body}` }

async function shown<C extends PageCall>(page: AnyPage<C>, call: C, box: ConsoleBox): Promise<PageContent | Response> {
  const act = await notedAct(page, call, box)
  return noted(act, box, { work: () => page.show(call, box), resultOf: () => ({}) })
}

/**
 * Does what a form on the page asks for, and records the outcome in the audit log. Reads the form only after its sender's
 * permission has been checked.
 *
 * @throws ApiError `too_large`
 */
async function actOn<C extends PageCall>(
  page: AnyPage<C>,
  unread: C,
  box: ConsoleBox,
): Promise<PageContent | Response> {
  const { forms, asksAgain } = page
  if (forms === undefined) return messageContent('nothingHere', unread.locale)
  if (asksAgain && !isProvedNow(unread, box)) return proveFirst(unread)
  const call: C = { ...unread, fields: await sentFields(forms, unread) }
  const act = forms.chosen(call)
  if (act === null) return messageContent('nothingHere', call.locale)
  const { account } = call as Partial<AccountPageCall>
  if (account && act.needs && permissionOn(account.id, call.caller, act.needs) !== 'whole') {
    await noteRefused(page, call, box, { kind: 'forbidden', accountId: account.id })
    return notAllowed({ ...call, account }, { isForOwners: false }, box)
  }
  if (act.asksAgain && !isProvedNow(call, box)) {
    const form = { path: call.url.pathname, fields: call.fields }
    box.nextPages.keep(call.caller.sessionId, form, box.clock.now())
    return proveFirst(call)
  }
  try {
    const made: C = { ...call, url: withoutNew(call.url) }
    const { notice, answer } = await done(act, made, box)
    const isSaid = notice !== undefined || answer === undefined || answer instanceof Response
    if (isSaid && asksForNotice(call.request)) return scriptAnswer(noticeOf(notice ?? 'Done.'))
    if (notice !== undefined || answer === undefined) keepNotice(notice ?? 'Done.', answer ?? null, { call, box })
    return answer === undefined ? seeOther(call.url.pathname) : byGet(answer, made, box)
  } catch (why) {
    if (!(why instanceof OperatorError)) throw why
    if (asksForNotice(call.request)) return scriptAnswer({ text: inPages(why.message) }, refusalStatus(why))
    if (why instanceof NotThere) throw why
    const content = await (forms.refused?.(call, box, why) ?? shownAgain(page, { ...call, refusal: why }, box))
    return byGet(content instanceof Response ? content : { ...content, status: refusalStatus(why) }, call, box)
  }
}

/** What `?new` asked for is done: the page is its list again, also once it is loaded anew. */
function withoutNew(page: URL): URL {
  const list = new URL(page)
  list.searchParams.delete('new')
  return list
}

/** The page with what was typed, and why that was refused. */
const shownAgain = async <C extends PageCall>(page: AnyPage<C>, call: C, box: ConsoleBox) =>
  withNote(refusalNote(call), await shown(page, call, box))

/** A browser gets the answer by GET, so that Back and Reload never send the form again. Any other sender gets it at once. */
function byGet(answer: PageContent | Response, { request, caller, url }: PageCall, box: ConsoleBox) {
  if (answer instanceof Response || request.headers.get('sec-fetch-mode') !== 'navigate') return answer
  const kept = { path: url.pathname, content: answer }
  const id = box.nextPages.keepAnswer(caller.sessionId, kept, box.clock.now())
  if (id === null) return answer
  return seeOther(pathTo(url, id))
}

function pathTo(page: URL, answerId: string | null): string {
  const to = new URL(page)
  if (answerId !== null) to.searchParams.set(answerParameter, answerId)
  return to.pathname + to.search
}

/** Has the page to which the act leads say what it did. The console's script opens no page, and says it itself. */
function keepNotice(
  notice: PageNotice | string,
  answer: PageContent | Response | null,
  { call, box }: { call: PageCall; box: ConsoleBox },
): void {
  if (isFromScript(call.request)) return
  const location = answer instanceof Response ? answer.headers.get('location') : null
  const { pathname } = new URL(location ?? call.url.pathname, call.url)
  box.nextPages.keep(call.caller.sessionId, { path: pathname, notice: noticeOf(notice) }, box.clock.now())
}

const noticeOf = (notice: PageNotice | string): PageNotice => (typeof notice === 'string' ? { text: notice } : notice)

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

const isProvedNow = ({ caller }: PageCall, { clock }: ConsoleBox): boolean => isProved(caller, clock.now())

const proveFirst = ({ url }: PageCall, answerId: string | null = null): Response =>
  seeOther(`/prove?to=${encodeURIComponent(pathTo(url, answerId))}`)
