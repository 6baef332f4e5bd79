import { html, type Markup } from '../../../lib/html.ts'
import { byteSize } from '../../../lib/quantities.ts'
import type { DescribedPage, DescribedVersion } from '../../../operations/page/describe-page.ts'
import { mark } from '../../look/mark.ts'
import { localTime } from '../local-time.ts'

interface Shown {
  timezone: string
  mayPublish: boolean
  /** Whether each version has a picture, which the browser makes from the preview host's document. */
  isFramed: boolean
}

/** The stored versions of a page, latest first, each with its publisher. */
export const versionList = (page: DescribedPage, shown: Shown): Markup =>
  html`<ol class="versions${shown.isFramed ? '' : ' bare'}">${page.versions.map((version) => item(version, page, shown))}</ol>
${shown.isFramed ? null : html`<p class="hint">To see pictures of the versions, your browser must reach the preview host (<code>[server] preview_host</code>) over https.</p>`}`

const item = (version: DescribedVersion, page: DescribedPage, { timezone, mayPublish, isFramed }: Shown): Markup => {
  const { number, publishedAt, state, byteCount, sha256, previewUrl } = version
  const isCurrent = number === page.current
  const currentHash = page.versions.find(({ number }) => number === page.current)?.sha256
  return html`<li>${isFramed ? picture(version) : null}<div>
<p><strong>Version ${number}</strong> ${isCurrent ? mark('current', 'good') : mark(state === 'live' ? 'was live' : 'was in preview')}</p>
<p class="meta">${localTime(new Date(publishedAt).toISOString(), timezone)} · ${publisher(version)} · ${byteSize(byteCount)} · <code>${sha256.slice(0, 12)}</code></p>
<div class="actions"><a href="${previewUrl}" rel="noopener noreferrer">Open<span class="unseen"> version ${number}</span></a>
${mayPublish && sha256 !== currentHash ? rollBackForm(page, number) : null}</div></div></li>`
}

/**
 * Sandboxed without scripts, so none of its code runs. It keeps the origin of the preview host, which serves images only to its
 * own pages.
 */
const picture = ({ number, previewUrl }: DescribedVersion): Markup =>
  html`<div class="picture"><iframe src="${previewUrl}" title="Picture of version ${number}" sandbox="allow-same-origin" loading="lazy" tabindex="-1"></iframe></div>`

function publisher({ by, publishedBy }: DescribedVersion): string {
  const how = publishedBy === 'hand' ? 'by hand' : 'applied'
  return by === null ? how : `${how} ${places[by.via]} by ${by.name}`
}

const places = { command: 'on the box', api: 'by the API', console: 'in the console' }

const rollBackForm = ({ revision }: DescribedPage, number: number): Markup =>
  html`<form method="post"><input type="hidden" name="seen" value="${revision}"><input type="hidden" name="do" value="rollback">
<button class="quiet" name="to" value="${number}">Roll back to this<span class="unseen"> (version ${number})</span></button></form>`
