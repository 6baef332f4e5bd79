import type { VerifiedCookies } from '../account/identity-cookie.ts'
import type { ReplyOptOuts } from '../account/reply-opt-out.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { BotCheck } from '../capture/bot-check/bot-check.ts'
import type { BudgetStore } from '../capture/budget-store.ts'
import type { Limits } from '../capture/budgets.ts'
import type { RefusalTally } from '../capture/refusal-tally.ts'
import type { StorageRoom } from '../capture/storage-room.ts'
import type { UrlCleaner } from '../capture/url/url-cleaner.ts'
import type { Http01Answers } from '../https/http-01-answers.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import type { TrustedProxies } from '../lib/forwarded-client.ts'
import type { Log } from '../lib/log.ts'
import type { CertificateFigures } from '../operator/certificate-figures.ts'
import type { RequestFigures } from '../operator/request-figures.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { ClientFile, ClientFileName } from './client-file.ts'
import type { ConsoleDoor } from './console-door.ts'
import type { Downloads } from './downloads.ts'
import type { SiteDirectory } from './site-directory.ts'
import type { TestPageDocuments } from './test-page-documents.ts'

/** Everything the listener works with, wired by `cli/serve/serve-run.ts`. */
export interface ListenerParts {
  directory: SiteDirectory
  ledger: Ledger
  assets: AssetStore
  /** Earlier versions, for previews that name one. */
  catalogue: Pick<Catalogue, 'versions'>
  budgets: BudgetStore
  downloads: Downloads
  botCheck: BotCheck
  refusals: RefusalTally
  /** What was answered, for those who watch the box. */
  requests: RequestFigures
  /** What handshakes are shown, for them too. */
  certificates: CertificateFigures
  /** What certificate authorities ask for while an order is under way. */
  challenges: Http01Answers
  verifiedCookies: VerifiedCookies
  optOuts: ReplyOptOuts
  urls: UrlCleaner
  /** Judges clicks as they come, by their own request. */
  verdicts: Verdicts
  /** Changes in place as the disk fills and empties. */
  room: StorageRoom
  /** Changes in place when the configuration is read again. */
  limits: Limits
  /** The platform preview host, lower-case, without port. */
  previewHost: string
  consoleDoor: ConsoleDoor
  /** Changes in place, as the limits do. */
  trustedProxies: TrustedProxies
  /** The browser script, and what it loads when a page needs it. */
  clientFiles: Readonly<Record<ClientFileName, ClientFile>>
  testPage: TestPageDocuments
  /** A connected domain on which the test page answers too; `null`, everywhere but in the demo: none. */
  testPageDoorway: string | null
  /** Told once of a private peer that sends forwarding headers without being trusted. */
  onUntrustedProxy: (peer: string) => void
  clock: Clock
  log: Log
}
