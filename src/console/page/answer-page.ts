import { html } from '../../lib/html.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { permissionOn } from '../access/permission.ts'
import { ApiError } from '../api/api-error.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { OtherAccounts } from '../look/account-crumb.ts'
import { shell } from '../look/shell.ts'
import { formFields } from './form-fields.ts'
import { messagePage } from './message-page.ts'
import { navigationOf } from './navigation.ts'
import { otherAccounts } from './other-accounts.ts'
import type { AccountPageCall, Page, PageCall, PageContent } from './page.ts'
import { framingPageAnswer, pageAnswer, seeOther } from './page-answer.ts'
import type { PageRequest } from './page-request.ts'
import { pages } from './pages.ts'
import { placeOf } from './place-of.ts'
import { signedInUser } from './signed-in-user.ts'

/** Answers a request for a page, or for what a form on it does. */
export async function answerPage(page: Page, asked: PageRequest, box: ConsoleBox): Promise<Response> {
  const { request, params, address, secure } = asked
  const url = new URL(request.url)
  const caller = await signedInUser(asked, box, { isUse: page.asksByItself !== true })
  if (caller === null)
    return isFromElsewhere(request)
      ? onceMore()
      : seeOther(`/sign-in?to=${encodeURIComponent(url.pathname + url.search)}`)
  if (request.method === 'POST' && request.headers.get('sec-fetch-site') !== 'same-origin')
    return messagePage('crossSite')
  const place = placeOf(request, secure)
  const call: PageCall = { request, caller, address, secure, place, url, params, fields: new Map() }
  const content = await contentOf(page, call, box, request.method)
  if (content instanceof Response) return content
  const { framesFrom, againAfterSeconds, status } = content
  const account = page.of === 'account' ? await box.accounts.find(params.account ?? '') : null
  const navigation = navigationOf(pages, { caller, account })
  const others = account === null ? noOthers : await otherAccounts(box.accounts, { caller, account })
  const document = shell({ ...content, caller, account, others, path: url.pathname, navigation })
  if (framesFrom !== undefined) return framingPageAnswer(document, framesFrom)
  return pageAnswer(document, status, againAfterSeconds === undefined ? {} : { refresh: String(againAfterSeconds) })
}

const noOthers: OtherAccounts = { number: 0, shown: [] }

async function contentOf(page: Page, call: PageCall, box: ConsoleBox, method: string): Promise<PageContent | Response> {
  try {
    return page.of === 'account' ? await ofAccount(page, call, box, method) : await ofBox(page, call, box, method)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too_large') return messagePage('tooLarge')
    if (error instanceof NotThere || error instanceof ApiError) return messagePage('nothingHere')
    // Says what to do, for whoever sees it: a user may not be the one who can.
    if (error instanceof OperatorError)
      return { status: 409, title: 'That did not work', body: html`<p class="fault" role="alert">${error.message}</p>` }
    throw error
  }
}

async function ofAccount(
  page: Extract<Page, { of: 'account' }>,
  call: PageCall,
  box: ConsoleBox,
  method: string,
): Promise<PageContent | Response> {
  const account = await box.accounts.find(call.params.account ?? '')
  const permission = account === null ? 'unknown' : permissionOn(account.id, call.caller, page)
  if (account === null || permission === 'unknown') return messagePage('nothingHere')
  if (permission === 'lacking') return messagePage('notAllowed')
  const inAccount: AccountPageCall = { ...call, account, view: permission }
  if (method !== 'POST') return page.show(inAccount, box)
  return page.act?.({ ...inAccount, fields: await sentFields(page, call) }, box) ?? messagePage('nothingHere')
}

async function ofBox(
  page: Extract<Page, { of: 'box' }>,
  call: PageCall,
  box: ConsoleBox,
  method: string,
): Promise<PageContent | Response> {
  if (page.for === 'owner' && !call.caller.isOwner) return messagePage('nothingHere')
  if (method !== 'POST') return page.show(call, box)
  return page.act?.({ ...call, fields: await sentFields(page, call) }, box) ?? messagePage('nothingHere')
}

/** What a form has sent; read last, once its sender may send it. @throws ApiError `too_large` */
const sentFields = async ({ formBytesMax, readsBody }: Page, { request }: PageCall): Promise<PageCall['fields']> =>
  readsBody ? new Map() : formFields(request, formBytesMax)

/** Whoever follows a link from a mail brings no `SameSite=Strict` cookie along; the page's own reload does. */
const isFromElsewhere = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('sec-fetch-site') === 'cross-site'

const onceMore = (): Response => messagePage('onceMore', { refresh: '0' })
