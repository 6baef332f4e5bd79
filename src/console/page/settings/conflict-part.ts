import { html, type Markup } from '../../../lib/html.ts'
import type { settingsConflict } from '../../../operations/upload/settings-conflict.ts'
import { faultNote } from '../../look/notice.ts'
import { diffText } from '../publish/changes-part.ts'
import { publishedWhere, subjectsText } from '../publish/publish-page.ts'
import { localTime } from '../values.ts'

type Conflict = Awaited<ReturnType<typeof settingsConflict>>

/** Who changed `site.toml` meanwhile and what, beside what the user changed. @param again the form to go on with */
export function conflictPart(
  { text, published, theirs, yours, merged }: Conflict,
  { again, timezone }: { again: Markup; timezone: string },
): Markup {
  const next =
    merged === null
      ? 'Both concern the same lines. Below is your text: take over from theirs what should stay, then go on.'
      : 'Both fit together: the text below has your change and theirs. Look at it, then go on.'
  return html`${faultNote('Somebody else has changed site.toml since you opened it. Nothing was saved, and nothing that you typed is lost.')}
<ul class="plan">${published.map(({ at, by, subjects, subjectCount }) => html`<li><strong>${by.name}</strong> ${publishedWhere[by.via]}, ${localTime(at, timezone)}: ${subjectsText(subjects, subjectCount)}</li>`)}</ul>
<div class="columns"><section><h2>Their change</h2>${change(theirs)}</section><section><h2>Your change</h2>${change(yours)}</section></div>
<p class="said">${next}</p>
<div class="columns"><section>${again}</section><section><label for="theirs">As it is on the box now</label>
<textarea id="theirs" class="mono" rows="${String(Math.min(40, text.split('\n').length + 2))}" readonly spellcheck="false" wrap="off">
${text}</textarea></section></div>`
}

const change = (diff: string | null): Markup =>
  diff === null ? html`<p class="hint">Too much for a list of lines.</p>` : diffText(diff)
