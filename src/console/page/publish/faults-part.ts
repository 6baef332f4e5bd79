import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { parseToml } from '../../../lib/toml/parse.ts'
import type { TomlTable, TomlValue } from '../../../lib/toml/value.ts'
import { faultNote } from '../../look/notice.ts'

/** Faults shown; a folder may have one for each of its files. */
const faultsMax = 100
const lineCharactersMax = 300

interface Fault {
  file: string
  line: number | null
  key: string | null
  message: string
}

/** The faults of a folder; those of `site.toml` with their lines. @param text of site.toml; `null`: it is not at hand @param isEdited an editor shows it below */
export function faultsPart(faults: readonly Fault[], text: string | null, isEdited = false): Markup | null {
  const shown = { lines: (text ?? '').split('\n'), isEdited }
  const table = text === null ? null : parseToml(text).table
  const more = faults.length > faultsMax ? html`<li>… and ${String(faults.length - faultsMax)} more</li>` : null
  return faultNote(
    html`<strong>${plural(faults.length, 'mistake')}${faults.every(({ file }) => file === 'site.toml') ? html` in <code>site.toml</code>` : null}.</strong> Nothing was changed.${isEdited ? null : ' Correct the folder, and try again.'}`,
    html`<ol class="faults">${faults.slice(0, faultsMax).map((fault) => html`<li><p>${placeOf(fault, shown)}</p><p class="fault">${fault.key === null ? null : html`${keyPart(fault.key, table)}: `}${faultWords(fault.message)}</li>`)}${more}</ol>`,
  )
}

/** A key as people look for it: `pages[0].state` is `state` in `[[pages]]` “spring-sale”. @param document `null`: no text to look it up in */
function keyPart(key: string, document: TomlTable | null): Markup {
  const tables: string[] = []
  let entry = document
  let [word = '', ...listed] = key.split(indexed)
  for (let place = 0; place < listed.length; place += 2) {
    const list = valueAt(entry, word)
    const item = list?.kind === 'array' ? list.items[Number(listed[place])]?.value : undefined
    if (item?.kind !== 'table') break
    tables.push(word)
    entry = item
    word = listed[place + 1] ?? ''
  }
  if (tables.length === 0) return html`<code>${document === null ? key : word}</code>`
  const name = nameOf(entry)
  const within = html`<code>[[${tables.join('.')}]]</code>${name && ` “${name}”`}`
  return word === '' ? within : html`<code>${word}</code> in ${within}`
}

/** The index of an item, with the dot behind it. */
const indexed = /\[(\d{1,9})\]\.?/

const valueAt = (table: TomlTable | null, path: string): TomlValue | undefined =>
  path
    .split('.')
    .reduce<TomlValue | undefined>(
      (value, name) => (value?.kind === 'table' ? value.entries.get(name)?.value : undefined),
      table ?? undefined,
    )

/** Whichever an entry of a list has first is what people call it. */
const naming = ['name', 'slug', 'file', 'page', 'from', 'id']

function nameOf(entry: TomlTable | null): string | null {
  const named = naming.map((key) => entry?.entries.get(key)?.value).find((value) => value?.kind === 'string')
  return named?.kind === 'string' ? named.value.slice(0, lineCharactersMax) : null
}

const beforeNames = '; possible here: '

/** The end of a paragraph. The keys that a message lists stand as code in one of their own. */
function faultWords(message: string): Markup {
  const [begin = '', names] = message.split(beforeNames)
  if (names === undefined) return html`${coded(message)}</p>`
  return html`${coded(begin)}</p><p class="hint">Possible here: ${names.split(', ').map((name, at) => html`${at === 0 ? null : ', '}<code>${name}</code>`)}</p>`
}

/** To the line in the editor. */
export const lineLink = (line: number): Markup =>
  html`<a class="line" href="#text" data-line="${line}">Line ${String(line)}</a>`

/** The file, or the line of `site.toml` with what it says. */
function placeOf(
  { file, line }: Pick<Fault, 'file' | 'line'>,
  { lines, isEdited }: { lines: readonly string[]; isEdited: boolean },
): Markup {
  const text = file === 'site.toml' && line !== null ? lines[line - 1] : undefined
  if (line === null) return html`<code>${file}</code>`
  if (!text) return html`<code>${file}</code>, line ${String(line)}`
  const place = isEdited ? lineLink(line) : html`<span class="line meta">Line ${String(line)}</span>`
  return html`${place} <code>${text.trim().slice(0, lineCharactersMax)}</code>`
}

/** Files, tables and keys of a configuration in a sentence about it; with bounds, so that no sentence takes long. */
const configured =
  /((?:site|capture)\.toml|\[\[?[a-z_.]{1,30}\]?\]|\b[a-z_]{1,30} = (?:"[^"]{0,60}"|\w{1,20})|(?<![\w./-])(?=[a-z]{1,20}_[a-z_])[a-z_]{3,50}(?![\w./-]))/

/** The sentence with them as code. */
export const coded = (sentence: string): Markup =>
  html`${sentence.split(configured).map((part, place) => (place % 2 === 0 ? part : html`<code>${part}</code>`))}`
