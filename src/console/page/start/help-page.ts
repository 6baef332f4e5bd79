/// <reference path="../../../client/built.d.ts" />

import de from '../../../../docs/your-leads/de.md' with { type: 'text' }
import es from '../../../../docs/your-leads/es.md' with { type: 'text' }
import fr from '../../../../docs/your-leads/fr.md' with { type: 'text' }
import it from '../../../../docs/your-leads/it.md' with { type: 'text' }
import nl from '../../../../docs/your-leads/nl.md' with { type: 'text' }
import pl from '../../../../docs/your-leads/pl.md' with { type: 'text' }
import pt from '../../../../docs/your-leads/pt.md' with { type: 'text' }
import en from '../../../../docs/your-leads.md' with { type: 'text' }
import type { Language } from '../../../language/language.ts'
import { html, trustedMarkup } from '../../../lib/html.ts'
import type { BoxPage } from '../page.ts'
import { accountOfCustomer } from '../page-locale.ts'

/** The page of the manual for an agency's customers. */
const manual: Readonly<Record<Language, string>> = { en, de, fr, es, it, nl, pt, pl }

/** `/help`: what customers need to know, in their language. */
export const helpPage: BoxPage = {
  path: '/help',
  for: 'signed_in',
  async show({ caller, locale }, box) {
    const { report, leads, signIn, help } = locale.texts.console
    const account = await accountOfCustomer(caller, box)
    const pages: [name: string, href: string][] =
      account === null
        ? []
        : [
            [report, `/a/${account.handle}/report`],
            [leads, `/a/${account.handle}`],
          ]
    const whole = manual[locale.language]
    // Its last part is how to sign in for the first time, which whoever is here has done.
    const text = whole.slice(0, whole.lastIndexOf('\n## ')).replace(/^# .*\n/, '')
    // Markup in the text is shown as text: the pages are ours, but nothing of them needs any.
    const shown = Bun.markdown.html(text, { noHtmlBlocks: true, noHtmlSpans: true })
    const linked = [...pages, [signIn, '/me'] as const].reduce(
      (text, [name, href]) => text.replaceAll(`<em>${name}</em>`, `<a href="${href}">${name}</a>`),
      shown,
    )
    return { title: help, body: html`<div class="prose">${trustedMarkup(linked)}</div>` }
  },
}
