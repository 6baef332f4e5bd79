import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'

/** Faults shown; a folder may have one for each of its files. */
const faultsMax = 100
const lineCharactersMax = 300

interface Fault {
  file: string
  line: number | null
  key: string | null
  message: string
}

/** The faults of a folder; those of `site.toml` with their lines. @param text of site.toml */
export function faultsPart(faults: readonly Fault[], text: string): Markup {
  const lines = text.split('\n')
  const more = faults.length > faultsMax ? html`<li>… and ${String(faults.length - faultsMax)} more</li>` : null
  return html`<div class="note faults" role="alert" tabindex="-1" autofocus><p><strong>${plural(faults.length, 'fault')}.</strong> Nothing was changed.</p>
<ol>${faults.slice(0, faultsMax).map((fault) => html`<li>${faultLine(fault, lines)}<p class="fault">${fault.key === null ? '' : `${fault.key}: `}${fault.message}</p></li>`)}${more}</ol></div>`
}

function faultLine({ file, line }: Fault, lines: readonly string[]): Markup {
  if (file !== 'site.toml' || line === null)
    return html`<p><code>${line === null ? file : `${file}, line ${line}`}</code></p>`
  return html`<p><span class="line meta">Line ${String(line)}</span> <code>${(lines[line - 1] ?? '').trim().slice(0, lineCharactersMax)}</code></p>`
}
