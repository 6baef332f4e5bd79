import { refusal } from './advice.ts'
import { type CheckOutcome, type FormCheck, formChecks, skipped } from './check.ts'
import { type FormDeclaration, readConfiguration } from './configuration.ts'
import { bodyOf, type Exchange } from './exchange.ts'
import { buildForm } from './sample-form.ts'
import type { FormTrial } from './trial.ts'

const honeypotMsMax = 5_000
/** Time for a bot check that solves itself. */
const submissionMsMax = 30_000
const pollMs = 50

/** Tries a form with the real script: it is declared, guarded, and what is sent arrives. */
export async function tryForm(trial: FormTrial): Promise<void> {
  const { domain, form, website, maySend, report } = trial
  const exchange = await website.ask(`${domain.origin}/_svc/rc?f=${form.id}`)
  const configuration = readConfiguration(exchange.answer?.body ?? '')
  const declaration = configuration?.forms[form.id]
  report('declaration', declared(exchange, declaration))
  if (!configuration || !declaration?.registered) return skipRest(trial, 'Not tried, since the form is not live.')

  const element = buildForm(website.window.document, form, declaration.schema)
  await website.embed(null)
  report('honeypot', await honeypot(element, declaration))
  if (!maySend)
    return skipRest(trial, 'Not tried, since this page may not send to the domain.', ['botCheck', 'submission'])

  const sent = watchSubmissions(trial, declaration)
  const { provider } = configuration.botCheck
  const wantsPerson = declaration.botCheckRequired === true && provider !== 'altcha'
  report('botCheck', wantsPerson ? asksForPerson(provider) : trying)
  report('submission', wantsPerson ? { state: 'asks', says: 'It is sent as soon as the check is solved.' } : trying)
  website.window.svc?.('submit', element)
  if (wantsPerson || (await within(submissionMsMax, sent))) return
  report('submission', { state: 'asks', says: 'Nothing was sent. Look at the form, and press Send.' })
}

const trying: CheckOutcome = { state: 'running', says: 'Trying…' }

const asksForPerson = (provider: string): CheckOutcome => ({
  state: 'asks',
  says: `${provider} is not solved by a page on its own; it may want to see a person. Solve it in the form.`,
  todo: `Where it does not appear: ${location.hostname} may have to be among the host names that ${provider} knows for the sitekey.`,
})

function declared(exchange: Exchange, declaration: FormDeclaration | undefined): CheckOutcome {
  if (!declaration) return refusal(exchange)
  const exchanges = [exchange]
  if (!declaration.registered) {
    const todo = 'Set this for the form in site.toml and run capture apply:'
    return {
      state: 'failed',
      says: 'The form is not registered: submissions are refused.',
      todo,
      line: 'registered = true',
      exchanges,
    }
  }
  const { properties = {}, required = [] } = declaration.schema ?? {}
  const names = [...new Set([...Object.keys(properties), ...required])]
  const fields = names.map((name) => (required.includes(name) ? `${name} (required)` : name))
  const says =
    fields.length === 0 ? 'It declares no fields: whatever is sent is stored.' : `It declares ${fields.join(', ')}.`
  return { state: 'passed', says, exchanges }
}

async function honeypot(form: HTMLFormElement, { honeypotFieldName: name }: FormDeclaration): Promise<CheckOutcome> {
  if (name === undefined) {
    const todo = 'To set one, name its field for the form in site.toml:'
    return { state: 'note', says: 'It has none: robots are left to the bot check.', todo, line: 'honeypot = "_hp"' }
  }
  const field = await eventually(honeypotMsMax, () => form.elements.namedItem(name) as HTMLInputElement | null)
  if (field === null) return { state: 'failed', says: `The script added no field ${name}.`, todo: lookAtConsole }
  const isOutOfSight = getComputedStyle(field).opacity === '0'
  const isOutOfTheWay = isOutOfSight && field.tabIndex === -1 && field.getAttribute('aria-hidden') === 'true'
  if (!isOutOfTheWay || field.value !== '')
    return { state: 'failed', says: `The field ${name} is not out of people’s way.` }
  const says = `The script added a field ${name}, empty, out of sight and out of the way of screen readers. Who fills it in is a robot.`
  return { state: 'passed', says }
}

const lookAtConsole = 'Look at the browser’s console for what it says.'

/** Reports every submission of the form, this page's and those that a person sends; resolves with the first. */
function watchSubmissions({ domain, form, website, report }: FormTrial, declaration: FormDeclaration): Promise<true> {
  return new Promise((resolve) => {
    const outcome = (): void => {
      const posted = website.exchanges.filter(
        ({ url, method }) => method === 'POST' && url === `${domain.origin}/_svc/f/${form.id}`,
      )
      const exchange = posted.at(-1)
      if (exchange) {
        report('botCheck', botCheck(exchange, declaration, website.exchanges))
        report('submission', submission(exchange))
      } else report('submission', { state: 'failed', says: 'The form could not be sent.' })
      resolve(true)
    }
    for (const name of ['svc:accepted', 'svc:refused']) website.window.document.addEventListener(name, outcome)
  })
}

function botCheck(exchange: Exchange, { botCheckRequired }: FormDeclaration, all: Exchange[]): CheckOutcome {
  if (botCheckRequired !== true) return { state: 'passed', says: 'This form wants none.' }
  const exchanges = all.filter(({ url }) => new URL(url).pathname === '/_svc/b').slice(-1)
  if (!exchange.body?.includes('"botcheck-response"')) {
    return {
      state: 'failed',
      says: 'The script sent no proof.',
      todo: lookAtConsole,
      exchanges,
    }
  }
  if (exchange.answer?.status === 200)
    return { state: 'passed', says: 'Solved in the browser, and the proof was verified.', exchanges }
  return { state: 'failed', says: 'A proof was sent. It was not accepted.', exchanges }
}

function submission(exchange: Exchange): CheckOutcome {
  if (exchange.answer?.status !== 200) return refusal(exchange)
  const { submissionId, redirectUrl } = bodyOf(exchange.answer)
  const next = typeof redirectUrl === 'string' ? ` A visitor is sent on to ${redirectUrl}.` : ''
  return { state: 'passed', says: `Accepted and on disk, as ${submissionId}.${next}`, exchanges: [exchange] }
}

function skipRest({ report }: FormTrial, says: string, ids = Object.keys(formChecks).slice(1) as FormCheck[]): void {
  for (const id of ids) report(id, skipped(says))
}

async function eventually<T>(ms: number, look: () => T | null): Promise<T | null> {
  const endMs = performance.now() + ms
  for (;;) {
    const found = look()
    if (found !== null || performance.now() > endMs) return found
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const within = (ms: number, promise: Promise<true>): Promise<boolean> =>
  Promise.race([promise, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms))])
