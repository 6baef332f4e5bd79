import { ownHosts } from '../../config/own-hosts.ts'
import { everyInterval } from '../../lib/interval.ts'
import type { CertificateWatch, WatchParts } from './certificate-watch.ts'

/** How often the folder is read (docs/https.md). */
const lookMs = 60_000
/** How often to check whether that is due or a domain was connected. */
const tickMs = 1000

/** Mode `files`: applies changes in the folder. */
export function watchFolder({ secure, certificates, parts, config, hosts: first }: WatchParts): CertificateWatch {
  const { directory, clock, log } = parts
  const own = ownHosts(config).map(({ host }) => host)
  let hosts = first
  let lookedAtMs = clock.monotonicMs()
  const looking = everyInterval(
    tickMs,
    async () => {
      if (directory.hosts === hosts && clock.monotonicMs() - lookedAtMs < lookMs) return
      hosts = directory.hosts
      lookedAtMs = clock.monotonicMs()
      if (await certificates.look([...hosts, ...own])) secure.use(certificates.pairs)
    },
    log,
  )
  return { drain: () => {}, stop: () => looking.stop() }
}
