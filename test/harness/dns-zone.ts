import { type BackgroundProgram, startProgram } from './background-program.ts'
import { eventually } from './eventually.ts'
import { pebbleProgram } from './pebble-programs.ts'

const dnsPort = 8053
const managementPort = 8055

/** A DNS server whose records a test sets (pebble's `pebble-challtestsrv`). A name without records is not there. */
export class DnsZone implements AsyncDisposable {
  private constructor(
    private readonly address: string,
    private readonly program: BackgroundProgram,
  ) {}

  /** At a loopback address where its ports are free; over UDP and TCP. */
  static async at(address: string): Promise<DnsZone> {
    const management = `${address}:${managementPort}`
    const argv = [
      pebbleProgram('pebble-challtestsrv'),
      '-management',
      management,
      '-dnsserver',
      `${address}:${dnsPort}`,
    ]
    const off = ['-defaultIPv4', '', '-defaultIPv6', '', '-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', '']
    const program = await startProgram({ argv: [...argv, ...off], readyLine: 'Starting management server' })
    const zone = new DnsZone(address, program)
    await eventually('the DNS server takes records', () => zone.takes())
    return zone
  }

  /** `ADDRESS:PORT`. */
  get server(): string {
    return `${this.address}:${dnsPort}`
  }

  /** Each `set…` replaces what the name had of that kind; without values it has none. */
  async setA(host: string, ...addresses: string[]): Promise<void> {
    await this.tell('clear-a', { host })
    if (addresses.length > 0) await this.tell('add-a', { host, addresses })
  }

  async setAaaa(host: string, ...addresses: string[]): Promise<void> {
    await this.tell('clear-aaaa', { host })
    if (addresses.length > 0) await this.tell('add-aaaa', { host, addresses })
  }

  async setCname(host: string, target: string | null): Promise<void> {
    if (target === null) await this.tell('clear-cname', { host })
    else await this.tell('set-cname', { host, target })
  }

  async setTxt(name: string, ...values: string[]): Promise<void> {
    const host = `${name}.`
    await this.tell('clear-txt', { host })
    for (const value of values) await this.tell('set-txt', { host, value })
  }

  async setCaa(host: string, ...policies: { tag: string; value: string }[]): Promise<void> {
    await this.tell('clear-caa', { host })
    if (policies.length > 0) await this.tell('add-caa', { host, policies })
  }

  /** Whether every question about this name fails. */
  async setFailing(host: string, failing: boolean): Promise<void> {
    await this.tell(failing ? 'set-servfail' : 'clear-servfail', { host })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.program.stop()
  }

  private async takes(): Promise<boolean> {
    try {
      await this.setA('ready.test')
      return true
    } catch {
      return false
    }
  }

  private async tell(what: string, body: object): Promise<void> {
    const answer = await fetch(`http://${this.address}:${managementPort}/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
      proxy: false,
    })
    if (!answer.ok) throw new Error(`pebble-challtestsrv answered ${what} with ${answer.status}`)
  }
}
