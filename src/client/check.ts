import type { BotChecks } from './bot-check/widget.ts'
import type { RuntimeConfiguration } from './config.ts'
import { idOf } from './page-forms.ts'
import type { Site } from './site.ts'

/**
 * Shows the bot check of a form that requires one, and, when it is `wanted`, solves it: the token. Nothing for a form
 * that requires none. Rejects with an `Answer`, or with an error where a file could not be loaded.
 */
export type CheckForm = (
  form: HTMLFormElement,
  settings: RuntimeConfiguration | null,
  wanted?: boolean,
) => Promise<string | undefined>

/** Loads what bot checks need with the first form that requires one. */
export function formChecker({ origin }: Site): CheckForm {
  let checks: BotChecks | undefined
  return async (form, settings, wanted) => {
    if (!settings?.forms?.[idOf(form)]?.botCheckRequired) return
    const { botChecks } = await import(origin + '/_svc/b.js')
    checks ??= botChecks(origin, settings.botCheck) as BotChecks
    return checks(form, wanted)
  }
}
