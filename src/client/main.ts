import { catchEvents } from './catch-events.ts'
import { catchForms } from './catch-forms.ts'
import { startedBefore, takeCommands } from './commands.ts'
import { formsIn, idOf } from './page-forms.ts'
import { configurationReader } from './requests.ts'
import { type Site, siteOfTag } from './site.ts'

/** The browser script (docs/script.md). Keeps everything in memory. */
function start(site: Site): void {
  const configuration = configurationReader(site, formsIn(document).map(idOf))
  const submit = catchForms(site, configuration)
  const { commands, heedTag } = catchEvents(site, configuration)
  takeCommands(site, { ...commands, submit }, heedTag)
  heedTag()
}

const site = siteOfTag()
const earlier = site && startedBefore(site)
if (earlier) {
  // The first tag decides.
  earlier.site.data = { ...site.data, ...earlier.site.data }
  earlier.heedTag()
} else if (site) site.guarded(start)(site)
