import { type RotatedPurpose, rotatedPurposes } from '../../../account/signing-key.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { accountNames } from '../../../operations/account/account-names.ts'
import { chosenTargets, type KnownTarget, knownTargets } from '../../../operations/backup/list-backups.ts'
import { makeBackups } from '../../../operations/backup/target-acts.ts'
import { domainJson } from '../../../operations/domain/domain-statuses.ts'
import { checkNameOfBox, listOwnNames } from '../../../operations/domain/list-domains.ts'
import { rotateSecret } from '../../../operations/key/keys.ts'
import { attentionOfBox, stoppedDestinations } from '../../../operations/overview/attention.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { logFailure } from '../../log-failure.ts'
import { asking, inWords, type MarkTone, mark, notice } from '../../look/notice.ts'
import { head } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, FormRefusal } from '../act-form.ts'
import { domainCards, release, reservedPart } from '../domain/domains-page.ts'
import { csvLink } from '../list-page.ts'
import { actsBy, type BoxPage, type PageAct, type PageCall } from '../page.ts'
import { agoTime } from '../values.ts'
import { checksPart, soonShown } from './check-list.ts'
import { clusterPart } from './cluster-part.ts'

/** An older result is replaced: the page starts a new examination. */
const freshMs = 3_600_000
const againAfterSeconds = 3

const examineAgain: PageAct<PageCall> = {
  async run(_, box) {
    examine(box)
    return { notice: 'The check has begun.' }
  },
}

const targetsOf = ({ config }: ConsoleBox): readonly string[] => config.backup.to

const backUp: PageAct<PageCall> = {
  noted: { action: makeBackups.name, subject: (_, box) => targetsOf(box).join(' ') },
  async run(_, box) {
    const chosen = chosenTargets(await box.targets(), undefined)
    // Nobody waits: the page shows how it ended.
    const run = box.backupRun.run(chosen.map(({ target }) => target.url))
    run.catch((error) => logFailure(box.log, 'A backup that the console began failed', error))
    return { notice: 'The backup has begun.' }
  },
}

const check = actForm(checkNameOfBox, {
  input: ({ fields }) => ({ host: fields.get('host') ?? '', now: true }),
  shown: ({ answer: { host, fault } }) => ({
    notice: fault === null ? `Checked ${host}.` : { text: fault, tone: 'bad' },
  }),
})

const rotate = actForm(rotateSecret, {
  input({ fields }) {
    const purpose = rotatedPurposes.find((name) => name === fields.get('purpose'))
    if (purpose === undefined || !fields.has('sure'))
      throw new FormRefusal('Choose the key to replace, and confirm it.')
    return { purpose }
  },
  shown: ({ answer }) => ({ notice: `Replaced the key of ${purposes[answer.purpose].name.toLowerCase()}.` }),
})

/** `/box`: what `capture doctor` finds, the nodes of a cluster, backups, the box's own names, and the keys that it signs with. */
export const healthPage: BoxPage = {
  path: '/box',
  link: { group: 'Box', text: 'Health', icon: 'pulse' },
  for: 'owner',
  async show(_, box) {
    const latest = box.examination.latest()
    if (latest === null || box.clock.now() - latest.at > freshMs) examine(box)
    return content(box)
  },
  forms: { chosen: actsBy('act', { examine: examineAgain, backup: backUp, check, release, rotate }) },
}

/** Starts an examination without waiting for it: the page shows the result once there is one. */
function examine({ examination, log }: ConsoleBox): void {
  examination.run(false).catch((error) => logFailure(log, 'An examination that the console began failed', error))
}

async function content(box: ConsoleBox): Promise<PageContent> {
  const isUnderWay = box.examination.isUnderWay()
  const isAtWork = isUnderWay || box.backupRun.isUnderWay()
  const accounts = await box.overview.accounts()
  const { nameOf } = accountNames(accounts)
  const stopped = await stoppedDestinations(box, new Map(accounts.map((account) => [account.id, account])))
  return {
    ways: html`<form method="post"><button name="act" value="examine"${isUnderWay ? html` disabled` : null}>${isUnderWay ? 'Checking…' : 'Check again'}</button></form>`,
    body: html`${checksPart(box.examination.latest(), {
      isUnderWay,
      now: box.clock.now(),
      settingsPlace: box.settingsPlace,
      alsoFound: [...(await attentionOfBox(box)), ...stopped],
      nameOf,
    })}
${await clusterPart(box)}${backupsPart(box)}${await ownNames(box)}${await reservedPart(box, { accountId: null, timezone: 'UTC' })}${signingKeys}`,
    ...(isAtWork ? { againAfterSeconds } : {}),
  }
}

interface KeyWords {
  name: string
  /** What it signs, and what its replacement does to people. */
  words: string
}

