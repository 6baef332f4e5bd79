import { plural } from '../../lib/quantities.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import type { PublishedAsset } from '../../operations/apply/published-assets.ts'
import type { Change } from '../../site/change.ts'
import { printable } from '../output/text.ts'

const signs: Record<Change['action'], string> = { create: '+', update: '~', delete: '-' }

export function appliedText(
  { account, changes, trackingKey, deliverySecrets, pages }: AppliedFolder,
  dryRun: boolean,
): string {
  if (changes.length === 0) return `${account}: nothing to change.\n`
  const counted = `${account}: ${plural(changes.length, 'change')}${dryRun ? ', none of them made (dry run)' : ' published'}.`
  const key =
    trackingKey === null ? [] : ['', `Tracking key (shown once; put it in data-site-key of the pages): ${trackingKey}`]
  const secrets = deliverySecrets.flatMap(({ name, secret }) => [
    '',
    `Secret of the delivery "${name}" (shown once; its receiver verifies by it): ${secret}`,
  ])
  const urls = dryRun ? [] : liveAddresses(pages)
  return `${[...changes.map(changeLine), counted, ...key, ...secrets, ...urls].join('\n')}\n`
}

const changeLine = ({ action, kind, name, note }: Change) =>
  printable(`  ${signs[action]} ${kind} ${name}${note === null || note === '' ? '' : ` (${note})`}`)

/** Limits the addresses shown; `capture page list` has all of them. */
const addressesShown = 10

function liveAddresses(pages: PublishedAsset[]): string[] {
  const live = pages.filter((page) => page.state === 'live' && page.url !== null)
  if (live.length === 0) return []
  const more = live.length > addressesShown ? [`  … and ${live.length - addressesShown} more`] : []
  return ['', ...live.slice(0, addressesShown).map((page) => `  ${page.url}`), ...more]
}
