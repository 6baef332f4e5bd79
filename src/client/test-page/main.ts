import { type DomainPlace, element, type FormPlace, showPage } from './board.ts'
import { dataElementId, type TestPageData } from './data.ts'
import { tryDomain } from './domain-trial.ts'
import { tryForm } from './form-trial.ts'
import { openWebsite, type Website } from './website.ts'

/** The hosted test page (docs/previews.md): tries every domain and form of an account from this very browser. */
async function start(): Promise<void> {
  const data: TestPageData = JSON.parse(document.getElementById(dataElementId)?.textContent ?? '')
  if (!(await movesToThirdParty(data.thirdPartyUrl))) await showPage(data, tryAll)
}

/** One after another, so that the reader can follow and no budget is used up. */
async function tryAll(places: DomainPlace[], trackingKey: string | null): Promise<void> {
  for (const { domain, frame, report, forms } of places) {
    const website = await openWebsite(frame, domain)
    const maySend = await tryDomain({ domain, website, trackingKey, report })
    for (const place of forms) {
      const formWebsite = await openWebsite(place.frame, domain)
      place.shown.hidden = false
      fitHeight(place, formWebsite)
      await tryForm({ domain, form: place.form, website: formWebsite, maySend, report: place.report })
    }
  }
}

/** A frame as high as its form, even when the script adds to it. */
function fitHeight({ frame }: FormPlace, { window }: Website): void {
  const { documentElement } = window.document
  new ResizeObserver(() => {
    frame.style.height = `${documentElement.offsetHeight}px`
  }).observe(documentElement)
}

const knownMsMax = 3_000

/**
 * Moves to the same page on the preview host if this browser can reach it. Returns whether it is leaving.
 *
 * The demo prints an address that works everywhere; browsers also know names that end in `.localhost`, where the page
 * has an origin of its own (docs/decisions/0013).
 */
async function movesToThirdParty(url: string | null): Promise<boolean> {
  if (url === null) return false
  try {
    await fetch(url, { method: 'HEAD', mode: 'no-cors', signal: AbortSignal.timeout(knownMsMax) })
  } catch {
    return false
  }
  location.replace(url + location.hash)
  return true
}

start().catch((error) => {
  document.body.append(element('p', { role: 'alert' }, `This page failed: ${error}`))
})