const purposes: Record<RotatedPurpose, KeyWords> = {
  click: {
    name: 'Click links',
    words: 'Signs links in emails, to count their clicks. Once replaced, links already sent work for 400 more days.',
  },
  cookie: {
    name: 'Identity cookies',
    words: 'Signs cookies, to know browsers that come back. Once replaced, those of today are known for 400 more days.',
  },
  preview: {
    name: 'Preview addresses',
    words: 'Signs addresses of pages that are not live. Once replaced, those already shared no longer work.',
  },
  share: {
    name: 'Shared reports',
    words: 'Signs links to reports. Once replaced, those already shared no longer work.',
  },
}

function keyItem(key: RotatedPurpose): Markup {
  const { name, words } = purposes[key]
  const ofKey = `the key of ${name.toLowerCase()}`
  const form = html`<form method="post"><input type="hidden" name="act" value="rotate"><input type="hidden" name="purpose" value="${key}"><button class="danger" name="sure" value="1">Replace ${ofKey}</button></form>`
  return html`<li class="place named"><div><h3>${name}</h3><p class="hint">${words}</p></div>${asking('Replace', ofKey, form)}</li>`
}

const signingKeys: Markup = html`<details class="more"><summary>Signing keys</summary>
<p class="said">Nobody can forge what the box has signed. Replace a key only if somebody may have read it, such as from a stolen disk.</p><ul class="places joined">${rotatedPurposes.map(keyItem)}</ul></details>`

/** The box's own names, for previews and the console; each account has a page for its names. */
async function ownNames(box: ConsoleBox): Promise<Markup> {
  const { domains, persistRecords } = await listOwnNames(box)
  const names = domains.map((domain) => domainJson(domain, persistRecords.get(domain.host) ?? null))
  return html`${head(html`<h2 id="names">Names of the box</h2>`, csvLink('/domains', { text: 'All names as CSV' }))}<p class="said">Previews of pages and this console are under names of the box’s own.</p>${domainCards(names, { timezone: 'UTC', isActed: true, isOwner: true }, box)}`
}

/** The backup targets and the age of their backups, as far as known without asking the targets. */
function backupsPart(box: ConsoleBox): Markup | null {
  const now = box.clock.now()
  const targets = knownTargets(box)
  const { snapshots } = box.earlierDatabases()
  const earlier = snapshots.length === 0 ? null : snapshotList(snapshots)
  if (targets.length === 0) return earlier
  return html`${head(html`<h2 id="backups">Backups</h2>`, csvLink('/backups'))}<ul class="places">${targets.map((target) => card(target, now))}</ul>${nowPart(box, now)}${earlier}`
}

/** A backup by hand: under way, or to be started, with how the latest one ended. */
function nowPart({ backupRun }: Pick<ConsoleBox, 'backupRun'>, now: number): Markup {
  if (backupRun.isUnderWay()) return notice('plain', `A backup is being made. ${soonShown}`, 'status')
  const latest = backupRun.latest()
  const ended =
    latest === null
      ? null
      : latest.faults.length === 0
        ? notice('good', html`<p>The backup made here ${agoTime(latest.at, now)} is complete.</p>`, 'status')
        : notice('bad', html`${latest.faults.map((fault) => html`<p>${inWords(fault)}</p>`)}`, 'alert')
  return html`${ended}<form method="post" class="acts"><button name="act" value="backup">Back up now</button></form>`
}

function card({ url, safeAt, baseAt, fault }: KnownTarget, now: number): Markup {
  const [word, tone]: [string, MarkTone] =
    fault !== null ? ['failing', 'bad'] : safeAt === null ? ['no backup yet', 'doubtful'] : ['backed up', 'good']
  const ago = (iso: string) => agoTime(Date.parse(iso), now)
  return html`<li class="place ${tone}"><h3>${url} ${mark(word, tone)}</h3>
${fault === null ? null : html`<p>The target ${inWords(fault.message)}. It first failed ${ago(fault.since)}; the box keeps trying by itself.</p>`}
<p class="hint">${safeAt === null ? unsafeWords(fault !== null) : html`Everything up to ${ago(safeAt)} can be restored.`}${baseAt === null ? null : html` Latest base: ${ago(baseAt)}.`}</p></li>`
}

const unsafeWords = (isFailing: boolean): string =>
  `${isFailing ? '' : 'The running service makes the first base at once. '}Until the first base is there, what has been captured since the start, or since a restore, would be lost with this machine.`

const snapshotList = (snapshots: readonly string[]): Markup =>
  html`<details><summary>Snapshots from upgrades on this machine</summary><ul>${snapshots.map((file) => html`<li><code class="wrap">${file}</code></li>`)}</ul></details>`
