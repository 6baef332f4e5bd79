import { html, type Markup } from '../../../lib/html.ts'
import { type KnownTarget, knownTargets } from '../../../operations/backup/known-targets.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type MarkTone, mark } from '../../look/mark.ts'
import { inWords } from '../../look/operator-message.ts'
import { agoTime } from '../ago-time.ts'
import { csvLink } from '../list-parts.ts'

/** The backup targets and the age of their backups, as far as known without asking the targets. */
export function backupsPart(box: ConsoleBox): Markup {
  const now = box.clock.now()
  const targets = knownTargets(box)
  const { snapshots } = box.earlierDatabases()
  const list =
    targets.length === 0
      ? html`<p class="said">No backup leaves this box: if the machine is lost, everything is lost. Name a folder or an S3 bucket as <code>to</code> under <code>[backup]</code> in <code>capture.toml</code>.</p>`
      : html`<ul class="places">${targets.map((target) => card(target, now))}</ul>`
  const byHand = targets.length === 0 ? null : nowPart(box, now)
  return html`<h2 id="backups">Backups</h2>${list}${byHand}${snapshots.length === 0 ? null : snapshotList(snapshots)}
<p class="more">${csvLink('/backups')}</p>`
}

/** A backup by hand: under way, or to be started, with how the latest one ended. */
function nowPart({ backupRun }: Pick<ConsoleBox, 'backupRun'>, now: number): Markup {
  if (backupRun.isUnderWay())
    return html`<p role="status">A backup is being made. For a large box this takes minutes; this page then shows the result by itself.</p>`
  const latest = backupRun.latest()
  const ended =
    latest === null
      ? null
      : latest.faults.length === 0
        ? html`<p role="status">The backup made here ${agoTime(latest.at, now)} is complete.</p>`
        : html`<div class="fault" role="alert">${latest.faults.map((fault) => html`<p>${inWords(fault)}</p>`)}</div>`
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
