import { html } from '../../lib/html.ts'
import { NotThere, type OperatorError } from '../../lib/operator-error.ts'
import { sayable } from '../../operations/database/disk-fault.ts'
import { permissionOn } from '../access/permission.ts'
import { ApiError } from '../api/api-error.ts'
import type { Arrived } from '../arrived.ts'
import { actorOf } from '../audit/noted-act.ts'
import type { RefusedTry } from '../audit/refused-tries.ts'
import type { ConsoleBox } from '../console-box.ts'
import { faultLine } from '../look/notice.ts'
import { operatorMessage } from '../look/operator-message.ts'
import { type OtherAccounts, shell } from '../look/shell.ts'
import { actOn, look } from './act-on-page.ts'
import { refusalStatus } from './form-refusal.ts'
import { navigationOf, otherAccounts } from './navigation.ts'
import type { AccountPage, AccountPageCall, BoxPage, Page, PageCall, PageContent } from './page.ts'
import { framingPageAnswer, messagePage, pageAnswer, seeOther } from './page-answer.ts'
import { pages } from './pages.ts'
import { isFromElsewhere, placeOf, signedInUser } from './requests.ts'

export async function answerPage(page: Page, asked: Arrived, box: ConsoleBox): Promise<Response> {
  const { request, params, address, secure } = asked
  const url = new URL(request.url)
  const caller = await signedInUser(asked, box, { isUse: page.asksByItself !== true })
  if (caller === null)
    return isFromElsewhere(request)
      ? onceMore()
      : seeOther(`/sign-in?to=${encodeURIComponent(url.pathname + url.search)}`)
  const place = placeOf(request, secure)
  const call: PageCall = { request, caller, address, secure, place, url, params, fields: new Map(), notice: null }
  if (request.method === 'POST' && request.headers.get('sec-fetch-site') !== 'same-origin') {
    await noteRefused(page, call, box, { kind: 'cross_site' })
    return messagePage('crossSite')
  }
  const content = await contentOf(page, call, box)
  if (content instanceof Response) return content
  const { framesFrom, againAfterSeconds, status } = content
  const account = page.of === 'account' ? await box.accounts.find(params.account ?? '') : null
  const navigation = navigationOf(pages, { caller, account })
  const others = account === null ? noOthers : await otherAccounts(box.accounts, { caller, account })
  const document = shell({ ...content, caller, account, others, path: url.pathname, navigation })
  if (framesFrom !== undefined) return framingPageAnswer(document, framesFrom, status)
  return pageAnswer(document, status, againAfterSeconds === undefined ? {} : { refresh: String(againAfterSeconds) })
}

const noOthers: OtherAccounts = { number: 0, shown: [] }

async function contentOf(page: Page, call: PageCall, box: ConsoleBox): Promise<PageContent | Response> {
  try {
    return page.of === 'account' ? await ofAccount(page, call, box) : await ofBox(page, call, box)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too_large') return messagePage('tooLarge')
    if (error instanceof NotThere || error instanceof ApiError) return messagePage('nothingHere')
    const fault = sayable(error)
    if (fault !== null) return refusedContent(fault, call)
    throw error
  }
}

/** The message says what to do, even if this user is not the one who can do it. */
const refusedContent = (why: OperatorError, { caller }: PageCall): PageContent => ({
  status: refusalStatus(why),
  title: 'That did not work',
  body: html`${faultLine(operatorMessage(why.message, caller))}`,
})

/** Checks the permission that the page declares before it reads anything that was sent. */
async function ofAccount(page: AccountPage, call: PageCall, box: ConsoleBox): Promise<PageContent | Response> {
  const account = await box.accounts.find(call.params.account ?? '')
  const isAct = call.request.method === 'POST'
  const required = isAct ? (page.forms ?? page) : page
  const permission = account === null ? 'unknown' : permissionOn(account.id, call.caller, required)
  const isUnknown = account === null || permission === 'unknown'
  if (isUnknown || permission === 'lacking' || (page.ownersOnly && !call.caller.isOwner)) {
    await noteRefused(page, call, box, { kind: 'forbidden', accountId: account?.id ?? null })
    return messagePage(isUnknown ? 'nothingHere' : 'notAllowed')
  }
  const inAccount: AccountPageCall = { ...call, account, view: permission }
  return isAct ? actOn(page, inAccount, box) : look(page, inAccount, box)
}

async function ofBox(page: BoxPage, call: PageCall, box: ConsoleBox): Promise<PageContent | Response> {
  if (page.for === 'owner' && !call.caller.isOwner) {
    await noteRefused(page, call, box, { kind: 'forbidden' })
    return messagePage('nothingHere')
  }
  return call.request.method === 'POST' ? actOn(page, call, box) : look(page, call, box)
}

const noteRefused = (
  { path }: Page,
  { request, caller, address }: PageCall,
  { refused }: ConsoleBox,
  what: Pick<RefusedTry, 'kind' | 'accountId'>,
): Promise<void> => refused.note({ ...what, endpoint: `${request.method} ${path}`, address, actor: actorOf(caller) })

const onceMore = (): Response => messagePage('onceMore', { refresh: '0' })
