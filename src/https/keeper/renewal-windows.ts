import type { KeptName } from '../kept-name.ts'
import { isWindowDue } from './due.ts'
import type { KeptNames } from './kept-names.ts'
import type { KeeperParts } from './parts.ts'
import { chosenRenewal } from './renewal-time.ts'

const atOnceMax = 4
/** The wait after a failed request. */
const retryMs = 3_600_000

interface WindowsParts extends Pick<KeeperParts, 'store' | 'authority' | 'clock' | 'random'> {
  names: KeptNames
  run: (work: Promise<void>) => void
  stopping: AbortSignal
}

/** Asks authorities when to renew (RFC 9773), at the intervals that they set. */
export class RenewalWindows {
  private readonly asking = new Set<string>()

  constructor(private readonly parts: WindowsParts) {}

  begin(): void {
    const { names, clock, run } = this.parts
    for (const name of names.all) {
      if (this.asking.size >= atOnceMax) return
      if (this.asking.has(name.host) || !isWindowDue(name, clock.now())) continue
      this.asking.add(name.host)
      run(this.ask(name).finally(() => this.asking.delete(name.host)))
    }
  }

  private async ask({ host, certificate }: KeptName): Promise<void> {
    const { store, names, clock, random } = this.parts
    const found = await store.read(host)
    if (certificate === null || found === null || 'fault' in found) return
    const info = await this.info(certificate.directory, found.certificate)
    const name = names.of(host)
    // The certificate may have been renewed meanwhile.
    if (name?.certificate?.serial !== certificate.serial) return
    const now = clock.now()
    const { renewAt, renewal } =
      info === 'unanswered'
        ? { renewAt: certificate.renewAt, renewal: { ...certificate.renewal, askAt: now + retryMs } }
        : chosenRenewal(certificate, { info, kept: certificate, now, random: random() })
    await store.keepRenewal(host, renewAt, renewal)
    names.take({ ...name, certificate: { ...certificate, renewAt, renewal } }, { isNews: false })
  }

  private async info(directory: string, chain: string) {
    try {
      return await this.parts.authority(directory).renewalInfo(chain, this.parts.stopping)
    } catch {
      return 'unanswered'
    }
  }
}
