import { controlsOf } from '../page-forms.ts'
import { elementsOf, type MakeElement } from './board.ts'
import type { CheckOutcome, Exchange, Report } from './checks.ts'
import * as check from './checks.ts'
import type { ConnectedDomain, TestPageData } from './data.ts'
import { type SampleField, sampleFields } from './sample-fields.ts'
import { configurationIn, type FormDeclaration, type Website } from './website.ts'

interface FormTrial {
  domain: ConnectedDomain
  form: TestPageData['forms'][number]
  /** An empty website, for this form alone. */
  website: Website
  /** Whether this page may send to the domain. */
  maySend: boolean
  report: Report<typeof check.formChecks>
}

const honeypotMsMax = 5_000
/** Time for a bot check that solves itself. */
const submissionMsMax = 30_000

/** Tries a form with the script: its declaration, its guards, and a submission. */
export async function tryForm(trial: FormTrial): Promise<void> {
  const { domain, form, website, maySend, report } = trial
  const exchange = await website.ask(`${domain.origin}/_svc/rc?f=${form.id}`)
  const configuration = configurationIn(exchange)
  const declaration = configuration?.forms[form.id]
  if (!declaration?.registered)
    report(['honeypot', 'botCheck', 'submission'], check.skipped('Not tried, since the form is not live.'))
  report('declaration', declared(exchange, declaration))
  if (!configuration || !declaration?.registered) return

  const element = buildForm(website.window.document, form, declaration)
  await website.embed(null)
  report('honeypot', await honeypot(element, declaration))
  const rest: (keyof typeof check.formChecks)[] = ['botCheck', 'submission']
  if (!maySend) return report(rest, check.skipped('Not tried, since this page may not send to the domain.'))

  report(rest, check.trying)
  const sent = watchSubmissions(trial, declaration)
  const { provider } = configuration.botCheck
  const needsPerson = declaration.botCheckRequired === true && provider !== 'altcha'
  if (needsPerson) {
    const todo = `If it does not appear, add ${location.hostname} to the host names of the sitekey at ${provider}.`
    report('botCheck', check.asks(`${provider} may want to see a person. Solve it in the form.`, null, { todo }))
    report('submission', check.asks('The form is sent as soon as the check is solved.'))
  }
  website.window.svc?.('submit', element)
  if (needsPerson || (await check.eventually(submissionMsMax, sent)) !== null) return
  report('submission', check.asks('Nothing was sent. Look at the form, and press Send.'))
}

function declared(exchange: Exchange, declaration: FormDeclaration | undefined): CheckOutcome {
  if (!declaration) return check.refusal(exchange)
  if (!declaration.registered)
    return check.failed('The form is not registered: submissions are refused.', exchange, {
      todo: 'Set this for the form in site.toml and run capture apply:',
      line: 'registered = true',
    })
  const { properties = {}, required = [] } = declaration.schema ?? {}
  const names = [...new Set([...Object.keys(properties), ...required])]
  const fields = names.map((name) => (required.includes(name) ? `${name} (required)` : name)).join(', ')
  return check.passed(
    fields === '' ? 'It declares no fields: any field is stored.' : `It declares ${fields}.`,
    exchange,
  )
}

async function honeypot(form: HTMLFormElement, { honeypotFieldName: name }: FormDeclaration): Promise<CheckOutcome> {
  if (name === undefined)
    return check.note('It has none: robots are left to the bot check.', null, {
      todo: 'To set one, name its field for the form in site.toml:',
      line: 'honeypot = "_hp"',
    })
  const field = await check.eventually(honeypotMsMax, () => controlsOf(form).namedItem(name) as HTMLInputElement | null)
  if (field === null) return check.failed(`The script added no field ${name}.`, null, { todo: lookAtConsole })
  const isHidden = getComputedStyle(field).opacity === '0' && field.getAttribute('aria-hidden') === 'true'
  if (!isHidden || field.tabIndex !== -1 || field.value !== '')
    return check.failed(`Visitors can see, reach or fill in the field ${name}.`)
  return check.passed(`The script added an empty field ${name} that only robots see and fill in.`)
}

const lookAtConsole = 'Look at the browser’s console.'

/** Reports every submission of the form, by this page or a person. Returns a function that looks for one. */
function watchSubmissions({ domain, form, website, report }: FormTrial, declaration: FormDeclaration) {
  let isSent: true | null = null
  const outcome = (): void => {
    isSent = true
    const exchange = website.exchanges.findLast(
      ({ url, method }) => method === 'POST' && url === `${domain.origin}/_svc/f/${form.id}`,
    )
    if (exchange) report('botCheck', botCheck(exchange, declaration, website.exchanges))
    report('submission', exchange ? submission(exchange, form) : check.failed('The form could not be sent.'))
  }
  for (const name of ['svc:accepted', 'svc:refused']) website.window.document.addEventListener(name, outcome)
  return () => isSent
}

function botCheck({ body, answer }: Exchange, { botCheckRequired }: FormDeclaration, all: Exchange[]): CheckOutcome {
  if (botCheckRequired !== true) return check.passed('This form needs none.')
  const asked = all.findLast(({ url }) => new URL(url).pathname === '/_svc/b')
  if (!body?.includes('"botcheck-response"'))
    return check.failed('The script sent no proof.', asked, { todo: lookAtConsole })
  return answer?.status === 200
    ? check.passed('Solved in the browser, and the proof was verified.', asked)
    : check.failed('The script sent a proof, and the box did not accept it.', asked)
}

function submission(exchange: Exchange, { asks }: FormTrial['form']): CheckOutcome {
  if (exchange.answer?.status !== 200) return check.refusal(exchange)
  const { submissionId, redirectUrl } = check.answerIn(exchange)
  const next = typeof redirectUrl === 'string' ? ` A visitor is sent on to ${redirectUrl}.` : ''
  const asked = asks ? ' Visitors are asked by mail to confirm; a test sends no mail.' : ''
  return check.passed(`Accepted and stored, as ${submissionId}.${next}${asked}`, exchange)
}

/** Builds the filled-in form in the website's page, as a web developer would. */
function buildForm(
  document: Document,
  { id, name }: FormTrial['form'],
  { schema, files = {} }: FormDeclaration,
): HTMLFormElement {
  const make = elementsOf(document)
  // A file that is no visitor's would only have to be removed.
  const fields = sampleFields(schema).filter(({ name }) => files[name] === undefined)
  const labels = fields.map((field) =>
    make(
      'label',
      field.kind === 'tick' ? { class: 'tick' } : {},
      make('span', {}, field.label),
      controlOf(make, field),
    ),
  )
  const form = make('form', { method: 'post', 'data-svc-form': id }, ...labels, make('button', {}, 'Send'))
  const heading = document.querySelector('h1')
  if (heading) heading.textContent = name
  heading?.after(form)
  return form
}

function controlOf(make: MakeElement, { name, kind, value, choices = [], required }: SampleField): HTMLElement {
  const given = { name, ...(required && { required: '' }) }
  if (kind === 'choice') return make('select', given, ...choices.map((choice) => make('option', {}, choice)))
  if (kind === 'long') return make('textarea', { ...given, rows: '3' }, value)
  if (kind === 'tick') return make('input', { ...given, type: 'checkbox', value, checked: '' })
  return make('input', { ...given, type: kind, value })
}
