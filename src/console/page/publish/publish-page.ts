import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { OperatorError } from '../../../lib/operator-error.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { assertKnown } from '../../../lib/revision.ts'
import { sentStream } from '../../../lib/sent-stream.ts'
import { appliedDone, applyAct } from '../../../operations/apply/apply-act.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { listPages } from '../../../operations/page/pages.ts'
import { accountStates, applyUpload, planUpload, siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import type { UploadFolder } from '../../../operations/upload/upload-folder.ts'
import { callerKey } from '../../access/caller.ts'
import { receiveFolder } from '../../api/folder/received-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { loggedBreak } from '../../log-failure.ts'
import { doneNote, faultNote, inPages, operatorMessage } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { publishingAs } from '../../publisher.ts'
import type { WaitingUpload } from '../../upload/waiting-uploads.ts'
import { FormRefusal, refusalStatus } from '../act-form.ts'
import {
  type AccountPage,
  type AccountPageCall,
  actsBy,
  type BoxPage,
  type Forms,
  type PageAct,
  type PageCall,
} from '../page.ts'
import { isFormWithFiles, seeOther } from '../page-http.ts'
import { localTime } from '../values.ts'
import { consentPart, ticked, untilTicked } from './consent-part.ts'
import { faultsPart } from './faults-part.ts'
import { newAccount, typedFirst } from './new-account.ts'
import { dnsPart, planPart } from './plan-part.ts'
import { publishedPart } from './published-part.ts'

/** Where a folder is published: to an account, or to the box as a new account. */
type PublishCall = PageCall & { account?: AccountPageCall['account'] }

const handleOf = ({ account }: PublishCall): string | null => account?.handle ?? null
const holderOf = (call: PublishCall) => ({ userId: call.caller.userId, account: handleOf(call) })

const gone = 'This upload is gone: it was published, or ten minutes have passed. Choose the folder again.'

const publishedAlready = 'This upload is published already. To publish something else, choose a folder.'

/** The form, or with `?upload=ID` the plan of the upload. */
async function showPublish(
  call: PublishCall,
  box: ConsoleBox,
): Promise<Pick<PageContent, 'title' | 'body' | 'status'>> {
  const { url } = call
  const id = url.searchParams.get('upload')
  if (id === null) return { body: uploadForm(url.pathname) }
  if (box.waitingUploads.isPublished(id, holderOf(call)))
    return { body: html`${doneNote(publishedAlready)}${uploadForm(url.pathname)}` }
  const shown = await box.waitingUploads.use(id, holderOf(call), (found) => showPlan(call, { id, found }, box))
  return shown ?? { status: 410, body: html`${faultNote(gone)}${uploadForm(url.pathname)}` }
}

interface Waiting {
  id: string
  found: WaitingUpload
}

async function showPlan({ url, caller, account }: PublishCall, { id, found }: Waiting, box: ConsoleBox) {
  const prune = url.searchParams.get('prune') === '1'
  // Before the plan: what is published while it is made makes it stale.
  const stateOf = await accountStates(box)
  const planned = await planUpload(box, {
    ...found,
    prune,
    origin: 'console',
    ...publishingAs(caller, account?.id ?? null),
  })
  if (planned.faults !== null)
    return { status: 422, body: html`${faultsPart(planned.faults, planned.siteToml)}${uploadForm(url.pathname)}` }
  const { plan } = planned
  const state = stateOf(plan.account)
  const body = decision(url.pathname, { id, state, prune, plan, account: account ?? null })
  return account ? { body } : { title: `New account: ${found.customer ?? plan.account}`, body }
}

interface Decision {
  id: string
  state: string
  prune: boolean
  plan: AppliedFolder
  account: StoredAccount | null
}

/** The plan within the form that publishes it. */
function decision(path: string, { id, state, prune, plan, account }: Decision): Markup {
  const words =
    account === null
      ? 'Create and publish'
      : plan.changes.length === 0
        ? 'Publish without changes'
        : `Publish ${plural(plan.changes.length, 'change')}`
  const isAllowed = plan.notAllowed === null
  const consent = isAllowed ? consentPart(plan.harm) : null
  const acts = isAllowed ? html`<p class="do"><button>${words}</button>${untilTicked(plan.harm)}</p>` : null
  return html`<form method="post" action="${path}"><input type="hidden" name="upload" value="${id}"><input type="hidden" name="state" value="${state}">
<input type="hidden" name="prune" value="${prune ? '1' : ''}">${planPart(plan, { account, consent, acts, pruned: `${path}?upload=${id}&prune=1` })}</form>${dnsPart(plan.dns)}`
}

const upload: PageAct<PublishCall> = {
  run: async (call, box) => ({
    answer: seeOther(`${call.url.pathname}?upload=${await receiveUpload(call, handleOf(call), box)}`),
  }),
}

/** Publishes exactly what the plan shows, once: a second click or tab gets the same answer. */
const publish: PageAct<PublishCall> = {
  noted: { action: applyAct.name, subject: (call) => handleOf(call) ?? '' },
  async run(call, box) {
    const { caller, fields } = call
    const prune = fields.get('prune') === '1'
    const state = fields.get('state') ?? ''
    const accept = ticked(fields)
    const publishing = publishingAs(caller, call.account?.id ?? null)
    const work = ({ dir, secrets, account }: WaitingUpload) => {
      const wanted = {
        dir,
        secrets,
        account,
        prune,
        dryRun: false,
        accept,
        strict: false,
        origin: 'console' as const,
        ...publishing,
      }
      return applyUpload(box, { ...wanted, onLocked: (handle) => refuseChanged(handle, state, box) })
    }
    const plan = `${prune} ${state} ${[...accept]}`
    const published = await box.waitingUploads.publish(fields.get('upload') ?? '', { of: holderOf(call), plan, work })
    if (published === null) throw new FormRefusal(gone, 410)
    if (published === 'otherwise') throw new FormRefusal(publishedAlready, 410)
    const { applied, isRepeat } = published
    return {
      ...(await appliedDone(applied, box)),
      answer: {
        title: 'Published',
        back: backLink(`/a/${applied.account}/publish`, 'Publish'),
        body: await publishedPart(applied, box),
      },
      isRepeat,
    }
  },
}

const refuseChanged = async (handle: string, state: string, box: ConsoleBox): Promise<void> =>
  assertKnown(
    [state],
    (await accountStates(box))(handle),
    'The account has changed since this plan was made. Nothing was published.',
  )

const publishForms: Forms<PublishCall> = {
  takesFiles: true,
  chosen: ({ request }) => (isFormWithFiles(request) ? upload : publish),
  refused: (call, _, why) => publishRefused(call, why),
}

/** `/a/ACCOUNT/publish`: takes a folder, shows its plan, and publishes it. */
export const publishPage: AccountPage = {
  path: '/a/:account/publish',
  link: { group: 'Site', text: 'Publish', icon: 'upload' },
  scope: 'publish',
  async show(call, box) {
    const shown = await showPublish(call, box)
    if (call.url.searchParams.has('upload'))
      return { title: shown.status === undefined ? 'What would change' : 'Not published', back: backTo(call), ...shown }
    const notes = await box.publications.read(call.account.id, historyMax)
    const { handle, settings } = call.account
    const { pages } = await listPages(box, handle)
    return {
      body: html`${shown.body}${historyPart(notes, { handle, timezone: settings.timezone, pages: new Set(pages.map(({ slug }) => slug)) })}`,
      ways:
        notes.length === 0 ? null : html`<a class="save" href="/api/v1/accounts/${handle}/folder">Current folder</a>`,
    }
  },
  forms: { scope: 'publish', ...publishForms },
}

const historyMax = 20
const subjectsShown = 3

type Publication = Awaited<ReturnType<ConsoleBox['publications']['read']>>[number]

interface HistoryOf {
  handle: string
  timezone: string
  /** That are still there. */
  pages: ReadonlySet<string>
}

const historyPart = (notes: readonly Publication[], of: HistoryOf): Markup =>
  html`<h2>History</h2>${notes.length === 0 ? html`<p>No publication yet.</p>` : table('History', historyColumns(of), notes)}`

const historyColumns = (of: HistoryOf): TableColumn<Publication>[] => [
  { head: 'When', cell: ({ at }) => localTime(at, of.timezone) },
  { head: 'Who', kind: 'wrap', cell: ({ by }) => html`${by.name} <span class="soft">${publishedWhere[by.via]}</span>` },
  { head: 'What', kind: 'wrap', cell: ({ subjects, subjectCount }) => subjectsLinks(subjects, subjectCount, of) },
]

/** What was changed, and the pages about it. */
function subjectsLinks(subjects: readonly string[], subjectCount: number, { handle, pages }: HistoryOf): Markup {
  const more = subjectCount - subjectsShown
  const links = subjects.slice(0, subjectsShown).map((subject, place) => {
    const slug = subject.replace(/^page /, '')
    const at = subject === 'site.toml' ? 'settings' : slug !== subject && pages.has(slug) ? `pages/${slug}` : null
    return html`${place === 0 ? null : ', '}${at === null ? subject : html`<a href="/a/${handle}/${at}">${subject}</a>`}`
  })
  return html`${subjectCount === 0 ? 'no changes' : links}${more > 0 ? ` and ${count(more)} more` : null}`
}

/** After whoever published. */
export const publishedWhere = { command: 'from the command line', api: 'by the API', console: 'in the console' }

export function subjectsText(subjects: readonly string[], count: number): string {
  if (count === 0) return 'no changes'
  const shown = subjects.slice(0, subjectsShown).join(', ')
  return count > subjectsShown ? `${shown} and ${count - subjectsShown} more` : shown
}

/** `/publish`: makes a new account from a folder, its owner's or a first one that the box writes. */
export const publishNewPage: BoxPage = {
  path: '/publish',
  link: { group: 'Box', text: 'New account', icon: 'plus' },
  for: 'owner',
  async show(call, box) {
    const shown = await showPublish(call, box)
    return call.url.searchParams.has('upload')
      ? { back: backTo(call), ...shown }
      : { body: newAccount(shown.body, call) }
  },
  forms: {
    ...publishForms,
    chosen: (call) => firstFolderAct(call) ?? publishForms.chosen(call),
    refused: (call, _, why) => (call.fields.has('first') ? null : publishRefused(call, why)),
  },
}

const firstFolderAct = actsBy<PublishCall>('first', {
  plan: {
    run: async (call, box) => {
      const first = typedFirst(call)
      const files = await box.firstFolder(first)
      const id = await heldUpload({ ...call, account: null }, box, async (upload) => {
        for (const { path, bytes } of files) await upload.write(path, inOnePart(bytes))
        return { dir: upload.dir, secrets: {}, customer: first.name }
      })
      return { answer: seeOther(`${call.url.pathname}?upload=${id}`) }
    },
  },
  download: {
    run: async (call, box) => {
      const files = await box.firstFolder(typedFirst(call))
      const packed = files.map(({ path, bytes }) => ({ path, isText: true, bytes: () => inOnePart(bytes) }))
      const headers = {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="site-folder.zip"',
        'cache-control': 'no-store',
      }
      const zip = await box.uploads.pack(packed)
      return { answer: new Response(sentStream(zip, { onFailure: loggedBreak(box.log) }), { headers }) }
    },
  },
})

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const backTo = ({ url: { pathname } }: PageCall): Markup =>
  backLink(pathname, pathname === publishNewPage.path ? 'New account' : 'Publish')

/** Why a folder was not accepted or published: as text for the script that sends a dropped folder, otherwise as the page. */
async function publishRefused(call: PageCall, why: OperatorError): Promise<PageContent | Response> {
  if (call.request.headers.get('accept') === 'text/plain')
    return new Response(inPages(why.message), { status: refusalStatus(why) })
  return { title: 'Not published', back: backTo(call), body: refusedPart(call, why) }
}

function refusedPart({ url: { pathname }, fields, caller }: PageCall, why: OperatorError): Markup {
  const faults = siteFaultsOf(why)
  if (fields.has('upload') && faults === null && !(why instanceof FormRefusal)) {
    const plan = `${pathname}?upload=${fields.get('upload') ?? ''}${fields.get('prune') === '1' ? '&prune=1' : ''}`
    return html`${faultNote(operatorMessage(why.message, caller))}<p><a class="button" href="${plan}">Show the plan again</a></p>`
  }
  const reason = faults === null ? faultNote(operatorMessage(why.message, caller)) : faultsPart(faults, null)
  return html`${reason}${uploadForm(pathname)}`
}

/** Stores the upload of a form. @returns its id @param account `null`: a new account @throws UploadFault */
const receiveUpload = (
  { request, caller }: PageCall,
  account: string | null,
  box: Pick<ConsoleBox, 'uploads' | 'waitingUploads'>,
): Promise<string> =>
  heldUpload({ caller, account }, box, (upload) =>
    receiveFolder(request, { upload, dryRun: false, hasContent: async () => false }),
  )

async function heldUpload(
  { caller, account }: Pick<PageCall, 'caller'> & { account: string | null },
  box: Pick<ConsoleBox, 'uploads' | 'waitingUploads'>,
  fill: (upload: UploadFolder) => Promise<Pick<WaitingUpload, 'dir' | 'secrets' | 'customer'>>,
): Promise<string> {
  const upload = await box.uploads.make(callerKey(caller))
  try {
    const filled = await fill(upload)
    const waiting = { userId: caller.userId, account, ...filled, remove: () => upload.remove() }
    return box.waitingUploads.hold(waiting)
  } catch (error) {
    upload.remove()
    throw error
  }
}

/** A form for a folder or a zip; with the script, users can drop one on the page. */
const uploadForm = (
  action: string,
): Markup => html`<form class="drop" method="post" action="${action}" enctype="multipart/form-data" data-drop>
<p class="drop-here" hidden>Drop the site folder, or a zip of it, anywhere on this page.</p>
<p class="do choose"><label class="button" for="folder">Choose the site folder</label><input id="folder" name="files" type="file" webkitdirectory multiple>
<label class="button" for="zip">Choose a zip of it</label><input id="zip" name="zip" type="file" accept=".zip,application/zip"> <span class="hint">You review the changes first.</span></p>
<p class="do"><button>Show what would change</button></p><p class="status" role="status"></p></form>`
