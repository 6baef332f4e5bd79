import { readHostname } from '../../../lib/hostname.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { described, faultLine } from '../../look/fields.ts'
import { FormRefusal, fieldFault } from '../act-form.ts'
import type { PageCall } from '../page.ts'

const nameCharactersMax = 80
/** They would end a text of TOML or HTML. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to look for
const unfitForTexts = /[<>"\\\u0000-\u001f\u007f]/

/** The customer and the domain that were typed. @throws FormRefusal */
export function typedFirst({ fields }: Pick<PageCall, 'fields'>): { name: string; domain: string } {
  const name = (fields.get('name') ?? '').trim()
  if (name === '' || name.length > nameCharactersMax || unfitForTexts.test(name))
    throw new FormRefusal(`Type a name of 1 to ${nameCharactersMax} characters, without quotation marks.`, 422, 'name')
  const read = readHostname(fields.get('domain') ?? '')
  if ('value' in read) return { name, domain: read.value }
  throw new FormRefusal(`Type ${read.expected}.`, 422, 'domain')
}

/** @param fromFolder the form that takes a folder */
export function newAccount(fromFolder: Markup, call: PageCall): Markup {
  const { fields } = call
  const fault = fieldFault(call)
  return html`<p>An account is one customer: their domains, pages, forms and leads.</p>
<div class="columns"><section><h2>Begin with a first page</h2><p>A page with a form, a thank-you page, and their settings.</p>
<form class="sheet" method="post" action="/publish"><div class="fields">
<div><label for="name">Customer</label><input id="name" name="name" required maxlength="${nameCharactersMax}" autocomplete="off" placeholder="Acme Studio" value="${fields.get('name') ?? ''}"${described('name', fault)}>${faultLine('name', fault)}</div>
<div><label for="domain">Domain for the pages</label><input id="domain" name="domain" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="go.acme.example" value="${fields.get('domain') ?? ''}"${described('domain', fault)}>${faultLine('domain', fault)}</div></div>
<p class="do"><button name="first" value="plan">Show what would be made</button> <button class="quiet" name="first" value="download">Download the folder instead</button></p></form></section>
<section><h2>From your own folder</h2><p>It contains <code>site.toml</code>, and the content in <code>pages</code>, <code>img</code>, <code>files</code> and <code>assets</code>.</p>${fromFolder}</section></div>`
}
