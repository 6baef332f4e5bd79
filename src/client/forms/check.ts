import type { BotCheckOfAccount, BotChecks } from '../bot-check/widget.ts'
import type { Site } from '../site.ts'
import type { LoadedTexts } from './fallback-texts.ts'

/**
 * Shows the bot check of a form that requires one and, if `wanted`, solves it. Resolves to the token; rejects with an
 * `Answer`, or with an error if a file could not be loaded.
 */
type CheckForm = (form: HTMLFormElement, account: BotCheckOfAccount, wanted: boolean) => Promise<string | undefined>

/** Loads what bot checks need with the first form that requires one. */
export function formChecker({ origin, data }: Site, texts: LoadedTexts): CheckForm {
  let checks: BotChecks | undefined
  return async (form, account, wanted) => {
    const { botChecks } = await import(origin + '/_svc/b.js')
    checks ??= botChecks(origin, account, { text: texts.bot_check, language: data.lang }) as BotChecks
    return checks(form, wanted)
  }
}
