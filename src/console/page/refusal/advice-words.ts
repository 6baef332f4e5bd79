import { html, type Markup } from '../../../lib/html.ts'
import type { AdvisedRefusal } from '../../../operations/refusals/read-refusals.ts'
import type { CountedCheck } from '../../../operations/refusals/refusal-advice.ts'
import { inWords } from '../../look/operator-message.ts'
import type { AccountPageCall } from '../page.ts'

type Words = (call: AccountPageCall) => Markup

/** Advice for the checks whose remedy is on a page of the console, where the operation's advice names a command. */
const words: { readonly [Check in CountedCheck]?: Words } = {
  tracking_key: ({ account: { handle, settings } }) =>
    settings.tracking.enabled
      ? html`The page sends no tracking key, or not the active one: put the current key into <code>data-site-key</code>, or make a new one under <a href="/a/${handle}/keys">Tracking key</a>.`
      : html`Tracking is off for this account: set <code>enabled = true</code> under <code>[tracking]</code> in <a href="/a/${handle}/settings">Settings</a>, or take the script off the page.`,
  form: ({ account: { handle } }) =>
    html`The page names a form that is not live here: compare its <code>data-svc-form</code> with <a href="/a/${handle}/forms">Forms</a>, and check <code>registered</code> and the domain it posts to.`,
  storage: ({ caller }) =>
    html`These could not be stored and are lost unless the caller tried again. ${caller.isOwner ? html`See <a href="/box">Health</a>` : 'Ask an owner of the box to see Health'}, and check the disk.`,
}

/** What to do about a kind of refusal, with the page that does it. */
export function adviceWords({ check, advice }: AdvisedRefusal, call: AccountPageCall): Markup {
  const ofCheck: Words | undefined = Object.hasOwn(words, check) ? words[check as CountedCheck] : undefined
  return ofCheck?.(call) ?? inWords(advice)
}
