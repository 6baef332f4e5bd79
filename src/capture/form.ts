import type { LiveForm } from '../account/live-account.ts'
import type { Submission } from '../ledger/entry.ts'
import { identityEmail } from '../ledger/identity-email.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { newId } from '../lib/id.ts'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import type { BotCheck } from './bot-check/bot-check.ts'
import type { BudgetStore } from './budget-store.ts'
import { formBudgets, type Limits, withinBudgets } from './budgets.ts'
import { allowedOrigin } from './checks/allowed-origin.ts'
import { bodyWithin } from './checks/body-within.ts'
import { honeypotEmpty } from './checks/honeypot-empty.ts'
import { jsonObject } from './checks/json-body.ts'
import { jsonContentType } from './checks/json-content-type.ts'
import { registeredForm } from './checks/registered-form.ts'
import { namedFiles } from './file/named-files.ts'
import type { Claim, WaitingFiles } from './file/waiting-files.ts'
import { isIgnored } from './ignored.ts'
import { type Choosing, versionLeft } from './page-version.ts'
import { Refusal } from './refusal.ts'
import type { SiteRequest } from './site-request.ts'
import { requestSource, sentByTestPage } from './source.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'

interface FormCapture extends Choosing {
  ledger: Ledger
  budgets: BudgetStore
  botCheck: BotCheck
  limits: Limits
  files: WaitingFiles
  urls: UrlCleaner
  previewHost: string
}

/** The answer to an accepted submission. */
export interface AcceptedSubmission {
  submissionId: string
  redirectUrl: string | null
}

/** The bot-check token's key: verified, then discarded. */
const botCheckField = 'botcheck-response'
/** Ignored if sent, so that consent evidence cannot be forged. */
const consentField = 'consentTextId'

/**
 * `POST /_svc/f/<form_short_id>`: the numbered lines are the rows of the spec's order of checks.
 *
 * @throws Refusal for the first check that fails; LedgerUnavailable when it cannot be stored.
 */
export async function captureForm(
  asked: SiteRequest,
  formId: string,
  capture: FormCapture,
): Promise<AcceptedSubmission> {
  const { request, account } = asked
  /* 1 */ const origin = allowedOrigin(asked)
  /* 2 */ jsonContentType(request)
  /* 3 */ const body = await bodyWithin(request, account.settings.payloadBytesMax)
  /* 4 */ const sent = jsonObject(body)
  /* 5 */ const form = registeredForm(account, formId)
  /* 6 */ await withinBudgets(capture.budgets, formBudgets(asked, { formId, origin, limits: capture.limits }))
  const { claim, fault, shown } = await namedFiles(form, sent, { account, files: capture.files })
  const submission = received(asked, { form, sent: claim === null ? sent : { ...sent, ...shown }, capture, origin })
  const refuse = refusing(submission, claim, capture)
  /* 7 */ if (!honeypotEmpty(honeypotValue(form, sent))) return refuse('honeypot')
  /* 8 */ if (form.botCheckRequired) {
    submission.botCheck.verified = claim?.passedCheck || (await capture.botCheck.verified(asked, sent[botCheckField]))
    if (!submission.botCheck.verified) return refuse('bot_check')
  }
  /* 9 */ if (fault !== null) throw fault
  await store(submission, claim, capture)
  return { submissionId: submission.id, redirectUrl: form.safeRedirectUrl }
}

/** A submission that has passed the checks before the honeypot. */
interface SentForm {
  form: LiveForm
  sent: JsonObject
  capture: FormCapture
  origin: string | null
}

function received(asked: SiteRequest, { form, sent, capture, origin }: SentForm): Submission {
  return {
    kind: 'submission',
    id: newId(),
    accountId: asked.account.id,
    receivedAt: capture.clock.now(),
    test: sentByTestPage(origin, capture.previewHost) || isIgnored(asked),
    source: requestSource(asked, capture.urls, versionLeft(asked, capture)),
    formId: form.id,
    formVersion: form.version,
    status: 'accepted',
    refusedFor: null,
    email: identityEmail(sent.email),
    deviceId: asked.deviceId,
    consentTextId: form.consentTextId,
    honeypot: form.honeypot === null ? null : { field: form.honeypot, value: honeypotValue(form, sent) ?? null },
    botCheck: {
      required: form.botCheckRequired,
      provider: form.botCheckRequired ? asked.account.settings.botCheck.provider : null,
      verified: false,
    },
    fields: storedFields(sent),
  }
}

/** Most bodies hold neither field, and are stored without a copy. */
function storedFields(sent: JsonObject): JsonObject {
  if (!Object.hasOwn(sent, botCheckField) && !Object.hasOwn(sent, consentField)) return sent
  const { [botCheckField]: _token, [consentField]: _claim, ...fields } = sent
  return fields
}

const honeypotValue = ({ honeypot }: LiveForm, sent: JsonObject): JsonValue | undefined =>
  honeypot !== null && Object.hasOwn(sent, honeypot) ? sent[honeypot] : undefined

/** Stored in quarantine with the reason, so that an operator can examine and release it. */
const refusing =
  (submission: Submission, claim: Claim | null, capture: FormCapture) =>
  async (refusedFor: 'honeypot' | 'bot_check'): Promise<never> => {
    await store({ ...submission, status: 'refused', refusedFor }, claim, capture)
    throw new Refusal(refusedFor)
  }

const store = (submission: Submission, claim: Claim | null, { ledger }: FormCapture): Promise<void> =>
  claim === null
    ? ledger.append([submission])
    : claim.store(() => ledger.append([{ ...submission, files: claim.files }]))
