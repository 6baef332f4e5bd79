import { VerifiedCookies } from '../../account/identity-cookie.ts'
import { createBotCheck } from '../../capture/bot-check/bot-check.ts'
import type { Outbound } from '../../capture/bot-check/provider-verify.ts'
import { requestBudgets } from '../../capture/budgets.ts'
import { VerifiedLinks } from '../../capture/click-token.ts'
import type { RefusalTally } from '../../capture/refusal-tally.ts'
import { UrlCleaner } from '../../capture/url/url-cleaner.ts'
import { clientFiles } from '../../client/embedded.ts'
import { testPage } from '../../client/test-page/embedded.ts'
import { Http01Answers } from '../../https/http-01-answers.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { descriptorLimit } from '../../lib/descriptor-limit.ts'
import type { TrustedProxies } from '../../lib/forwarded-client.ts'
import { readSendQueues } from '../../lib/send-queues.ts'
import { Downloads, downloadBounds } from '../../listener/downloads.ts'
import type { ListenerBasics } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { RequestFigures } from '../../operator/request-figures.ts'
import { TokenBuckets } from '../../storage/memory/token-buckets.ts'
import { Verdicts } from '../../verdict/verdicts.ts'
import type { CapturingBox } from '../open.ts'
import { warnOfProxy } from './untrusted-proxy.ts'

/** The parts that differ between services. */
interface PartsOfService extends Pick<ListenerParts, 'limits' | 'room' | 'testPageDoorway' | 'consoleDoor'> {
  box: CapturingBox
  basics: ListenerBasics
  directory: SiteDirectory
  ledger: Ledger
  refusals: RefusalTally
  requests: RequestFigures
  trustedProxies: TrustedProxies
  outbound: Outbound
}

/** Everything that answers requests, wired. */
export async function listenerParts({
  box,
  basics,
  directory,
  outbound,
  ...given
}: PartsOfService): Promise<ListenerParts> {
  const { certificates, clock, log, previewHost } = basics
  const budgets = new TokenBuckets(clock)
  return {
    ...given,
    directory,
    assets: box.assets,
    catalogue: box.catalogue,
    budgets,
    takeRequest: (clientAddress) => budgets.takeNow(requestBudgets(clientAddress, given.limits)),
    downloads: new Downloads({
      bounds: downloadBounds(await descriptorLimit()),
      sendQueues: readSendQueues,
      monotonicMs: clock.monotonicMs,
    }),
    botCheck: createBotCheck({ challenges: box.challenges, keys: () => directory.signingKeys, clock, log, outbound }),
    certificates,
    challenges: new Http01Answers(),
    verifiedCookies: new VerifiedCookies(),
    verifiedLinks: new VerifiedLinks(),
    optOuts: box.optOuts,
    urls: new UrlCleaner(),
    verdicts: new Verdicts(),
    previewHost,
    clientFiles,
    testPage,
    onUntrustedProxy: (peer) => warnOfProxy(peer, box.dataDir, log),
    clock,
    log,
  }
}
