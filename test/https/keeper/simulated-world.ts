import type { Authority, AuthorityAccount, OrderRequest, RenewalInfo } from '../../../src/https/acme/authority.ts'
import { AcmeProblem, type AcmeProblemKind } from '../../../src/https/acme/problem.ts'
import type { KeptName } from '../../../src/https/certificate-store.ts'
import { Keeper } from '../../../src/https/keeper/keeper.ts'
import type { ConfiguredName, Look } from '../../../src/https/keeper/name-steps.ts'
import type { KeeperParts } from '../../../src/https/keeper/parts.ts'
import type { Directories } from '../../../src/https/keeper/targets.ts'
import { openLog } from '../../../src/lib/log.ts'
import type { CertificateStores } from '../../contract/certificate-store.ts'
import { datedCertificate } from '../../harness/dated-certificate.ts'
import { memoryStores } from './memory-stores.ts'

export const dayMs = 86_400_000
export const hourMs = 3_600_000
export const minuteMs = 60_000

export const first = 'https://first.test/dir'
export const staging = 'https://staging.test/dir'
export const fallback = 'https://fallback.test/dir'

/** An order as the authority saw it. */
export interface SeenOrder {
  host: string
  directory: string
  at: number
  replaces: string | null
  /** Whether a certificate came of it. */
  isIssued: boolean
}

export const ours: Look = {
  observed: { a: ['203.0.113.7'], aaaa: [], cname: null, caa: [], http: 'ours' },
  hindrance: null,
}

/** A name whose DNS leads elsewhere. */
export const elsewhere: Look = {
  observed: { a: ['198.51.100.1'], aaaa: [], cname: null, caa: [], http: 'other' },
  hindrance: 'It leads elsewhere.',
}

/** A box, its clock, the world that it looks at and the authorities that it asks, all in memory. */
export class SimulatedWorld {
  now = Date.UTC(2026, 10, 20)
  monotonicMs = 0
  names: ConfiguredName[] = []
  looks = new Map<string, Look>()
  /** What an authority says to an order; `null`: it issues. */
  refusal: (order: { host: string; directory: string }) => AcmeProblem | null = () => null
  lifetimeMs = 90 * dayMs
  /** The window of a certificate; `null`: the authority names none. */
  window: ((host: string) => RenewalInfo) | null = null
  /** How far the authorities' clock is from ours. */
  authorityAheadMs = 0
  directories: Directories = { first, staging: null, fallback: null }
  random: () => number = () => 0.5
  readonly orders: SeenOrder[] = []
  readonly looked: string[] = []
  readonly lines: { level: string; message: string; host?: string; nextTryAt?: string }[] = []
  readonly issued: { host: string; isRenewal: boolean }[] = []
  /** How long each order takes. */
  orderMs: (host: string) => Promise<void> = async () => {}
  private keeper: Keeper

  constructor(readonly stores: CertificateStores = memoryStores()) {
    this.keeper = new Keeper(this.parts())
  }

  /** As many names, of one account unless told otherwise. */
  connect(hosts: string[], accountId = 'a1'): void {
    this.names = [...this.names, ...hosts.map((host) => ({ host, accountId }))]
  }

  /** The service is started again. */
  async restart(): Promise<void> {
    await this.keeper.stop()
    this.keeper = new Keeper(this.parts())
  }

  /** Turns of the keeper for so long, each second, or each `stepMs`. */
  async pass(ms: number, stepMs = 1000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.keeper.turn()
      await this.keeper.settled()
      this.now += stepMs
      this.monotonicMs += stepMs
    }
  }

  /** One turn, whose work is not waited for. */
  async turn(): Promise<void> {
    await this.keeper.turn()
  }

  async name(host: string): Promise<KeptName> {
    const name = await this.stores.certificates.name(host)
    if (name === null) throw new Error(`nothing is kept of ${host}`)
    return name
  }

  async states(): Promise<Record<string, number>> {
    const states = (await this.stores.certificates.names()).map(({ state }) => state)
    return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]))
  }

  ordersAt(directory: string): SeenOrder[] {
    return this.orders.filter((order) => order.directory === directory)
  }

  private parts(): KeeperParts {
    const clock = { now: () => this.now, monotonicMs: () => this.monotonicMs }
    return {
      store: this.stores.certificates,
      orders: this.stores.orders,
      configured: async () => this.names,
      whyNotPublic: (host) => (host.endsWith('.test') ? `${host} is not public.` : null),
      registeredDomain: (host) => host.split('.').slice(-2).join('.'),
      look: async (host) => {
        this.looked.push(host)
        return this.looks.get(host) ?? ours
      },
      directories: this.directories,
      authority: (directory) => this.authority(directory),
      authorityTime: async () => this.now + this.authorityAheadMs,
      answers: { http01: null, txtRecords: null },
      contact: '',
      externalBinding: null,
      profile: '',
      onIssued: (issued) => this.issued.push(issued),
      clock,
      random: () => this.random(),
      log: openLog({
        level: 'info',
        format: 'json',
        write: (line) => this.lines.push(JSON.parse(line)),
        now: clock.now,
      }),
    }
  }

  private authority(directory: string): Authority {
    const offer = {
      caaIdentities: [],
      termsOfService: null,
      externalBindingRequired: false,
      profiles: [],
      tellsRenewal: this.window !== null,
    }
    const account: AuthorityAccount = {
      url: `${directory}/account/1`,
      keyThumbprint: '',
      order: (request) => this.order(directory, request),
    }
    return {
      directoryUrl: directory,
      offer: async () => offer,
      account: async () => account,
      renewalInfo: async () => this.window?.('') ?? null,
    }
  }

  private async order(directory: string, { host, replaces }: OrderRequest) {
    await this.orderMs(host)
    const refusal = this.refusal({ host, directory })
    this.orders.push({ host, directory, at: this.now, replaces, isIssued: refusal === null })
    if (refusal !== null) throw refusal
    const notBefore = Math.floor((this.now + this.authorityAheadMs) / 1000) * 1000
    return datedCertificate(host, { notBefore, notAfter: notBefore + this.lifetimeMs })
  }
}

export const problem = (kind: AcmeProblemKind, detail = 'words of the authority', retryAfterMs: number | null = null) =>
  new AcmeProblem({ kind, detail, retryAfterMs })
