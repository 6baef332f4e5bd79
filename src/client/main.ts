import { isStarted, takeCommands } from './commands.ts'
import { configurationReader } from './config.ts'
import { type Consent, consentIn } from './consent.ts'
import { tracker } from './events.ts'
import { formIdsPresent, wireForms } from './forms.ts'
import { watchPageViews } from './page-views.ts'
import { eventQueue } from './queue.ts'
import { type Site, siteOf } from './site.ts'

/** The browser script, contract section 7. Everything it holds, it holds in memory. */
async function start(site: Site): Promise<void> {
  if (isStarted(site)) return
  const configuration = configurationReader(site, formIdsPresent())
  const submit = wireForms(site, configuration)

  let override: Consent
  const page: { [name: string]: unknown } = globalThis
  const track = tracker(
    eventQueue(site, configuration, ({ consent }) => {
      const said = override ?? consentIn(page[consent.signalSource])
      // Global Privacy Control is a no, unless the visitor said yes to this very site.
      return said ?? (navigator.globalPrivacyControl ? false : undefined)
    }),
  )
  takeCommands(site, {
    track,
    identify: (traits) => track('$identify', {}, traits),
    consent: (granted) => {
      override = granted
    },
    submit,
  })
  if (site.key && (await configuration())?.tracking.autoPageview) watchPageViews(site, track)
}

// Known only while the script runs for the first time, and only from a plain script tag.
const script = document.currentScript as HTMLScriptElement | null
if (script) {
  const site = siteOf(script)
  site.guarded(start)(site)
}
