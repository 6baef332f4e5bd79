import type { CountedCheck } from './refusal-advice.ts'

/** Each check in a few words, for readers who do not know the table of refusals. */
const reasons: Record<CountedCheck, string> = {
  origin: 'sent from a page that is not allowed to',
  tracking_key: 'tracking is off, or the key is not the account’s',
  form: 'no such form',
  content_type: 'not sent as JSON',
  size: 'larger than the account accepts',
  incomplete: 'the connection broke off',
  body: 'not a JSON object',
  events: 'not a well-formed batch of events',
  budget: 'too many requests in a short time',
  honeypot: 'a bot: the hidden field was filled',
  bot_check: 'a bot: the check was missing or did not verify',
  consent: 'the visitor had not agreed to tracking',
  storage: 'could not be stored: the disk was full or failed',
  no_script: 'a form posted without the script',
  downloads: 'too many simultaneous downloads',
  requests_per_address: 'too many requests of one address, whatever for',
  downloads_per_address: 'too many simultaneous downloads of one address',
  destination: 'a link to a host that is not allowed',
}

export const refusalReason = (check: string): string =>
  Object.hasOwn(reasons, check) ? reasons[check as CountedCheck] : 'counted by a newer version of capture'
