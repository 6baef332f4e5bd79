import type { VerifiedCookies } from '../account/identity-cookie.ts'
import type { ReplyOptOuts } from '../account/reply-opt-out.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { Catalogue } from '../asset/catalogue.ts'
import type { BotCheck } from '../capture/bot-check/bot-check.ts'
import type { BudgetStore } from '../capture/budget-store.ts'
import type { Limits } from '../capture/budgets.ts'
import type { VerifiedLinks } from '../capture/click-token.ts'
import type { FileScanner } from '../capture/file/file-scanner.ts'
import type { UploadStore } from '../capture/file/upload-store.ts'
import type { WaitingFiles } from '../capture/file/waiting-files.ts'
import type { MissingTally } from '../capture/missing-tally.ts'
import type { RefusalTally } from '../capture/refusal-tally.ts'
import type { StorageRoom } from '../capture/storage-room.ts'
import type { UrlCleaner } from '../capture/url/url-cleaner.ts'
import type { Http01Answers } from '../https/acme/authority.ts'
import type { Language } from '../language/language.ts'
import type { Confirmations } from '../ledger/confirmations.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { VisitorFiles } from '../ledger/visitor-files.ts'
import type { Clock } from '../lib/clock.ts'
import type { TrustedProxies } from '../lib/forwarded-client.ts'
import type { LocalDays } from '../lib/local-day.ts'
import type { Log } from '../lib/log.ts'
import type { CertificateFigures, RequestFigures } from '../operator/figures.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { Downloads } from './assets/downloads.ts'
import type { ConsoleProxy } from './console/console-proxy.ts'
import type { PipelineLimit } from './pipeline-limit.ts'
import type { SiteDirectory } from './site-directory.ts'

/** The listener's dependencies, wired by `cli/serve/serve-run.ts`. */
export interface ListenerParts {
  directory: SiteDirectory
  ledger: Ledger
  assets: AssetStore
  /** Earlier versions, for previews of a certain version. */
  catalogue: Pick<Catalogue, 'versions'>
  budgets: BudgetStore
  /** Takes from a caller's budget of all requests. Returns 0, or the seconds after which to try again. */
  takeRequest: (clientAddress: string) => number
  /** One for all listeners, whose connections keep each other waiting. */
  pipelineLimit: PipelineLimit
  downloads: Downloads
  botCheck: BotCheck
  refusals: RefusalTally
  missing: MissingTally
  requests: RequestFigures
  certificates: CertificateFigures
  /** Answers for certificate authorities during an order. */
  challenges: Http01Answers
  verifiedCookies: VerifiedCookies
  verifiedLinks: VerifiedLinks
  optOuts: ReplyOptOuts
  confirmations: Confirmations
  /** Files of visitors until a submission names them, and their bytes. */
  files: WaitingFiles
  uploads: UploadStore
  visitorFiles: Pick<VisitorFiles, 'find'>
  /** Read at each file, since a reload changes it. `null`: none is configured. */
  scanner: () => FileScanner | null
  urls: UrlCleaner
  /** Judges clicks by their own request. */
  verdicts: Verdicts
  /** Updated in place with the free disk space. */
  room: StorageRoom
  /** Updated in place when the configuration is reloaded. */
  limits: Limits
  /** The platform preview host, lower-case, without port. */
  previewHost: string
  consoleProxy: ConsoleProxy
  /** Updated in place, like the limits. */
  trustedProxies: TrustedProxies
  /** The browser script and the files that it loads on demand. */
  clientFiles: Readonly<Record<ClientFileName, ClientFile>>
  testPage: TestPageDocuments
  /** A connected domain that also serves the test page; `null` except in the demo. */
  testPageDomain: string | null
  /** Called once for an untrusted private peer that sends forwarding headers. */
  onUntrustedProxy: (peer: string) => void
  clock: Clock
  days: LocalDays
  log: Log
}

/** The script, the files that it loads on demand, and its types for developers. */
export type ClientFileName =
  | 'v1.js'
  | 'f.js'
  | 'e.js'
  | 'u.js'
  | 'b.js'
  | 'altcha.js'
  | 'altcha.css'
  | 'v1.d.ts'
  | `l/${Language}.js`

/** A file that pages load, compressed by the build. */
export interface ClientFile {
  text: string
  sha256: string
  gzip: string
  br: string
}

/** A page for one request, with its minimal Content-Security-Policy. */
export interface TestPageDocument {
  html: string
  policy: string
}

/** The account's data on the test page: nothing secret, only what visitors of its sites can see. */
interface TestPageData {
  account: { handle: string; name: string }
  /** The origins of connected domains. */
  domains: { host: string; origin: string }[]
  /** `asks`: whether visitors are asked by mail to confirm. */
  forms: { id: string; name: string; asks: boolean }[]
  botCheckProvider: string
  /** When the address expires, epoch milliseconds. */
  expiresAt: number
  /** The address of the same page on its own origin; `null`: this is it. */
  thirdPartyUrl: string | null
}

/** Makes the hosted test page. Implemented in `client` and wired by `cli`. */
interface TestPageDocuments {
  page(data: TestPageData): TestPageDocument
  /** The empty page that represents a website with a domain's script. */
  website(data: { origin: string; botCheckProvider: string }): TestPageDocument
}
