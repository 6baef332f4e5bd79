import type { CountedCheck } from '../../operations/refusals/refusal-advice.ts'

/** For every check a few words for whoever never saw the table of refusals. */
const reasons: Record<CountedCheck, string> = {
  origin: 'sent from a page that is not allowed to',
  tracking_key: 'tracking is off, or the key is not the account’s',
  form: 'no such form',
  content_type: 'not sent as JSON',
  size: 'larger than the account accepts',
  incomplete: 'broke off on the way',
  body: 'not a JSON object',
  events: 'not a well-formed batch of events',
  budget: 'too many requests in a short time',
  honeypot: 'a bot: the hidden field was filled',
  bot_check: 'a bot: the check was missing or did not verify',
  consent: 'the visitor had not agreed to tracking',
  storage: 'could not be stored: the disk was full or failed',
  no_script: 'a form posted without the script',
  downloads: 'more downloads at once than there is room for',
  downloads_per_address: 'more downloads at once than one address may have',
  destination: 'a link to a host it may not lead to',
}

export const refusalReason = (check: string): string =>
  Object.hasOwn(reasons, check) ? reasons[check as CountedCheck] : 'counted by a newer version of capture'
