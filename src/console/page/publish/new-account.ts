import { readHostname } from '../../../lib/hostname.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, faultLine } from '../../look/fields.ts'
import { FormRefusal, fieldFault } from '../act-form.ts'
import { dnsTable } from '../domain/dns-table.ts'
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
export function newAccount(fromFolder: Markup, call: PageCall, box: Pick<ConsoleBox, 'config'>): Markup {
  const { fields } = call
  const fault = fieldFault(call)
  return html`<p class="said">An account is one customer: their domains, pages, forms and leads, as a site folder describes them.</p>
<div class="columns"><section><h2>Begin with a first page</h2><p>It works at once: a page with a form, a thank-you page, and settings to change later.</p>
<form class="sheet" method="post" action="/publish"><div class="fields">
<div><label for="name">Customer</label><input id="name" name="name" required maxlength="${nameCharactersMax}" autocomplete="off" placeholder="Acme Studio" value="${fields.get('name') ?? ''}"${described('name', fault)}>${faultLine('name', fault)}</div>
<div><label for="domain">Domain for the pages</label><input id="domain" name="domain" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="go.acme.example" value="${fields.get('domain') ?? ''}"${described('domain', fault)}>${faultLine('domain', fault)}</div></div>
<p class="do"><button name="first" value="plan">Show what would be made</button> <button class="quiet" name="first" value="download">Download the folder instead</button></p></form></section>
<section><h2>From your own folder</h2><p>It contains <code>site.toml</code>, and the content in <code>pages</code>, <code>img</code>, <code>files</code> and <code>assets</code>.</p>${fromFolder}</section></div>${recordsPart(box)}`
}

/** Stands for the domain that somebody is about to choose. */
const anyDomain = 'go.customer.example'

/** What to tell whoever manages the domain, before there is a plan that says it. `null`: the box does not know its addresses. */
function recordsPart(box: Pick<ConsoleBox, 'config'>): Markup | null {
  const records = dnsRecords([anyDomain], box).filter(({ records }) => records.some(({ value }) => value !== null))
  return records.length === 0
    ? null
    : html`<h2>Where the domain has to point</h2><p class="said">Whoever manages the customer’s domain sets these records at its DNS provider; <code>${anyDomain}</code> stands for the domain.</p>${dnsTable(records.map((of) => ({ records: of })))}`
}
