import { type CheckState, type DomainCheck, domainChecks, type FormCheck, formChecks, type Report } from './check.ts'
import type { ConnectedDomain, TestPageData } from './data.ts'
import { element } from './element.ts'
import { checkRow, type Row } from './row.ts'

/** The places on the page for all checks of one domain. */
export interface DomainPlace {
  domain: ConnectedDomain
  /** Hidden: it has nothing to show. */
  frame: HTMLIFrameElement
  report: Report<DomainCheck>
  forms: FormPlace[]
}

export interface FormPlace {
  form: TestPageData['forms'][number]
  frame: HTMLIFrameElement
  /** The frame and what is said about it. Hidden until it shows a website. */
  shown: HTMLElement
  report: Report<FormCheck>
}

/** Builds the places of all domains and their forms; `changed` is called with all states, now and with every result. */
export function buildBoard(
  into: HTMLElement,
  { domains, forms }: TestPageData,
  changed: (states: CheckState[]) => void,
): DomainPlace[] {
  const rows: Row[] = []
  const group = <Id extends string>(titles: Record<Id, string>): { list: HTMLElement; report: Report<Id> } => {
    const byId = new Map(Object.entries<string>(titles).map(([id, title]) => [id, checkRow(title)]))
    rows.push(...byId.values())
    const list = element('ol', { class: 'checks' }, ...[...byId.values()].map((row) => row.element))
    const report: Report<Id> = (id, result) => {
      byId.get(id)?.show(result)
      changed(rows.map((row) => row.state()))
    }
    return { list, report }
  }

  const places = domains.map((domain) => {
    const { list, report } = group(domainChecks)
    const frame = element('iframe', { hidden: '', title: `A website with the script of ${domain.host}` })
    const section = element(
      'section',
      {},
      element('h2', { class: 'host' }, domain.host),
      element('div', { class: 'part' }, element('h3', {}, 'Script and events'), list),
      frame,
    )
    const formPlaces = forms.map((form) => {
      const ofForm = group(formChecks)
      const frame = element('iframe', { title: `The form “${form.name}” on ${domain.host}` })
      const caption = element(
        'p',
        { class: 'caption' },
        'As a visitor sees it. Change what you like, and send it again.',
      )
      const shown = element('div', { class: 'shown', hidden: '' }, frame, caption)
      const heading = element(
        'h3',
        { 'data-name': form.name },
        element('span', { class: 'kind' }, 'Form'),
        ` ${form.name} `,
        element('code', {}, form.id),
      )
      section.append(element('div', { class: 'part form' }, heading, ofForm.list, shown))
      return { form, frame, shown, report: ofForm.report }
    })
    into.append(section)
    return { domain, frame, report, forms: formPlaces }
  })
  changed(rows.map((row) => row.state()))
  return places
}
