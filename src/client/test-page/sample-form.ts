import type { DeclaredSchema } from './configuration.ts'
import { type SampleField, sampleFields } from './sample-fields.ts'

/** Builds the filled-in form in the website's page, as a web developer would. */
export function buildForm(
  document: Document,
  { id, name }: { id: string; name: string },
  schema: DeclaredSchema | undefined,
): HTMLFormElement {
  const form = document.createElement('form')
  form.method = 'post'
  form.dataset.svcForm = id
  const submit = document.createElement('button')
  submit.textContent = 'Send'
  form.append(...sampleFields(schema).map((field) => fieldElement(document, field)), submit)
  const heading = document.querySelector('h1')
  if (heading) heading.textContent = name
  heading?.after(form)
  return form
}

function fieldElement(document: Document, field: SampleField): HTMLElement {
  const label = document.createElement('label')
  const caption = document.createElement('span')
  caption.textContent = field.label
  label.append(caption, controlOf(document, field))
  if (field.kind === 'tick') label.className = 'tick'
  return label
}

function controlOf(document: Document, { name, kind, value, choices, required }: SampleField): HTMLElement {
  if (kind === 'choice') {
    const select = document.createElement('select')
    for (const choice of choices)
      select.append(Object.assign(document.createElement('option'), { textContent: choice }))
    return Object.assign(select, { name, required })
  }
  if (kind === 'long')
    return Object.assign(document.createElement('textarea'), { name, required, defaultValue: value, rows: 3 })
  const input = document.createElement('input')
  if (kind === 'tick') return Object.assign(input, { type: 'checkbox', name, value, required, defaultChecked: true })
  return Object.assign(input, { type: kind, name, required, defaultValue: value })
}
