import { catchForms } from './catch-forms.ts'
import { isStarted, takeCommands } from './commands.ts'
import { configurationReader } from './config.ts'
import { type Consent, consentIn } from './consent.ts'
import { formsIn, idOf } from './page-forms.ts'
import { post } from './post.ts'
import { eventQueue } from './queue.ts'
import { type Site, siteOf } from './site.ts'

interface Page {
  [name: string]: unknown
}

/** The browser script, contract section 7. Everything it holds, it holds in memory. */
async function start(site: Site): Promise<void> {
  if (isStarted(site)) return
  const configuration = configurationReader(site, formsIn(document).map(idOf))
  const submit = catchForms(site, configuration)

  let override: Consent
  const track = eventQueue(site, {
    configuration,
    consent: ({ consent }) =>
      override ??
      consentIn((globalThis as Page)[consent.signalSource]) ??
      // Global Privacy Control is a no, unless the visitor said yes to this very site.
      (navigator.globalPrivacyControl ? false : undefined),
    post,
  })
  takeCommands(site, {
    track,
    // An object, whatever it was: anything else would have the box refuse the whole batch.
    identify: (traits) => track('$identify', {}, { ...traits }),
    consent: (granted) => {
      override = consentIn(granted)
    },
    submit,
  })
  if (!site.key || !(await configuration())?.tracking.autoPageview) return
  const { watchPageViews } = await import(site.origin + '/_svc/p.js')
  watchPageViews(site, track)
}

// The first is known only while a plain script runs for the first time; a module finds its tag.
const script = document.currentScript ?? document.querySelector('script[src$="/_svc/v1.js"]')
if (script) {
  const site = siteOf(script as HTMLScriptElement)
  site.guarded(start)(site)
}
